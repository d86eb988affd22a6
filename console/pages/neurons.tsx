// Lists the neurons of an organization, shows its settings, and pauses it.
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { pathToNeuron } from '../data/paths.ts';
import { useCommand } from '../data/use-query.ts';
import type { NeuronValue, OrganizationValue } from '../data/values.ts';
import { ChangeButton } from '../parts/change.tsx';
import { TextField } from '../parts/field.tsx';
import { Badge, Card, PageHead } from '../parts/layout.tsx';
import { ResultCard } from '../parts/result-card.tsx';
import { Empty, QueryResult } from '../parts/state.tsx';
import { Table } from '../parts/table.tsx';
import { Line } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { Yaml } from '../parts/yaml.tsx';

export function Neurons() {
  const { organization = '' } = useRoute().params;
  const neurons = useCommand<NeuronValue>('neurons', { organization });
  return (
    <>
      <PageHead
        title="Neurons"
        detail={`Of ${organization}. A settings file creates and changes them: neuron apply.`}
      >
        <PauseButton organization={organization} />
      </PageHead>
      <ResultCard<NeuronValue>
        query={neurons}
        title="Neurons"
        none={
          <Empty title="There are no neurons yet.">
            <p>
              Add one to a settings file, then run <code>neuron apply PATH</code>.
            </p>
          </Empty>
        }
      >
        {(values) => <NeuronTable organization={organization} neurons={values} />}
      </ResultCard>
      <Settings organization={organization} />
    </>
  );
}

function NeuronTable({
  organization,
  neurons,
}: {
  readonly organization: string;
  readonly neurons: readonly NeuronValue[];
}) {
  return (
    <Table<NeuronValue>
      label="Neurons"
      rows={neurons}
      keyOf={({ neuron }) => neuron}
      columns={[
        {
          head: 'Neuron',
          cell: ({ neuron }) => {
            const slug = neuron.split('/')[1] ?? '';
            return (
              <a class="strong" href={pathToNeuron(organization, slug)}>
                {slug}
              </a>
            );
          },
        },
        { head: 'Name', shown: 'medium', cell: ({ name }) => <Line text={name} /> },
        {
          head: 'Deployed',
          cell: ({ deployed, newest }) => <DeployedVersion deployed={deployed} newest={newest} />,
        },
        {
          head: 'Changed (UTC)',
          shown: 'medium',
          cell: ({ updatedAt }) => <Time timeMs={Date.parse(updatedAt)} brief />,
        },
        { head: 'By', shown: 'wide', cell: ({ updatedBy }) => <Line text={updatedBy} /> },
      ]}
    />
  );
}

function DeployedVersion({ deployed, newest }: Pick<NeuronValue, 'deployed' | 'newest'>) {
  if (deployed === null) return <Badge tone="warn">not deployed</Badge>;
  return (
    <>
      <Badge tone="good">{deployed}</Badge>{' '}
      {newest !== deployed && <span class="local">newest is {newest}</span>}
    </>
  );
}

/** The document of the organization. Neurons have pages of their own. */
function Settings({ organization }: { readonly organization: string }) {
  const settings = useCommand<string>('settings', { target: organization });
  return (
    <Card title="Settings of the organization" wide>
      <QueryResult query={settings}>
        {({ values }) => (
          <Yaml text={values.join('').split(/^---$/m)[0] ?? ''} label="Settings of the organization" />
        )}
      </QueryResult>
    </Card>
  );
}

function PauseButton({ organization }: { readonly organization: string }) {
  const [retryAfter, setRetryAfter] = useState('1h');
  const organizations = useCommand<OrganizationValue>('organizations');
  const isPaused = organizations.data?.values.find((one) => one.organization === organization)?.paused;
  if (isPaused === undefined) return null;
  return isPaused ? (
    <ChangeButton
      label="Resume"
      primary
      title={`Resume ${organization}`}
      operation="resume"
      parameters={{ organization }}
      onDone={organizations.reload}
    >
      <p>Calls are answered again.</p>
    </ChangeButton>
  ) : (
    <ChangeButton
      label="Pause"
      danger
      title={`Pause ${organization}`}
      operation="pause"
      parameters={{ organization, 'retry-after': retryAfter }}
      onDone={organizations.reload}
    >
      <p>Every call of {organization} is answered 429 until you resume it.</p>
      <TextField
        label="Retry-After of the answers"
        value={retryAfter}
        onChange={setRetryAfter}
        hint="Such as 10m or 1h"
      />
    </ChangeButton>
  );
}

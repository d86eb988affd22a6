// Lists the neurons of an organization, shows its settings, and pauses it.
import { useRoute } from 'preact-iso';
import { pathToNeuron } from '../data/paths.ts';
import { useCommand } from '../data/use-query.ts';
import type { NeuronValue, OrganizationValue } from '../data/values.ts';
import { Badge, Card, PageHead } from '../parts/layout.tsx';
import { ResultCard } from '../parts/result-card.tsx';
import { Empty, QueryResult } from '../parts/state.tsx';
import { Table } from '../parts/table.tsx';
import { Line } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { Yaml } from '../parts/yaml.tsx';
import { PauseButton } from './pause.tsx';

export function Neurons() {
  const { organization = '' } = useRoute().params;
  const neurons = useCommand<NeuronValue>('neurons', { organization });
  return (
    <>
      <PageHead
        title="Neurons"
        detail={`Of ${organization}. A settings file creates and changes them: neuron apply.`}
      >
        <PauseOrganization organization={organization} />
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
          cell: ({ deployed, newest, paused }) => (
            <>
              <DeployedVersion deployed={deployed} newest={newest} />
              {paused && <Badge tone="warn">paused</Badge>}
            </>
          ),
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

function PauseOrganization({ organization }: { readonly organization: string }) {
  const organizations = useCommand<OrganizationValue>('organizations');
  const isPaused = organizations.data?.values.find((one) => one.organization === organization)?.paused;
  if (isPaused === undefined) return null;
  return (
    <PauseButton
      subject={organization}
      isPaused={isPaused}
      pause="pause"
      resume="resume"
      parameters={{ organization }}
      onDone={organizations.reload}
    />
  );
}

// The neurons of an organization, and whether it is paused.

import { useRoute } from 'preact-iso';
import { pathToNeuron } from '../data/paths.ts';
import { useCommand } from '../data/use-query.ts';
import type { NeuronValue } from '../data/values.ts';
import { Found } from '../parts/found.tsx';
import { Badge, Card, PageHead } from '../parts/layout.tsx';
import { Empty, Loaded } from '../parts/state.tsx';
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
        <PauseButton organization={organization} />
      </PageHead>
      <Found<NeuronValue>
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
      </Found>
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
          cell: ({ deployed, newest }) => <Deployed deployed={deployed} newest={newest} />,
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

function Deployed({ deployed, newest }: Pick<NeuronValue, 'deployed' | 'newest'>) {
  if (deployed === null) return <Badge tone="warn">not deployed</Badge>;
  return (
    <>
      <Badge tone="good">{deployed}</Badge>{' '}
      {newest !== deployed && <span class="local">newest is {newest}</span>}
    </>
  );
}

/** The organization's own document; those of neurons have pages of their own. */
function Settings({ organization }: { readonly organization: string }) {
  const settings = useCommand<string>('settings', { target: organization });
  return (
    <Card title="Settings of the organization" wide>
      <Loaded query={settings}>
        {({ values }) => (
          <Yaml text={values.join('').split(/^---$/m)[0] ?? ''} label="Settings of the organization" />
        )}
      </Loaded>
    </Card>
  );
}

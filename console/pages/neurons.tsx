// Lists the neurons of an organization, shows its settings, and pauses it.
import { useRoute } from 'preact-iso';
import { formatCompact, formatCost, formatNumber } from '../data/format.ts';
import { pathTo, pathToNeuron } from '../data/paths.ts';
import { useCommand } from '../data/use-query.ts';
import type { NeuronValue, OrganizationValue, UsageReportValue, UsageValue } from '../data/values.ts';
import { Badge, Card, PageHead } from '../parts/layout.tsx';
import { ResultCard } from '../parts/result-card.tsx';
import { NoNeurons, QueryResult } from '../parts/state.tsx';
import { Table, type TableColumn } from '../parts/table.tsx';
import { Line } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { Yaml } from '../parts/yaml.tsx';
import { PauseButton } from './pause.tsx';

export function Neurons() {
  const { organization = '' } = useRoute().params;
  const neurons = useCommand<NeuronValue>('neurons', { organization });
  const usage = useCommand<UsageReportValue>('usage', { organization });
  const used = new Map(usage.data?.values[0]?.neurons.map((one) => [one.neuron, one]));
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
        aside={<span class="detail">Requests and cost are of this month.</span>}
        none={<NoNeurons />}
      >
        {(values) => (
          <Table<NeuronValue>
            label="Neurons"
            rows={values}
            keyOf={({ neuron }) => neuron}
            columns={toColumns(organization, used)}
          />
        )}
      </ResultCard>
      <Settings organization={organization} />
    </>
  );
}

/** `used`: by slug. The month is empty until it is read, and where the rights do not reach. */
function toColumns(
  organization: string,
  used: ReadonlyMap<string, UsageValue>,
): readonly TableColumn<NeuronValue>[] {
  return [
    {
      head: 'Neuron',
      cell: ({ neuron, name }) => <NeuronLink organization={organization} neuron={neuron} name={name} />,
    },
    {
      head: 'Deployed',
      cell: ({ deployed, newest, paused }) => (
        <>
          <DeployedVersion deployed={deployed} newest={newest} />
          {paused && <Badge tone="warn">paused</Badge>}
        </>
      ),
    },
    { head: 'Access', shown: 'medium', cell: ({ access }) => <AccessWays access={access} /> },
    {
      head: 'Rate limits',
      shown: 'wide',
      align: 'right',
      cell: ({ rateLimits }) =>
        rateLimits === 0 ? '–' : <a href={pathTo(organization, 'limits')}>{formatNumber(rateLimits)}</a>,
    },
    {
      head: 'Requests',
      align: 'right',
      cell: ({ neuron }) => formatCompact(used.get(slugOf(neuron))?.requests ?? 0),
    },
    {
      head: 'Cost',
      align: 'right',
      shown: 'medium',
      cell: ({ neuron }) => formatCost(used.get(slugOf(neuron))?.costMicrodollars ?? 0),
    },
    {
      head: 'Changed (UTC)',
      shown: 'wide',
      cell: ({ updatedAt, updatedBy }) => (
        <>
          <Time timeMs={Date.parse(updatedAt)} brief />
          <div class="local">
            <Line text={updatedBy} />
          </div>
        </>
      ),
    },
  ];
}

function NeuronLink({
  organization,
  neuron,
  name,
}: Pick<NeuronValue, 'neuron' | 'name'> & { readonly organization: string }) {
  const slug = slugOf(neuron);
  return (
    <>
      <a class="strong" href={pathToNeuron(organization, slug)}>
        {slug}
      </a>
      {name.toLowerCase() !== slug && (
        <div class="local">
          <Line text={name} />
        </div>
      )}
    </>
  );
}

function slugOf(neuron: string): string {
  return neuron.split('/')[1] ?? '';
}

const ACCESS_NAMES: Readonly<Record<string, string>> = { apiKey: 'API key', jwt: 'JWT', ips: 'addresses' };

function AccessWays({ access }: Pick<NeuronValue, 'access'>) {
  if (access.length === 0) return <Badge tone="warn">closed</Badge>;
  if (access.includes('public')) return <Badge tone="accent">public</Badge>;
  return <>{access.map((name) => ACCESS_NAMES[name] ?? name).join(', ')}</>;
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
        {({ values }) => <Yaml text={values.join('').split(/^---$/m)[0] ?? ''} label="Settings as YAML" />}
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
      noun="organization"
      subject={organization}
      isPaused={isPaused}
      pause="pause"
      resume="resume"
      parameters={{ organization }}
      onDone={organizations.reload}
    />
  );
}

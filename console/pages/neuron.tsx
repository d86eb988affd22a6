// Shows a neuron: its settings, its versions, and the difference of two of them.
import { useLocation, useRoute } from 'preact-iso';
import { pathTo, pathToNeuron } from '../data/paths.ts';
import { useCommand } from '../data/use-query.ts';
import type { NeuronValue, VersionValue } from '../data/values.ts';
import { ChangeButton } from '../parts/change.tsx';
import { Badge, Card, Choice, CommandLine, PageHead } from '../parts/layout.tsx';
import { Empty, Notes, QueryResult } from '../parts/state.tsx';
import { Yaml } from '../parts/yaml.tsx';
import { PauseButton } from './pause.tsx';
import { VersionComparison } from './version-comparison.tsx';
import { VersionTable } from './version-table.tsx';

const PARTS = [
  ['versions', 'Versions'],
  ['compare', 'Compare'],
  ['settings', 'Settings'],
] as const;
type Part = (typeof PARTS)[number][0];

export function Neuron() {
  const { organization = '', neuron: slug = '' } = useRoute().params;
  const { query, route } = useLocation();
  const part = PARTS.find(([name]) => name === query['part'])?.[0] ?? 'versions';
  const neuron = `${organization}/${slug}`;
  const versions = useCommand<VersionValue>('versions', { neuron });
  const deployed = versions.data?.values.find((one) => one.deployed)?.version;
  return (
    <>
      <PageHead title={slug} detail={<Facts organization={organization} slug={slug} deployed={deployed} />}>
        <PauseNeuron organization={organization} neuron={neuron} />
        <Actions neuron={neuron} isDeployed={deployed !== undefined} onDone={versions.reload} />
      </PageHead>
      <Choice<Part>
        label="Part of the page"
        values={PARTS}
        value={part}
        onChange={(next) => route(`${pathToNeuron(organization, slug)}?part=${next}`)}
      />
      {part === 'settings' ? (
        <Settings target={neuron} />
      ) : (
        <QueryResult query={versions}>
          {(result) =>
            result.values.length === 0 ? (
              <Empty title="There are no versions yet.">
                <p>A flow in the settings file makes one: neuron apply.</p>
              </Empty>
            ) : part === 'versions' ? (
              <>
                <VersionTable neuron={neuron} versions={result.values} onChange={versions.reload} />
                <CommandLine command={result.command} />
              </>
            ) : (
              <VersionComparison neuron={neuron} versions={result.values} />
            )
          }
        </QueryResult>
      )}
    </>
  );
}

function PauseNeuron({ organization, neuron }: { readonly organization: string; readonly neuron: string }) {
  const neurons = useCommand<NeuronValue>('neurons', { organization });
  const isPaused = neurons.data?.values.find((one) => one.neuron === neuron)?.paused;
  if (isPaused === undefined) return null;
  return (
    <>
      {isPaused && <Badge tone="warn">paused</Badge>}
      <PauseButton
        subject={neuron}
        isPaused={isPaused}
        pause="pauseNeuron"
        resume="resumeNeuron"
        parameters={{ neuron }}
        onDone={neurons.reload}
      />
    </>
  );
}

function Actions({
  neuron,
  isDeployed,
  onDone,
}: {
  readonly neuron: string;
  readonly isDeployed: boolean;
  readonly onDone: () => void;
}) {
  return (
    <>
      <ChangeButton
        label="Clear the cache"
        title={`Clear the response cache of ${neuron}`}
        operation="clearCache"
        parameters={{ neuron }}
        onDone={onDone}
      >
        <p>Cached answers are no longer served. The next calls run the flow and are charged.</p>
      </ChangeButton>
      {isDeployed && (
        <ChangeButton
          label="Undeploy"
          danger
          title={`Undeploy ${neuron}`}
          operation="undeploy"
          parameters={{ neuron }}
          onDone={onDone}
        >
          <p>Calls are then answered 404. Settings and versions stay.</p>
        </ChangeButton>
      )}
    </>
  );
}

function Facts({
  organization,
  slug,
  deployed,
}: {
  readonly organization: string;
  readonly slug: string;
  readonly deployed: string | undefined;
}) {
  return (
    <>
      {deployed === undefined ? (
        <Badge tone="warn">not deployed</Badge>
      ) : (
        <Badge tone="good">{deployed} deployed</Badge>
      )}{' '}
      <a href={pathTo(organization, 'logs', { neuron: slug })}>Logs</a> ·{' '}
      <a href={pathTo(organization, 'playground', { neuron: slug })}>Playground</a> ·{' '}
      <a href={pathTo(organization, 'playground', { neuron: slug, part: 'draft' })}>Draft</a> ·{' '}
      <a href={pathTo(organization, 'access', { neuron: slug })}>Access</a>
    </>
  );
}

function Settings({ target }: { readonly target: string }) {
  const settings = useCommand<string>('settings', { target });
  return (
    <Card title="Settings" wide>
      <QueryResult query={settings}>
        {(result) => (
          <>
            <Notes messages={result.messages} />
            <Yaml text={result.values.join('')} label="Settings as YAML" />
            <CommandLine command={result.command} />
          </>
        )}
      </QueryResult>
    </Card>
  );
}

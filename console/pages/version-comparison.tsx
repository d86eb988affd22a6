// Compares two versions side by side.

import { diffLines } from 'diff';
import { useLocation } from 'preact-iso';
import type { CommandResult } from '../../cli/console/api.ts';
import { read } from '../data/api.ts';
import { useQuery } from '../data/use-query.ts';
import type { VersionValue } from '../data/values.ts';
import { Difference } from '../parts/difference.tsx';
import { SelectField } from '../parts/field.tsx';
import { Card } from '../parts/layout.tsx';
import { Empty, QueryResult } from '../parts/state.tsx';

/** `?from=v1&to=v3`. By default the deployed version and the newest, or the two newest. */
export function VersionComparison({
  neuron,
  versions,
}: {
  readonly neuron: string;
  readonly versions: readonly VersionValue[];
}) {
  const { query, path, route } = useLocation();
  const [newest, second] = versions;
  const deployed = versions.find((one) => one.deployed);
  const to = query['to'] ?? newest?.version ?? '';
  const from = query['from'] ?? (deployed === newest ? second : deployed)?.version ?? to;
  const texts = useQuery<readonly [string, string]>(`texts ${neuron} ${from} ${to}`, (signal) =>
    Promise.all([readFlow(neuron, from, signal), readFlow(neuron, to, signal)]),
  );
  const choose = (change: { from?: string; to?: string }) =>
    route(`${path}?${new URLSearchParams({ part: 'compare', from, to, ...change })}`);
  const options = versions.map(({ version, deployed: isDeployed }) => [
    version,
    isDeployed ? `${version} (deployed)` : version,
  ]) as readonly (readonly [string, string])[];
  if (versions.length < 2)
    return <Empty title="There is only one version, so there is nothing to compare." />;
  return (
    <Card title="Compare" wide>
      <div class="pair">
        <SelectField
          label="Before"
          value={from}
          onChange={(version) => choose({ from: version })}
          options={options}
        />
        <SelectField
          label="After"
          value={to}
          onChange={(version) => choose({ to: version })}
          options={options}
        />
      </div>
      <QueryResult query={texts}>
        {([before, after]) => <Difference changes={diffLines(before, after)} before={from} after={to} />}
      </QueryResult>
    </Card>
  );
}

async function readFlow(neuron: string, version: string, signal: AbortSignal): Promise<string> {
  const { values } = await read<string>('version', { neuron, version }, signal);
  return (values satisfies CommandResult<string>['values']).join('');
}

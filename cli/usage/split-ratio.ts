// Whether the branches of a split were drawn in the shares that its version gives them: where they were not, they cannot be compared.
import { splitsOf } from '../../core/admin/validate/splits.ts';
import { isSticky } from '../../core/flow/sticky-branch.ts';
import { parseFlow } from '../../core/settings/flow-schema.ts';
import { sampleRatio } from '../../core/statistics/sample-ratio.ts';
import type { BranchUsage, UsageReport } from '../json/usage.ts';
import type { Ports } from '../session/ports.ts';

/** A sentence for each version with one split that draws for each request. A split by `stickyBy` has many runs of one caller, and several splits draw together. */
export async function findSkewedSplits(
  { organization, neurons, branches }: Pick<UsageReport, 'organization' | 'neurons' | 'branches'>,
  store: Pick<Ports['store'], 'readVersion'>,
): Promise<readonly string[]> {
  const ids = new Map(neurons.map(({ neuron, neuronId }) => [neuron, neuronId]));
  const groups = Map.groupBy(branches, ({ neuron, version }) => JSON.stringify([neuron, version]));
  const found: string[] = [];
  for (const rows of groups.values()) {
    const { neuron = '', version = '' } = rows[0] ?? {};
    const stored = await store.readVersion(organization, ids.get(neuron) ?? '', version);
    const [placed, ...others] = splitsOf((stored && parseFlow(stored.flow)) ?? []);
    if (placed === undefined || others.length > 0 || isSticky(placed.split)) continue;
    const message = describeSkew(`${organization}/${neuron} ${version}`, rows, placed.split.percentageA);
    if (message !== undefined) found.push(message);
  }
  return found;
}

function describeSkew(
  version: string,
  rows: readonly BranchUsage[],
  percentageA: number,
): string | undefined {
  const countOf = (branch: string) => rows.find((row) => row.branch === branch)?.requests ?? 0;
  const counts = [countOf('a'), countOf('b')] as const;
  if (percentageA <= 0 || percentageA >= 100) return undefined;
  if (sampleRatio(counts, [percentageA, 100 - percentageA])?.isMismatch !== true) return undefined;
  const all = counts[0] + counts[1];
  return `${version}: ${counts[0]} of ${all} runs took branch a, whose share is ${percentageA} %: by chance so far off in fewer than 1 of 1,000 periods. Do not compare the branches before you know why: runs that end before they are counted, or a caller that repeats some.`;
}

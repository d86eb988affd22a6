// Runs by version and by branch, with percentiles: answers of the cache are apart, since they say nothing about a version.
import type { UsageRow } from '../../core/ports/usage.ts';
import { type Histogram, LATENCY_SCALE, percentileOf } from '../../core/statistics/histogram.ts';
import { sum } from '../../core/text/numbers.ts';
import type { BranchUsage, RequestUsage, RunUsage, VersionUsage } from '../json/usage.ts';
import type { Column } from '../output/table.ts';

/** As the report adds rows up. */
type ToRequestUsage = (rows: readonly UsageRow[]) => RequestUsage;

/** By neuron and version. */
export function versionsOf(rows: readonly UsageRow[], toUsage: ToRequestUsage): readonly VersionUsage[] {
  const groups = Map.groupBy(rows, ({ subject, neuronId }) =>
    subject.kind === 'version' ? JSON.stringify([neuronId, subject.version]) : undefined,
  );
  return [...groups.values()]
    .flatMap((some): VersionUsage[] => {
      const { neuron = '', subject } = some.at(-1) ?? {};
      if (subject?.kind !== 'version') return [];
      const hits = sum(some.map(({ amounts }) => amounts.hits));
      return [{ neuron, version: subject.version, hits, ...toRunUsage(some, toUsage) }];
    })
    .sort(compare);
}

/** By neuron, version and the branches that `randomizedSplit` drew. */
export function branchesOf(rows: readonly UsageRow[], toUsage: ToRequestUsage): readonly BranchUsage[] {
  const groups = Map.groupBy(rows, ({ subject, neuronId }) =>
    subject.kind === 'branch' ? JSON.stringify([neuronId, subject.version, subject.branch]) : undefined,
  );
  return [...groups.values()]
    .flatMap((some): BranchUsage[] => {
      const { neuron = '', subject } = some.at(-1) ?? {};
      if (subject?.kind !== 'branch') return [];
      const { version, branch } = subject;
      return [{ neuron, version, branch, ...toRunUsage(some, toUsage) }];
    })
    .sort(compare);
}

export function toRunUsage(rows: readonly UsageRow[], toUsage: ToRequestUsage): RunUsage {
  const latencies = histogramOf(rows, 'latency');
  const at = (share: number) => {
    const value = percentileOf(LATENCY_SCALE, latencies, share)?.value;
    return value === undefined ? null : Math.round(value);
  };
  return { ...toUsage(rows), latencyP50Ms: at(0.5), latencyP95Ms: at(0.95) };
}

export function histogramOf(rows: readonly UsageRow[], kind: 'latency' | 'cost'): Histogram {
  const histogram = new Map<number, number>();
  for (const [name, count] of rows.flatMap(({ buckets = {} }) => Object.entries(buckets))) {
    const [of, bucket] = name.split('#');
    if (of === kind) histogram.set(Number(bucket), (histogram.get(Number(bucket)) ?? 0) + count);
  }
  return histogram;
}

function compare(
  a: { readonly neuron: string; readonly version: string; readonly branch?: string },
  b: typeof a,
): number {
  if (a.neuron !== b.neuron) return a.neuron < b.neuron ? -1 : 1;
  const number = ({ version }: typeof a) => Number(version.slice(1));
  return number(a) - number(b) || ((a.branch ?? '') < (b.branch ?? '') ? -1 : 1);
}

export const LATENCY_COLUMNS: readonly Column<RunUsage>[] = [
  { head: 'P50 MS', cell: ({ latencyP50Ms }) => latencyP50Ms ?? undefined, align: 'right', drop: 1 },
  { head: 'P95 MS', cell: ({ latencyP95Ms }) => latencyP95Ms ?? undefined, align: 'right', drop: 3 },
];

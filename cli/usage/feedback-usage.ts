// The feedback of a period by metric and version, each with its 95 % interval.
import type { UsageRow } from '../../core/ports/usage.ts';
import { meanInterval, rateInterval } from '../../core/statistics/intervals.ts';
import { sum } from '../../core/text/numbers.ts';
import type { FeedbackUsage } from '../json/usage.ts';
import type { Column } from '../output/table.ts';

/** By neuron, metric and version, in that order. */
export function feedbackOf(rows: readonly UsageRow[]): readonly FeedbackUsage[] {
  const groups = Map.groupBy(rows, ({ subject, neuronId }) =>
    subject.kind === 'feedback' ? JSON.stringify([neuronId, subject.metric, subject.version]) : undefined,
  );
  return [...groups]
    .flatMap(([, some]) => {
      const { neuron = '', subject } = some.at(-1) ?? {};
      return subject?.kind === 'feedback' ? [toUsage(neuron, subject, some)] : [];
    })
    .sort((a, b) => compare(a, b));
}

function toUsage(
  neuron: string,
  { metric, version }: { readonly metric: string; readonly version: string },
  rows: readonly UsageRow[],
): FeedbackUsage {
  const count = sum(rows.map(({ amounts }) => amounts.ratings));
  const total = sum(rows.map(({ amounts }) => amounts.ratingSum)) / 1e3;
  const squares = sum(rows.map(({ amounts }) => amounts.ratingSquares)) / 1e6;
  // Values of 0 and 1 alone, as those of a boolean are, are their own squares.
  const interval = squares === total ? rateInterval(total, count) : meanInterval(count, total, squares);
  const { low, high } = interval ?? {};
  return {
    neuron,
    metric,
    version,
    ratings: count,
    mean: total / count,
    low: low ?? null,
    high: high ?? null,
  };
}

function compare(a: FeedbackUsage, b: FeedbackUsage): number {
  const number = ({ version }: FeedbackUsage) => Number(version.slice(1));
  const [one, other] = [a, b].map(({ neuron, metric }) => `${neuron} ${metric}`);
  if (one !== other) return (one ?? '') < (other ?? '') ? -1 : 1;
  return number(a) - number(b);
}

export const FEEDBACK_COLUMNS: readonly Column<FeedbackUsage>[] = [
  { head: 'NEURON', cell: ({ neuron }) => neuron, flexible: true },
  { head: 'METRIC', cell: ({ metric }) => metric },
  { head: 'VERSION', cell: ({ version }) => version },
  { head: 'VALUES', cell: ({ ratings }) => ratings, align: 'right' },
  { head: 'MEAN', cell: ({ mean }) => mean.toFixed(3), align: 'right' },
  { head: '95 %', cell: renderInterval, align: 'right' },
];

function renderInterval({ low, high }: FeedbackUsage): string {
  return low === null || high === null ? 'unknown' : `${low.toFixed(3)} to ${high.toFixed(3)}`;
}

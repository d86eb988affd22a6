// Compares two versions by their runs: each figure with its 95 % interval, and whether the two can be told apart.
import type { UsageRow } from '../../core/ports/usage.ts';
import {
  COST_SCALE,
  LATENCY_SCALE,
  meanIntervalOf,
  type Percentile,
  percentileOf,
} from '../../core/statistics/histogram.ts';
import { differenceInterval, type Interval, rateInterval } from '../../core/statistics/intervals.ts';
import { sum } from '../../core/text/numbers.ts';
import type { ComparedFigure, ComparedVersion, FigureOfVersion, VersionComparison } from '../json/usage.ts';
import { feedbackOf } from './feedback-usage.ts';
import { histogramOf } from './run-usage.ts';

/** One version's rows of a period. */
interface Side {
  readonly counts: ComparedVersion;
  readonly figures: ReadonlyMap<string, FigureOfVersion>;
}

const UNITS = [
  ['failed', 'share'],
  ['latency p50', 'ms'],
  ['latency p95', 'ms'],
  ['cost a run', 'dollars'],
] as const;

/** `isShadow`: of the second version only runs that repeat others, which nobody judged. */
export function compareVersions(
  rows: readonly UsageRow[],
  [a, b]: readonly [string, string],
  isShadow = false,
): VersionComparison {
  const one = toSide(rows, a);
  const other = toSide(rows, b, isShadow ? 'shadow' : 'version');
  const metrics = [...new Set([...one.figures.keys(), ...other.figures.keys()])].filter((name) =>
    name.startsWith(FEEDBACK),
  );
  const named = [...UNITS, ...metrics.map((name) => [name, 'mean'] as const)];
  return {
    versions: [one.counts, other.counts],
    figures: named.map(([figure, unit]) => ({
      figure,
      unit,
      ...compareFigures(one.figures.get(figure) ?? null, other.figures.get(figure) ?? null),
    })),
  };
}

const FEEDBACK = 'feedback ';

function toSide(rows: readonly UsageRow[], version: string, kind: 'version' | 'shadow' = 'version'): Side {
  const counted = rows.filter(({ subject }) => subject.kind === kind && subject.version === version);
  const total = (name: 'success' | 'stopped' | 'failed' | 'hits' | 'costMicrodollars') =>
    sum(counted.map(({ amounts }) => amounts[name]));
  const outcomes = { success: total('success'), stopped: total('stopped'), failed: total('failed') };
  const runs = sum(Object.values(outcomes));
  const latencies = histogramOf(counted, 'latency');
  const feedback = kind === 'shadow' ? [] : feedbackOf(rows).filter((one) => one.version === version);
  const named: readonly (readonly [string, FigureOfVersion | undefined])[] = [
    ['failed', toFigure(outcomes.failed / runs, rateInterval(outcomes.failed, runs))],
    ['latency p50', toPercentile(percentileOf(LATENCY_SCALE, latencies, 0.5))],
    ['latency p95', toPercentile(percentileOf(LATENCY_SCALE, latencies, 0.95))],
    ['cost a run', toCost(counted, total('costMicrodollars'))],
    ...feedback.map(
      ({ metric, mean, low, high, ratings }) =>
        [`${FEEDBACK}${metric}`, { value: mean, low, high, count: ratings }] as const,
    ),
  ];
  const figures = named.flatMap(([name, figure]) => (figure === undefined ? [] : [[name, figure] as const]));
  return {
    counts: { version, runs, ...outcomes, hits: total('hits') },
    figures: new Map(figures),
  };

  function toFigure(value: number, interval: Interval | undefined): FigureOfVersion | undefined {
    return interval && { value, ...interval, count: runs };
  }

  function toPercentile(percentile: Percentile | undefined): FigureOfVersion | undefined {
    return percentile && { ...percentile, count: runs };
  }
}

/** The mean of runs of known cost, in dollars. A run of unknown cost adds what is known of it, so that a version with one has no figure. */
function toCost(rows: readonly UsageRow[], microdollars: number): FigureOfVersion | undefined {
  const costs = histogramOf(rows, 'cost');
  const count = sum([...costs.values()]);
  if (count === 0 || rows.some(({ amounts }) => amounts.unknownCosts > 0)) return undefined;
  const mean = microdollars / count;
  const interval = meanIntervalOf(COST_SCALE, costs, mean);
  return {
    value: mean / 1e6,
    low: interval === undefined ? null : interval.low / 1e6,
    high: interval === undefined ? null : interval.high / 1e6,
    count,
  };
}

/** Undistinguished where the interval of the difference holds zero, and unknown where one side has no interval. */
function compareFigures(
  a: FigureOfVersion | null,
  b: FigureOfVersion | null,
): Omit<ComparedFigure, 'figure' | 'unit'> {
  const one = toEstimate(a);
  const other = toEstimate(b);
  if (one === undefined || other === undefined) return { a, b, differs: null };
  const { low, high } = differenceInterval(one, other);
  return { a, b, differs: low > 0 || high < 0 };
}

function toEstimate(figure: FigureOfVersion | null) {
  if (figure === null) return undefined;
  const { value, low, high } = figure;
  return low === null || high === null ? undefined : { value, low, high };
}

// The calls of a time range: figures, charts and groups.
import { useMemo } from 'preact/hooks';
import type { Series, SeriesPoint } from '../../cli/console/api.ts';
import { formatCompact, formatCost, formatMs, formatNumber, formatShare } from '../data/format.ts';
import { pathTo } from '../data/paths.ts';
import { Chart, type ChartSeries } from '../parts/chart.tsx';
import { Card, CommandLine, Figure } from '../parts/layout.tsx';
import { Empty } from '../parts/state.tsx';
import { Time } from '../parts/time.tsx';
import { Breakdown } from './breakdown.tsx';

export function Recent({ series, organization }: { readonly series: Series; readonly organization: string }) {
  const { totals } = series;
  if (series.entries === 0)
    return (
      <Empty title="No calls in this time.">
        <p>
          Choose a longer range, or make a call in the{' '}
          <a href={pathTo(organization, 'playground')}>playground</a>.
        </p>
      </Empty>
    );
  const from = new Date(series.fromMs).toISOString();
  const toLogs = (filter: Record<string, string>) => pathTo(organization, 'logs', { from, ...filter });
  return (
    <>
      <div class="figures">
        <Figure label="Requests" value={formatCompact(totals.requests)} />
        <Figure
          label="Failures"
          value={formatCompact(totals.failed)}
          {...(totals.failed > 0 ? { tone: 'bad' as const } : {})}
          detail={
            <a href={toLogs({ outcome: 'failed' })}>
              {formatShare(totals.failed, totals.requests)} of requests
            </a>
          }
        />
        <Figure
          label="Refusals"
          value={formatCompact(totals.refused)}
          detail={
            <a href={toLogs({ outcome: 'refused' })}>
              {formatShare(totals.refused, totals.requests)} of requests
            </a>
          }
        />
        <Figure label="Tokens" value={formatCompact(totals.tokens)} />
        <Figure
          label="Cost"
          value={formatCost(totals.costMicrodollars)}
          detail={series.unknownCosts > 0 && `and ${formatNumber(series.unknownCosts)} calls of unknown cost`}
        />
        <Figure
          label="Latency p50 / p99"
          value={formatMs(totals.p50Ms)}
          detail={`${formatMs(totals.p99Ms)} at p99`}
        />
      </div>
      <MissingCalls series={series} />
      <Charts series={series} />
      <Breakdown series={series} toLogs={toLogs} />
      {series.command !== '' && <CommandLine command={series.command} />}
    </>
  );
}

function MissingCalls({ series: { cutBeforeMs, isComplete, entries } }: { readonly series: Series }) {
  if (cutBeforeMs === null) return null;
  if (!isComplete)
    return (
      <p class="detail" role="status">
        Reading older calls: {formatNumber(entries)} so far, back to <Time timeMs={cutBeforeMs} brief />
      </p>
    );
  return (
    <p class="notice">
      Only the newest {formatNumber(entries)} entries are counted here. Calls before{' '}
      <Time timeMs={cutBeforeMs} /> are missing: choose a shorter range.
    </p>
  );
}

const CHARTS: readonly {
  readonly title: string;
  readonly format: (value: number) => string;
  readonly series: readonly (Pick<ChartSeries, 'label' | 'colour' | 'kind'> & {
    readonly value: (point: SeriesPoint) => number | null;
  })[];
}[] = [
  {
    title: 'Requests',
    format: formatCompact,
    series: [
      {
        label: 'Success',
        colour: 'accent',
        kind: 'bars',
        value: ({ success, stopped }) => success + stopped,
      },
      { label: 'Refused', colour: 'warn', kind: 'bars', value: ({ refused: rejected }) => rejected },
      { label: 'Failed', colour: 'bad', kind: 'bars', value: ({ failed }) => failed },
    ],
  },
  {
    title: 'Latency',
    format: formatMs,
    series: [
      { label: 'p99', colour: 'warn', kind: 'line', value: ({ p99Ms }) => p99Ms },
      { label: 'p50', colour: 'accent', kind: 'line', value: ({ p50Ms }) => p50Ms },
    ],
  },
  {
    title: 'Tokens',
    format: formatCompact,
    series: [
      { label: 'In', colour: 'accent', kind: 'bars', value: ({ tokensInput }) => tokensInput },
      { label: 'Out', colour: 'good', kind: 'bars', value: ({ tokensOutput }) => tokensOutput },
    ],
  },
  {
    title: 'Cost',
    format: formatCost,
    series: [
      { label: 'Cost', colour: 'accent', kind: 'bars', value: ({ costMicrodollars }) => costMicrodollars },
    ],
  },
];

function Charts({ series: { points } }: { readonly series: Series }) {
  const timesMs = useMemo(() => points.map(({ timeMs }) => timeMs), [points]);
  const drawn = useMemo(
    () =>
      CHARTS.map((chart) => ({
        ...chart,
        series: chart.series.map(({ value, ...rest }) => ({ ...rest, values: points.map(value) })),
      })),
    [points],
  );
  return (
    <div class="charts">
      {drawn.map(({ title, format, series }) => (
        <Card key={title} title={title}>
          <Chart title={`${title} over time`} timesMs={timesMs} series={series} format={format} />
        </Card>
      ))}
    </div>
  );
}

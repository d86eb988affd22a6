// The charts of the overview.
import { useMemo } from 'preact/hooks';
import type { Series, SeriesPoint } from '../../cli/console/api.ts';
import { formatCompact, formatCost, formatMs } from '../data/format.ts';
import { Chart, type ChartSeries } from '../parts/chart.tsx';
import { Card } from '../parts/layout.tsx';

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

export function Charts({ series: { points } }: { readonly series: Series }) {
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

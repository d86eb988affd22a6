// A chart over time: uPlot in a component, with a legend, and a table for screen readers.
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { formatLocal, formatUtc } from '../data/format.ts';
import { onThemeChange } from '../data/theme.ts';

/** Names of colours in the style sheet. */
export type ChartColour = 'accent' | 'good' | 'bad' | 'warn' | 'plain';

export interface ChartSeries {
  readonly label: string;
  readonly colour: ChartColour;
  readonly values: readonly (number | null)[];
  readonly kind: 'line' | 'bars';
}

interface ChartProps {
  readonly title: string;
  /** Milliseconds since the Unix epoch. */
  readonly timesMs: readonly number[];
  /** Bars are stacked, the first at the bottom. */
  readonly series: readonly ChartSeries[];
  readonly format: (value: number) => string;
}

const HEIGHT_PX = 170;

export function Chart({ title, timesMs, series, format }: ChartProps) {
  const holder = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<number | null>(null);
  const [theme, setTheme] = useState(0);
  useEffect(() => onThemeChange(() => setTheme((round) => round + 1)), []);
  useEffect(() => {
    const element = holder.current;
    if (element === null) return;
    const plot = new uPlot(toOptions(element, series, format, setAt), toData(timesMs, series), element);
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: HEIGHT_PX }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [timesMs, series, format, theme]);
  const timeMs = at === null ? undefined : timesMs[at];
  return (
    <figure class="chart">
      <figcaption>
        <ul class="legend">
          {series.map(({ label, colour, values }) => (
            <li key={label}>
              <i class={`swatch ${colour}`} />
              {label} <b>{at === null ? '' : formatValue(values[at], format)}</b>
            </li>
          ))}
        </ul>
        <span class="moment">
          {timeMs === undefined ? '' : `${formatUtc(timeMs)} UTC ${formatLocal(timeMs, 'short') ?? ''}`}
        </span>
      </figcaption>
      <div ref={holder} class="plot" aria-hidden="true" />
      <div class="hidden">
        <ChartTable title={title} timesMs={timesMs} series={series} format={format} />
      </div>
    </figure>
  );
}

/** Only intervals with values. */
function ChartTable({ title, timesMs, series, format }: ChartProps) {
  const rows = timesMs
    .map((timeMs, index) => ({ timeMs, values: series.map(({ values }) => values[index]) }))
    .filter(({ values }) => values.some((value) => value));
  return (
    <table>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">Time (UTC)</th>
          {series.map(({ label }) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ timeMs, values }) => (
          <tr key={timeMs}>
            <th scope="row">{formatUtc(timeMs)}</th>
            {values.map((value, index) => (
              <td key={series[index]?.label}>{formatValue(value, format)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function formatValue(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '–' : format(value);
}

/** Bars are drawn from the highest sum to the lowest, so that each covers a part of the one before. */
function toData(timesMs: readonly number[], series: readonly ChartSeries[]): uPlot.AlignedData {
  const sums = timesMs.map(() => 0);
  const drawn = series.map(({ kind, values }) =>
    kind === 'line'
      ? [...values]
      : values.map((value, index) => {
          sums[index] = (sums[index] ?? 0) + (value ?? 0);
          return sums[index] ?? 0;
        }),
  );
  return [timesMs.map((timeMs) => timeMs / 1_000), ...drawn.toReversed()];
}

function toOptions(
  element: HTMLElement,
  series: readonly ChartSeries[],
  format: (value: number) => string,
  onMove: (index: number | null) => void,
): uPlot.Options {
  const style = getComputedStyle(element);
  const colourOf = (name: string) => style.getPropertyValue(`--chart-${name}`);
  const hasValues = series.some(({ values }) => values.some((value) => value));
  const axis = {
    stroke: colourOf('text'),
    grid: { stroke: colourOf('grid'), width: 1 },
    ticks: { show: false },
    font: `11px ${style.fontFamily}`,
  };
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    padding: [8, 16, 0, 0],
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
    legend: { show: false },
    cursor: { sync: { key: 'time' }, drag: { x: false, y: false }, points: { size: 6 } },
    scales: { x: { time: true }, y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.1 : 1] } },
    axes: [
      {
        ...axis,
        size: 36,
        values: (_plot, seconds) => seconds.map((one, index) => timeLabel(one, seconds[index - 1])),
      },
      {
        ...axis,
        size: 56,
        values: (_plot, values) => values.map((value) => (value === 0 || hasValues ? format(value) : '')),
      },
    ],
    series: [{}, ...series.map((one) => toSeriesOptions(one, colourOf(one.colour))).toReversed()],
    hooks: { setCursor: [(plot) => onMove(plot.cursor.idx ?? null)] },
  };
}

/** `08:15`, and the date where a day starts. */
function timeLabel(seconds: number, before: number | undefined): string {
  const text = formatUtc(seconds * 1_000);
  const isNewDay = before === undefined || text.slice(0, 10) !== formatUtc(before * 1_000).slice(0, 10);
  return isNewDay ? `${text.slice(11, 16)}\n${text.slice(5, 10)}` : text.slice(11, 16);
}

function toSeriesOptions({ label, kind, values }: ChartSeries, colour: string): uPlot.Series {
  // A line through one value draws nothing.
  const isPoint = kind === 'line' && values.filter((value) => value !== null).length === 1;
  const points = isPoint ? { show: true, size: 7, fill: colour } : { show: false };
  if (kind === 'line') return { label, stroke: colour, width: 1.75, points, spanGaps: true };
  const paths = uPlot.paths.bars?.({ size: [0.8, 40], align: 1 });
  return { label, stroke: colour, fill: colour, width: 0, points, ...(paths && { paths }) };
}

// The table of streams of docs/performance.md.
import type { StreamFigures } from '../streams.ts';
import { type Row, table } from '../tables.ts';

const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 0);

/** Both gateways side by side; the first one is ours. */
export function streamsTable(gateways: readonly StreamFigures[]): string {
  const row = (what: string, pick: (figures: StreamFigures) => string): Row => [what, ...gateways.map(pick)];
  const times = (what: string, pick: (figures: StreamFigures) => { p50: number; p99: number }) =>
    row(`${what}, p50 and p99, ms`, (figures) => `${ms(pick(figures).p50)} and ${ms(pick(figures).p99)}`);
  const streams = gateways[0]?.open.streams ?? 0;
  return table(
    ['', ...gateways.map(({ name }) => name)],
    [
      times('added to the first piece, one caller', ({ alone }) => alone.first),
      times('added to each further piece, one caller', ({ alone }) => alone.piece),
      row('p99 above the median without a gateway, of the first piece and further ones, ms', (figures) => {
        const { first, piece } = figures.withoutGateway;
        return `${ms(first)} and ${ms(piece)}`;
      }),
      times(`added to the first piece, ${streams} streams open`, ({ open }) => open.first),
      times(`added to each further piece, ${streams} streams open`, ({ open }) => open.piece),
      row('the longest that a stream had no piece, one being sent every 500 ms, ms', ({ open }) =>
        ms(open.longestGapMs),
      ),
      row('calls answered meanwhile that are not streamed, in 5 s; p50, ms', ({ open }) => {
        return `${open.answered.calls}; ${ms(open.answered.p50)}`;
      }),
      row('taken of a stream of 64 MiB that nobody reads, socket buffers included, KiB', ({ open }) =>
        open.takenUnreadKib.toFixed(0),
      ),
    ],
  );
}

/** Memory of the first gateway, by part of its processes. */
export function streamMemoryTable({ idle, open }: StreamFigures): string {
  return table(
    ['Resident memory, MiB', 'processes', 'idle, median', 'median', 'largest'],
    Object.entries(open.memory).map(([name, { processes, median, largest }]): Row => {
      const before = idle[name]?.median;
      return [
        name,
        String(processes),
        before === undefined ? '' : before.toFixed(0),
        median.toFixed(0),
        largest.toFixed(0),
      ];
    }),
  );
}

// The tables of docs/performance.md.
import type { ColdStart } from './cold-start.ts';
import { type GatewayFigures, KILOBYTES, sizeName } from './gateways.ts';
import { percentile, withSpread } from './statistics.ts';

/** A row of a table: its title, then its cells. */
export type Row = readonly [what: string, ...cells: string[]];

/** A table of Markdown; the cells after the first are numbers. */
export function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|---${'|--:'.repeat(head.length - 1)}|`, ...rows.map(line)].join('\n');
}

type Round = GatewayFigures['rounds'][number];

/** All gateways side by side; the first one is ours. */
export function peersTable(gateways: readonly GatewayFigures[]): string {
  const row = (what: string, pick: (round: Round) => number): Row => [
    what,
    ...gateways.map(({ rounds }) => withSpread(rounds.map(pick))),
  ];
  const together = (cpu: Readonly<Record<string, number>> = {}) =>
    Object.values(cpu).reduce((sum, ms) => sum + ms, 0);
  return table(
    ['', ...gateways.map(({ name }) => name)],
    [
      ...KILOBYTES.map((size) =>
        row(`CPU of all processes for a call of ${sizeName(size)}, 8 callers, ms`, ({ cpu }) =>
          together(cpu[sizeName(size)]),
        ),
      ),
      ...KILOBYTES.flatMap((size) => [
        row(
          `added to a call of ${sizeName(size)}, one caller, p50, ms`,
          ({ added }) => added[size]?.p50 ?? Number.NaN,
        ),
        row(`the same, p99, ms`, ({ added }) => added[size]?.p99 ?? Number.NaN),
      ]),
      row('calls a second, 32 callers', ({ perSecond }) => perSecond),
    ],
  );
}

/** The CPU of each process of one gateway, by kind of call. */
export function processesTable({ rounds }: GatewayFigures): string {
  const kinds = Object.keys(rounds[0]?.cpu ?? {});
  const names = new Set(rounds.flatMap(({ cpu }) => Object.values(cpu).flatMap(Object.keys)));
  const cell = (kind: string, name: string) => withSpread(rounds.map(({ cpu }) => cpu[kind]?.[name] ?? 0));
  return table(
    ['CPU of a call, 8 callers, ms', ...kinds],
    [...names].map((name): Row => [name, ...kinds.map((kind) => cell(kind, name))]),
  );
}

/** Cold starts of each function and memory size. */
export function coldStartTable(starts: readonly ColdStart[]): string {
  const cells = (values: readonly number[]) =>
    [0.5, 0.9, 0.99].map((share) => percentile(values, share).toFixed(0)).join(' / ');
  return table(
    [
      '',
      'bundle loaded, p50 / p90 / p99, ms',
      'first answer, p50 / p90 / p99, ms',
      'its CPU, ms',
      'TLS handshakes',
    ],
    starts.map(
      ({ name, memoryMb, made }): Row => [
        `${name}, ${memoryMb} MiB`,
        cells(made.map(({ importedMs }) => importedMs)),
        cells(made.map(({ answeredMs }) => answeredMs)),
        percentile(
          made.map(({ cpuMs }) => cpuMs),
          0.5,
        ).toFixed(0),
        String(
          percentile(
            made.map(({ handshakes }) => handshakes),
            0.5,
          ),
        ),
      ],
    ),
  );
}

// The cost of guards in the process, and its table of docs/performance.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { between } from '../costs.ts';
import { runMeasuringProcess } from '../measuring-process.ts';
import { withSpread } from '../statistics.ts';
import { type Row, table } from '../tables.ts';
import type { CpuTime } from './measure.ts';

export interface GuardFigures {
  readonly tenKb: CpuTime;
  readonly hundredKb: CpuTime;
  /** 10 KB with signs that are not ASCII, which have another view. */
  readonly printed: CpuTime;
  /** With `phrases`. */
  readonly phrases: CpuTime;
  readonly stream: CpuTime & { readonly held: number };
  /** In pieces. */
  readonly firstPiece: { readonly mean: number; readonly p99: number };
  readonly grownKib: number;
}

/** `pii` (email, card, iban, usSsn, ip) and `secrets`, in a process of their own; milliseconds of its CPU. */
export async function measureGuards(repeats: number): Promise<readonly GuardFigures[]> {
  const runs: GuardFigures[] = [];
  for (let run = 0; run < repeats; run += 1)
    runs.push(
      await runMeasuringProcess<GuardFigures>({
        program: join(import.meta.dirname, 'cpu-process.ts'),
        input: {},
        bundles: [],
        endpoint: '',
        options: ['--expose-gc'],
      }),
    );
  return runs;
}

export function guardsTable(runs: readonly GuardFigures[], date: string, machine: string): string {
  const spread = (pick: (figures: GuardFigures) => number) => withSpread(runs.map(pick));
  const times = (what: string, goal: string, pick: (figures: GuardFigures) => CpuTime): Row[] => [
    [`${what}, p50, ms`, spread((one) => pick(one).p50), ''],
    [`${what}, p99, ms`, spread((one) => pick(one).p99), goal],
  ];
  const rows = table(
    ['', 'Measured', 'Goal'],
    [
      ...times('CPU for 10 KB', '2', ({ tenKb }) => tenKb),
      ...times('CPU for 100 KB', '20', ({ hundredKb }) => hundredKb),
      ...times('CPU for 10 KB with printed quotes and hyphens', '', ({ printed }) => printed),
      ...times('CPU for 10 KB, with `phrases`', '', ({ phrases }) => phrases),
      ...times('CPU for a stream of 10 KB in pieces of 4 characters', '', ({ stream }) => stream),
      ['pieces that wait before the first leaves, mean', spread(({ firstPiece }) => firstPiece.mean), '1'],
      ['the same, p99', spread(({ firstPiece }) => firstPiece.p99), ''],
      ['heap grown over 19,000 texts of 10 KB, KiB', spread(({ grownKib }) => grownKib), '256'],
    ],
  );
  return `Measured ${date} on ${machine}.\n\n${rows}`;
}

if (import.meta.main) {
  const page = join(import.meta.dirname, '../../docs/performance.md');
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.versions.node}`;
  const made = guardsTable(await measureGuards(3), new Date().toISOString().slice(0, 10), machine);
  writeFileSync(page, between(readFileSync(page, 'utf8'), 'guards', made));
  process.stdout.write(`${made}\n`);
}

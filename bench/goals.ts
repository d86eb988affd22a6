// The goals of docs/performance.md: `npm run bench` says first which of them its figures miss. `node bench/goals.ts` writes their table
// anew from bench/results.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sum } from '../core/text/numbers.ts';
import type { Bundle } from './assembly.ts';
import type { TokenCost } from './authorizer-tokens.ts';
import type { StartFigures } from './command-start.ts';
import { between } from './costs.ts';
import type { GatewayFigures } from './gateways.ts';
import type { GuardFigures } from './guards/cpu.ts';
import type { OwnCpu } from './own-cpu.ts';
import { percentile } from './statistics.ts';
import type { StreamFigures } from './streams.ts';
import { table } from './tables.ts';

/** bench/results.json. A measurement that was added later is missing in an older file. */
export interface Results {
  readonly own: readonly OwnCpu[];
  readonly imports: Readonly<Record<string, number>>;
  readonly tokens: readonly TokenCost[];
  /** The first one is ours. */
  readonly gateways: readonly GatewayFigures[];
  readonly streams: readonly StreamFigures[];
  readonly bundles?: readonly Pick<Bundle, 'name' | 'startBytes'>[];
  readonly guards?: readonly GuardFigures[];
  readonly starts?: StartFigures;
}

/** One bound; `measure` gives the median, and undefined where it was not measured. */
interface Goal {
  readonly what: string;
  readonly atMost?: number;
  readonly atLeast?: number;
  readonly measure: (results: Results) => number | undefined;
}

const GOALS: readonly Goal[] = [
  { what: 'own CPU of a call, p50, ms', atMost: 0.3, measure: ({ own }) => median(own, ({ p50 }) => p50) },
  { what: 'own CPU of a call, p99, ms', atMost: 1.5, measure: ({ own }) => median(own, ({ p99 }) => p99) },
  {
    what: 'CPU of both functions for a call of 1 KB, ms',
    atMost: 2,
    measure: ({ gateways }) => cpuOf(gateways[0], '1 KB', FUNCTIONS),
  },
  {
    what: 'CPU of both functions for a call of 800 KB, by that of Portkey',
    atMost: 1.3,
    measure: ({ gateways }) => byPeer(gateways, '800 KB', FUNCTIONS),
  },
  {
    what: 'CPU of all processes for a call of 800 KB, by that of Portkey',
    atMost: 1.3,
    measure: ({ gateways }) => byPeer(gateways, '800 KB'),
  },
  {
    what: 'CPU of all processes for a call of 1 KB, ms',
    atMost: 4,
    measure: ({ gateways }) => cpuOf(gateways[0], '1 KB'),
  },
  {
    what: 'added to a call of 1 KB, one caller, p50, ms',
    atMost: 4,
    measure: ({ gateways }) => median(gateways[0]?.rounds, ({ added }) => added[1]?.p50),
  },
  {
    what: 'calls a second, 32 callers',
    atLeast: 400,
    measure: ({ gateways }) => median(gateways[0]?.rounds, ({ perSecond }) => perSecond),
  },
  {
    what: 'added to the first piece of a stream, one caller, p99, ms',
    atMost: 5,
    measure: ({ streams }) => streams[0]?.alone.first.p99,
  },
  {
    what: 'added to each further piece, one caller, p99, ms',
    atMost: 1,
    measure: ({ streams }) => streams[0]?.alone.piece.p99,
  },
  {
    what: 'added to the first piece, 200 streams open, p99, ms',
    atMost: 40,
    measure: ({ streams }) => streams[0]?.open.first.p99,
  },
  {
    what: 'added to the first piece, 200 streams open in shared processes, p99, ms',
    atMost: 40,
    measure: ({ streams }) => streams.find(({ name }) => name.includes('in a process'))?.open.first.p99,
  },
  {
    what: 'guards on 10 KB, p99, ms',
    atMost: 2,
    measure: ({ guards }) => median(guards, ({ tenKb }) => tenKb.p99),
  },
  {
    what: 'guards on 100 KB, p99, ms',
    atMost: 20,
    measure: ({ guards }) => median(guards, ({ hundredKb }) => hundredKb.p99),
  },
  {
    what: 'calls of stores and network of the authorizer for an HS256 token',
    atMost: 0,
    measure: ({ tokens }) => tokens.find(({ algorithm }) => algorithm === 'HS256')?.steps,
  },
  {
    what: 'code that the authorizer loads at start, KiB',
    atMost: 320,
    measure: ({ bundles }) => kib(bundles, 'authorizer'),
  },
  {
    what: 'code that the execution function loads at start, KiB',
    atMost: 480,
    measure: ({ bundles }) => kib(bundles, 'execution'),
  },
  {
    what: 'import of the execution function, by that of a bare DynamoDB client',
    atMost: 1.2,
    measure: ({ imports }) => imports['execution / bare DynamoDB client'],
  },
  { what: '`neuron --help`, s', atMost: 0.4, measure: ({ starts }) => seconds(starts?.help) },
  { what: '`neuron list` of a local run, s', atMost: 0.4, measure: ({ starts }) => seconds(starts?.list) },
  {
    what: 'first `npm start` of a clone, s',
    atMost: 5,
    measure: ({ starts }) => seconds(starts?.firstStart),
  },
];

const FUNCTIONS: ReadonlySet<string> = new Set(['authorizer', 'execution function']);

/** The goals as a table, missed ones first. */
export function goalsTable(results: Results): string {
  const rows = GOALS.map((goal) => ({ goal, verdict: verdictOf(goal, results) }));
  const order: readonly string[] = ['missed', 'not measured', 'met'];
  return table(
    ['', 'Measured', 'Goal', ''],
    rows
      .toSorted((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict))
      .map(({ goal, verdict }) => [goal.what, render(goal.measure(results)), boundOf(goal), verdict]),
  );
}

function verdictOf({ measure, atMost = Infinity, atLeast = -Infinity }: Goal, results: Results): string {
  const value = measure(results);
  if (value === undefined) return 'not measured';
  return value <= atMost && value >= atLeast ? 'met' : 'missed';
}

const boundOf = ({ atMost, atLeast }: Goal): string =>
  atMost === undefined ? `at least ${atLeast}` : `at most ${atMost}`;

function render(value: number | undefined): string {
  return value === undefined ? '–' : String(Number(value.toPrecision(3)));
}

function median<One>(runs: readonly One[] = [], pick: (run: One) => number | undefined): number | undefined {
  const values = runs.flatMap((run) => pick(run) ?? []);
  return values.length === 0 ? undefined : percentile(values, 0.5);
}

function cpuOf(
  gateway: GatewayFigures | undefined,
  kind: string,
  parts?: ReadonlySet<string>,
): number | undefined {
  return median(gateway?.rounds, ({ cpu }) => {
    const counted = Object.entries(cpu[kind] ?? {}).filter(([name]) => parts?.has(name) ?? true);
    return counted.length === 0 ? undefined : sum(counted.map(([, ms]) => ms));
  });
}

function byPeer(
  [ours, portkey]: readonly GatewayFigures[],
  kind: string,
  parts?: ReadonlySet<string>,
): number | undefined {
  const [own, theirs] = [cpuOf(ours, kind, parts), cpuOf(portkey, kind)];
  return own === undefined || theirs === undefined ? undefined : own / theirs;
}

function kib(bundles: Results['bundles'], name: string): number | undefined {
  const bytes = bundles?.find((bundle) => bundle.name === name)?.startBytes;
  return bytes === undefined ? undefined : bytes / 1024;
}

function seconds(times: readonly number[] | undefined): number | undefined {
  const ms = median(times, (time) => time);
  return ms === undefined ? undefined : ms / 1000;
}

if (import.meta.main) {
  const results: Results = JSON.parse(readFileSync(join(import.meta.dirname, 'results.json'), 'utf8'));
  const page = join(import.meta.dirname, '..', 'docs', 'performance.md');
  const made = goalsTable(results);
  writeFileSync(page, between(readFileSync(page, 'utf8'), 'goals', made));
  process.stdout.write(`${made}\n`);
}

// `node bench/costs.ts`: computes the cost of a million calls and of an idle month from list prices, measured sizes and the templates,
// and writes the tables of docs/costs.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { INDEXES } from '../core/contract/tables.ts';
import { sum } from '../core/text/numbers.ts';
import { SLOT_SECONDS } from '../core/usage/mark.ts';
import inputs from './costs.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '..');

/** US dollars, us-east-1, ARM; docs/costs.md has the sources. */
const PRICES = {
  apiRequests: 3.5 / 1e6,
  lambdaRequests: 0.2 / 1e6,
  lambdaGibSeconds: 0.000_013_333_4,
  writeUnits: 0.625 / 1e6,
  readUnits: 0.125 / 1e6,
  logGigabytes: 0.5,
  traces: 5 / 1e6,
  alarmMetrics: 0.1,
  freeAlarmMetrics: 10,
  customMetrics: 0.3,
  freeCustomMetrics: 10,
  dashboards: 3,
  freeDashboards: 3,
  secrets: 0.4,
};

const MILLION = 1_000_000;

interface Row {
  readonly part: string;
  readonly how: string;
  readonly hit: number;
  readonly model: number;
}

/** A million runs at 1 GiB. */
function run(milliseconds: number): number {
  return MILLION * (PRICES.lambdaRequests + (milliseconds / 1000) * PRICES.lambdaGibSeconds);
}

/** How long the stream gathers entries for a batch (lib/constructs/compute/rollup.ts). */
const GATHERING_SECONDS = 5;

/**
 * Items that hold the marks of a batch: one, and another for each slot that begins while its entries come. Each stays below 1 KiB,
 * which holds about 50 marks: 25 calls a second.
 */
function markItems(batch: number): number {
  return 1 + (GATHERING_SECONDS * (batch - 1)) / batch / SLOT_SECONDS;
}

/** The share of a call in the items of marks and rows of its batch. Writes of transactions take twice the units. */
function usage(rows: number, batch: number): number {
  const units = 2 * (markItems(batch) + rows);
  return (MILLION * units * PRICES.writeUnits + run(inputs.assumed.rollupMs)) / batch;
}

/** Write units of a batch: one seal with a line for each entry, and one head, in the same transaction. */
function sealUnits(batch: number): number {
  const { sealBytes, sealLineBytes } = inputs.measured;
  return 2 * (Math.ceil((sealBytes + batch * sealLineBytes) / 1024) + 1);
}

function seals(batch: number): number {
  return (MILLION * sealUnits(batch) * PRICES.writeUnits) / batch;
}

/** US dollars for a million calls, by part: answered from the exact cache, and with a model call of two seconds. */
export function costOfCalls(): readonly Row[] {
  const { measured, assumed } = inputs;
  const both = (part: string, how: string, dollars: number): Row => ({
    part,
    how,
    hit: dollars,
    model: dollars,
  });
  // An entry of up to 1 KiB, and a write for each index that holds a success without a username.
  const logWrites = 1 + [INDEXES.logs.byOrganization, INDEXES.logs.byExecution].length;
  const hitBytes = assumed.accessLogBytes + measured.hitLineBytes;
  // A line before the model is called, and one at the end.
  const modelBytes = assumed.accessLogBytes + measured.openLineBytes + measured.modelLineBytes;
  const lines = (bytes: number) => ((MILLION * bytes) / 1e9) * PRICES.logGigabytes;
  return [
    both('API Gateway', 'one request', MILLION * PRICES.apiRequests),
    both('authorizer', `${assumed.authorizerMs} ms at 1 GiB`, run(assumed.authorizerMs)),
    {
      part: 'execution function',
      how: `${assumed.hitMs} ms or ${assumed.modelMs} ms at 1 GiB`,
      hit: run(assumed.hitMs),
      model: run(assumed.modelMs),
    },
    both('API key', 'one strongly consistent read', MILLION * PRICES.readUnits),
    both('limits', 'admission and settling: two writes', MILLION * 2 * PRICES.writeUnits),
    {
      part: 'exact cache',
      how: `one read; on a miss ${assumed.cacheItemKib} write units`,
      hit: MILLION * PRICES.readUnits,
      model: MILLION * (PRICES.readUnits + assumed.cacheItemKib * PRICES.writeUnits),
    },
    both(
      'log entry',
      `${logWrites} writes: the entry and two indexes`,
      MILLION * logWrites * PRICES.writeUnits,
    ),
    {
      part: 'usage',
      how: `2 write units for each of ${markItems(assumed.usageBatch)} items of marks and 2 rows (a model call: 3 rows) that ${assumed.usageBatch} entries share`,
      hit: usage(2, assumed.usageBatch),
      model: usage(3, assumed.usageBatch),
    },
    both(
      'seals',
      `${sealUnits(assumed.usageBatch)} write units for a seal and the head of its chain, that ${assumed.usageBatch} entries share`,
      seals(assumed.usageBatch),
    ),
    {
      part: 'log lines',
      how: `${hitBytes} or ${modelBytes} bytes to CloudWatch Logs`,
      hit: lines(hitBytes),
      model: lines(modelBytes),
    },
    both(
      'traces',
      `${assumed.tracedShare * 100} % sampled by X-Ray`,
      MILLION * assumed.tracedShare * PRICES.traces,
    ),
  ];
}

/** A way to pay less. */
interface Saving extends Omit<Row, 'part'> {
  readonly givesUp: string;
}

/** Entries of a batch on a busy stage. */
const BUSY_BATCH = 40;

/** US dollars that each way saves of a million calls. They add up. */
export function savings(): readonly Saving[] {
  const { authorizerMs, hitMs, modelMs, usageBatch, tracedShare } = inputs.assumed;
  // Half the memory takes as many milliseconds: a function mostly waits.
  const halfMemory = (milliseconds: number) => (run(milliseconds) - run(0)) / 2;
  const batches = (rows: number) =>
    usage(rows, usageBatch) + seals(usageBatch) - usage(rows, BUSY_BATCH) - seals(BUSY_BATCH);
  const both = (how: string, dollars: number, givesUp: string): Saving => ({
    how,
    hit: dollars,
    model: dollars,
    givesUp,
  });
  return [
    both(
      'a limit over `requests` in place of one over `tokens` or `cost`: nothing to settle',
      MILLION * PRICES.writeUnits,
      'a bound of tokens or money',
    ),
    {
      how: `calls that come so often that ${BUSY_BATCH} entries share a batch`,
      hit: batches(2),
      model: batches(3),
      givesUp: 'nothing',
    },
    {
      how: '`memoryMegabytes: 512`',
      hit: halfMemory(authorizerMs + hitMs),
      model: halfMemory(authorizerMs + modelMs),
      givesUp: 'half the CPU, of starts most of all',
    },
    both(
      'a sampling rule of 0.5 % in X-Ray, in place of its default of 5 %',
      MILLION * tracedShare * 0.9 * PRICES.traces,
      'nine traces of ten',
    ),
  ];
}

/** US dollars for the stage's metrics in a month in which each has a value in every hour. */
export function metricsBill(metrics: number): number {
  return Math.max(0, metrics - PRICES.freeCustomMetrics) * PRICES.customMetrics;
}

/** An idle month, in US dollars, from the resources of the templates. */
export function idleBill(alarmMetrics: number, dashboards: number, organizations: number) {
  return {
    alarms: Math.max(0, alarmMetrics - PRICES.freeAlarmMetrics) * PRICES.alarmMetrics,
    dashboards: Math.max(0, dashboards - PRICES.freeDashboards) * PRICES.dashboards,
    // Each organization has two: its providers' keys and the key of its log.
    secrets: organizations * 2 * PRICES.secrets,
  };
}

/** The table of calls in docs/costs.md. */
export function renderCalls(): string {
  const rows = costOfCalls();
  const money = (dollars: number) => dollars.toFixed(2);
  const total = (column: Column) => money(sum(rows.map((row) => row[column])));
  return [
    '| Part | per call | from the cache | model call |',
    '|---|---|--:|--:|',
    ...rows.map(({ part, how, hit, model }) => `| ${part} | ${how} | ${money(hit)} | ${money(model)} |`),
    `| **together** | | **${total('hit')}** | **${total('model')}** |`,
  ].join('\n');
}

type Column = 'hit' | 'model';

/** The table of savings in docs/costs.md. */
export function renderSavings(): string {
  const total = (column: Column) => sum(costOfCalls().map((row) => row[column]));
  const saved = (column: Column) => sum(savings().map((row) => row[column]));
  return [
    '| Way | from the cache | model call | gives up |',
    '|---|--:|--:|---|',
    ...savings().map(
      ({ how, hit, model, givesUp }) => `| ${how} | ${hit.toFixed(2)} | ${model.toFixed(2)} | ${givesUp} |`,
    ),
    `| **left with all of them** | **${(total('hit') - saved('hit')).toFixed(2)}** | **${(total('model') - saved('model')).toFixed(2)}** | |`,
  ].join('\n');
}

/** Puts text between the marks `<!-- NAME:begin -->` and `<!-- NAME:end -->` of a page. */
export function between(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name}:begin -->\n`, `\n<!-- ${name}:end -->`];
  return `${page.slice(0, page.indexOf(begin) + begin.length)}${text}${page.slice(page.indexOf(end))}`;
}

if (import.meta.main) {
  const file = join(ROOT, 'docs', 'costs.md');
  const page = between(readFileSync(file, 'utf8'), 'calls', renderCalls());
  writeFileSync(file, between(page, 'savings', renderSavings()));
  process.stdout.write(`${renderCalls()}\n\n${renderSavings()}\n`);
}

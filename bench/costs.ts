// `node bench/costs.ts`: computes the cost of a million calls and of an idle month from list prices, measured sizes and the templates,
// and writes the tables of docs/costs.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ASSUMED } from '../core/pricing/call-assumptions.ts';
import {
  CALL_PARTS,
  type CallPart,
  DEFAULT_SAMPLING,
  entriesPerBatch,
  type InfrastructureUse,
  LOG_WRITES,
  limitsOfHit,
  lineBytes,
  markItems,
  PROD_SAMPLING,
  type PricedCall,
  priceOf,
  priceOfCall,
  type SamplingRule,
  sealUnits,
  tracedShare,
  useOfCall,
} from '../core/pricing/infrastructure-cost.ts';
import { sum } from '../core/text/numbers.ts';

const ROOT = join(import.meta.dirname, '..');

const MILLION = 1_000_000;

interface Row {
  readonly part: string;
  readonly how: string;
  readonly hit: number;
  readonly model: number;
}

const COMMON = {
  memoryMegabytes: 1_024,
  limitWrites: 2,
  callsPerSecond: ASSUMED.callsPerSecond,
  entriesPerBatch: ASSUMED.usageBatch,
};
const HIT: PricedCall = {
  ...COMMON,
  isHit: true,
  milliseconds: ASSUMED.hitMs,
  ...limitsOfHit(COMMON.limitWrites),
};
const MODEL: PricedCall = { ...COMMON, isHit: false, limitReads: 0, milliseconds: ASSUMED.modelMs };

/** US dollars for a million of what is used. */
function million(use: InfrastructureUse): number {
  return (MILLION * priceOf(use)) / 1e9;
}

const percent = (share: number) => `${Math.round(share * 100)} %`;

/** How each part comes about, for a reader. */
const HOW: Readonly<Record<CallPart, string>> = {
  'API Gateway': 'one request',
  authorizer: `${ASSUMED.authorizerMs} ms at 1 GiB (\`memoryMegabytes\`)`,
  'execution function': `${ASSUMED.hitMs} ms or ${ASSUMED.modelMs} ms at 1 GiB (\`memoryMegabytes\`, \`compute\`)`,
  'API key': 'one strongly consistent read',
  limits:
    'tokens (`rateLimits`): one strongly consistent read; before a model two writes, at admission and settling',
  'exact cache': `one read, eventually consistent; on a miss ${ASSUMED.cacheItemKib} write units (\`caching\`)`,
  'log entry': `${LOG_WRITES} writes: the entry and two indexes`,
  usage: `2 write units for each of ${markItems(ASSUMED.usageBatch)} items of marks and 4 rows (a model call: 5 rows) that ${ASSUMED.usageBatch} entries share`,
  seals: `${sealUnits(ASSUMED.usageBatch)} write units for a seal and the head of its chain, that ${ASSUMED.usageBatch} entries share`,
  'log lines': `${lineBytes(true)} or ${lineBytes(false)} bytes to CloudWatch Logs`,
  traces: `${percent(PROD_SAMPLING.rate)} traced by X-Ray (\`xray\`)`,
};

/** US dollars for a million calls, by part: answered from the exact cache, and with a model call of two seconds. */
export function costOfCalls(): readonly Row[] {
  const [hit, model] = [useOfCall(HIT), useOfCall(MODEL)];
  return CALL_PARTS.map((part) => ({
    part,
    how: HOW[part],
    hit: million(hit[part]),
    model: million(model[part]),
  }));
}

/** A way to pay less. */
interface Saving extends Omit<Row, 'part'> {
  readonly givesUp: string;
}

/** Entries of a batch on a busy stage. */
const BUSY_BATCH = 40;

/** US dollars that each way saves of a million calls, one after the other: they add up. */
export function savings(): readonly Saving[] {
  const ways: readonly (readonly [string, string, Partial<PricedCall>, Partial<PricedCall>])[] = [
    [
      '`rateLimits` over `requests` in place of one over `tokens`: nothing to settle, and a write for each hit',
      'a bound of tokens or money',
      { limitWrites: 1, limitReads: 0 },
      { limitWrites: 1 },
    ],
    [
      `calls that come so often that ${BUSY_BATCH} entries share a batch`,
      'nothing',
      { entriesPerBatch: BUSY_BATCH },
      { entriesPerBatch: BUSY_BATCH },
    ],
    [
      '`memoryMegabytes: 512`',
      'half the CPU, of starts most of all',
      { memoryMegabytes: 512 },
      { memoryMegabytes: 512 },
    ],
    ['`xray: { percent: 0 }`', 'all traces', { sampling: NO_SAMPLING }, { sampling: NO_SAMPLING }],
  ];
  const saved = (call: PricedCall, change: Partial<PricedCall>) =>
    (MILLION * (priceOfCall(call) - priceOfCall({ ...call, ...change }))) / 1e9;
  return ways.map(([how, givesUp, ofHit, ofModel]) => ({
    how,
    givesUp,
    hit: saved(HIT, ofHit),
    model: saved(MODEL, ofModel),
  }));
}

const NO_SAMPLING: SamplingRule = { perSecond: 0, rate: 0 };

const SECONDS_PER_MONTH = (365 / 12) * 86_400;

/** The table of rates: what a million calls cost by how many come in a month, evenly. */
export function renderRates(): string {
  const rows = [1, 10, 50].map((millions) => {
    const callsPerSecond = (millions * MILLION) / SECONDS_PER_MONTH;
    const rate = { callsPerSecond, entriesPerBatch: entriesPerBatch(callsPerSecond) };
    const total = (call: PricedCall) => ((MILLION * priceOfCall({ ...call, ...rate })) / 1e9).toFixed(2);
    const sampling = { sampling: DEFAULT_SAMPLING };
    const traced = tracedShare(callsPerSecond, DEFAULT_SAMPLING);
    return `| ${millions} million | ${callsPerSecond.toPrecision(2)} | ${rate.entriesPerBatch.toFixed(1)} | ${total(HIT)} | ${total(MODEL)} | ${percent(traced)} | ${total({ ...HIT, ...sampling })} | ${total({ ...MODEL, ...sampling })} |`;
  });
  return [
    "| Calls a month | a second | entries a batch | from the cache | model call | by X-Ray's own rule traced | from the cache | model call |",
    '|---|--:|--:|--:|--:|--:|--:|--:|',
    ...rows,
  ].join('\n');
}

/** Requests of an attacker, by what they end as, and whether API Gateway bills them. */
const ATTACKS: readonly (readonly [string, string, InfrastructureUse])[] = [
  [
    'beyond the throttle (429 `throttled`)',
    'not billed; an access log line',
    { logBytes: ASSUMED.accessLogBytes },
  ],
  [
    'no or a wrong credential (401)',
    'authorizer, its line, an access log line; API Gateway bills no failed authorization',
    {
      ...rejectedRun(ASSUMED.authorizerMs),
      logBytes: ASSUMED.accessLogBytes + ASSUMED.rejectionLineBytes,
      traces: PROD_SAMPLING.rate,
    },
  ],
  [
    'an unknown route (404)',
    'API Gateway, an access log line',
    { apiRequests: 1, logBytes: ASSUMED.accessLogBytes, traces: PROD_SAMPLING.rate },
  ],
  [
    'an unknown neuron (404), or a rule (403)',
    'API Gateway, authorizer, execution function',
    {
      apiRequests: 1,
      lambdaRuns: 2,
      lambdaGibSeconds: (ASSUMED.authorizerMs + ASSUMED.rejectionMs) / 1_000,
      logBytes: ASSUMED.accessLogBytes,
      traces: PROD_SAMPLING.rate,
    },
  ],
];

function rejectedRun(milliseconds: number): InfrastructureUse {
  return { lambdaRuns: 1, lambdaGibSeconds: milliseconds / 1_000 };
}

/** Calls that a stage lets through in a second (lib/stages). */
export const THROTTLES = { dev: 100, prod: 200 } as const;

/** The table of what an attack costs: a million of each kind, and a day at the throttle of a stage. */
export function renderAttacks(): string {
  const busy = { ...HIT, callsPerSecond: THROTTLES.prod, entriesPerBatch: BUSY_BATCH };
  const { 'API key': _none, ...ofPublic } = useOfCall(busy);
  const kinds = [
    ...ATTACKS.map(([kind, pays, use]) => [kind, pays, million(use)] as const),
    [
      'a public neuron, answered from the cache',
      'all of a call but the read of a key',
      sum(Object.values(ofPublic).map(million)),
    ] as const,
  ];
  const day = (perSecond: number, dollars: number) => ((perSecond * 86_400 * dollars) / MILLION).toFixed(0);
  return [
    `| Requests that end as | pay for | a million | a day of ${THROTTLES.dev}/s (dev) | a day of ${THROTTLES.prod}/s (prod) |`,
    '|---|---|--:|--:|--:|',
    ...kinds.map(
      ([kind, pays, dollars]) =>
        `| ${kind} | ${pays} | ${dollars.toFixed(2)} | ${day(THROTTLES.dev, dollars)} | ${day(THROTTLES.prod, dollars)} |`,
    ),
  ].join('\n');
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

/** The tables of docs/costs.md by the marks around them. */
export const TABLES: Readonly<Record<string, () => string>> = {
  calls: renderCalls,
  rates: renderRates,
  savings: renderSavings,
  attacks: renderAttacks,
};

if (import.meta.main) {
  const file = join(ROOT, 'docs', 'costs.md');
  let page = readFileSync(file, 'utf8');
  for (const [name, render] of Object.entries(TABLES)) page = between(page, name, render());
  writeFileSync(file, page);
}

// `node bench/day-of-traffic.ts [--local DIR] [--organization ORG] [--entries N]`: puts the log entries of an invented day into a local
// run, to look at in the console: neurons, users and keys of several kinds, streams, failures, refusals, stops, cache hits, floods.
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createLogStore } from '../adapters/dynamodb/log-store.ts';
import { clientConfig } from '../cli/session/aws-client-config.ts';
import { composePorts } from '../cli/session/compose.ts';
import { findLocalStack } from '../cli/session/find-stack.ts';
import type { LogEntry, LoggedModelCall, LoggedStep } from '../core/contract/log-entry.ts';

const DAY_MS = 86_400_000;
/** Puts at a time. */
const PUTS_AT_ONCE = 64;
const PRICES = { 'gpt-4.1-mini': [0.4, 1.6], 'claude-haiku-4-5': [1, 5] } as const;
const FAILURES = [
  { status: 503, code: 'upstream_unavailable', reason: 'openai answered 529 four times' },
  { status: 503, code: 'deadline_exceeded', reason: 'the model did not end within 60s' },
  { status: 500, code: 'configuration', reason: 'openai refused the key openai-key' },
] as const;
const REFUSALS = [
  { status: 429, code: 'rate_limited', reason: 'requests per user, 20 each 1m' },
  { status: 429, code: 'usage_limit_exceeded', reason: 'cost of the organization, 500 each month' },
  { status: 401, code: 'unauthorized', reason: 'jwt: expired' },
  { status: 403, code: 'referer_not_allowed', reason: 'https://evil.example' },
] as const;
/** Names as callers choose them. */
const USERS = [
  'ann',
  'bo',
  'carmen',
  'dmitri',
  'Łukasz',
  '王芳',
  '<b>bold</b>',
  'eve\u202Etxt.exe',
  'zero\u200Bwidth',
];

/** The day to make. */
export interface Traffic {
  readonly organization: string;
  readonly organizationId: string;
  readonly neurons: readonly { readonly slug: string; readonly id: string }[];
  /** Ids of the API keys that call. */
  readonly keys: readonly string[];
  readonly entries: number;
  /** The end of the day, in milliseconds since the Unix epoch. */
  readonly endMs: number;
}

/** Entries in any order, always the same for the same traffic. */
export function* makeDay(traffic: Traffic): Generator<LogEntry> {
  for (let index = 0; index < traffic.entries; index += 1) yield makeEntry(traffic, index);
}

function makeEntry(
  { organization, organizationId, neurons, keys, entries, endMs }: Traffic,
  index: number,
): LogEntry {
  const random = createRandom(index);
  // The first neuron gets half of the calls, the next a quarter, …
  const neuron = neurons[Math.min(neurons.length - 1, Math.floor(-Math.log2(1 - random())))] ?? neurons[0];
  // Busier in the middle of the day.
  const share = (index + random()) / entries;
  const timeMs = Math.floor(endMs - DAY_MS * (1 - (share - 0.1 * Math.sin(2 * Math.PI * share))));
  const result = random();
  const isJwt = random() < 0.6;
  return {
    executionId: `day-${createHash('sha256').update(`${index} ${endMs}`).digest('base64url').slice(0, 15)}=`,
    timeMs: Math.min(timeMs, endMs - 1),
    organization,
    organizationId,
    neuron: neuron?.slug ?? '',
    neuronId: neuron?.id ?? '',
    version: 'v1',
    sourceIp: `203.0.113.${Math.floor(random() * 250)}`,
    refererHost: isJwt ? 'app.example.com' : undefined,
    username: isJwt ? USERS[Math.floor(random() ** 2 * USERS.length)] : undefined,
    keyId: isJwt ? undefined : keys[Math.floor(random() ** 2 * keys.length)],
    authentication: isJwt ? 'jwt' : 'apiKey',
    count: 1,
    expiresAt: Math.floor((endMs + 90 * DAY_MS) / 1_000),
    restored: false,
    ...(result < 0.02
      ? failed(random)
      : result < 0.08
        ? rejected(random)
        : result < 0.1
          ? brokenOff(random, index)
          : answered(random, index)),
  };
}

/** The members of an entry that depend on how the call ended. */
type Outcome = Pick<
  LogEntry,
  | ('outcome' | 'status' | 'code' | 'reason' | 'cache' | 'cacheSource' | 'cacheFailures' | 'trace')
  | ('latencyMs' | 'ownLatencyMs' | 'tokensInput' | 'tokensOutput' | 'modelCalls' | 'input' | 'output')
  | ('costMicrodollars' | 'savingsMicrodollars')
>;

const NOTHING = {
  tokensInput: 0,
  tokensOutput: 0,
  costMicrodollars: 0,
  savingsMicrodollars: 0,
  modelCalls: [],
  trace: [],
  input: undefined,
  output: undefined,
  cache: undefined,
} as const;

function failed(random: () => number): Outcome {
  const failure = FAILURES[Math.floor(random() * FAILURES.length)] ?? FAILURES[0];
  const latencyMs = 2_000 + random() * 20_000;
  return { ...NOTHING, ...failure, outcome: 'failed', latencyMs, ownLatencyMs: 4 };
}

/** One in twenty is a flood. */
function rejected(random: () => number): Outcome & { readonly count: number } {
  const rejection = REFUSALS[Math.floor(random() * REFUSALS.length)] ?? REFUSALS[0];
  const count = random() < 0.05 ? Math.ceil(random() * 400) : 1;
  return {
    ...NOTHING,
    ...rejection,
    count,
    outcome: 'refused',
    latencyMs: 2 + random() * 6,
    ownLatencyMs: 2,
  };
}

/** A stream that the provider cut: its text is charged. */
function brokenOff(random: () => number, index: number): Outcome {
  const call = makeCall(random, true);
  const cut = { ...call, finish: 'truncated', estimated: true };
  return {
    ...NOTHING,
    ...toRun(cut, index),
    outcome: 'failed',
    status: 503,
    code: 'upstream_unavailable',
    reason: `${call.provider} broke off within its answer`,
    output: undefined,
  };
}

function answered(random: () => number, index: number): Outcome {
  const isHit = random() < 0.25;
  const call = makeCall(random, random() < 0.4);
  const stops = !isHit && random() < 0.02;
  const outcome = { status: 200, code: undefined, reason: undefined } as const;
  const ran = toRun(call, index);
  if (!isHit)
    return { ...ran, ...outcome, outcome: stops ? 'stopped' : 'success', cache: 'miss', ...failures(random) };
  return {
    ...NOTHING,
    ...outcome,
    outcome: 'success',
    input: ran.input,
    output: ran.output,
    cache: 'exact',
    savingsMicrodollars: call.costMicrodollars ?? 0,
    cacheSource: 'day-source',
    latencyMs: 6 + random() * 5,
    ownLatencyMs: 5,
  };
}

/** The cache fails now and then, and the flow runs without it. */
function failures(random: () => number): Pick<LogEntry, 'cacheFailures'> {
  return random() < 0.01 ? { cacheFailures: ['read'] } : {};
}

/** One model call in twenty was retried. */
function makeCall(random: () => number, isStream: boolean): LoggedModelCall {
  const model = random() < 0.7 ? 'gpt-4.1-mini' : 'claude-haiku-4-5';
  const provider = model === 'gpt-4.1-mini' ? 'openai' : 'claude';
  const tokensInput = Math.floor(50 + random() * 900);
  const tokensOutput = Math.floor(20 + random() * 500);
  const [input, output] = PRICES[model];
  const isAgain = random() < 0.05;
  const answerMs = 250 + tokensOutput * 4 + (random() < 0.03 ? 8_000 * random() : 0);
  const beginsMs = isAgain ? 900 : 0;
  const attemptTimes = [
    { atMs: 0, latencyMs: 600, failure: `${provider} answered 529` },
    { atMs: beginsMs, latencyMs: answerMs },
  ];
  return {
    provider,
    model,
    modelVersion: `${model}-2026-01`,
    finish: 'stop',
    tokensInput,
    tokensOutput,
    costMicrodollars: Math.ceil(tokensInput * input + tokensOutput * output),
    estimated: false,
    attempts: isAgain ? 2 : 1,
    latencyMs: beginsMs + answerMs,
    ...(isAgain ? { attemptTimes } : {}),
    ...(isStream ? { firstTextMs: beginsMs + 180 + random() * 200 } : {}),
  };
}

/** The members of an entry that come from the run's one model call. */
function toRun(call: LoggedModelCall, index: number) {
  const input = toText(`Question ${index}: what is <script>alert(${index})</script>?`);
  const output = toText(`Answer ${index}.\n\u001b[31mred\u001b[0m \u202Ereversed`);
  const trace: LoggedStep[] = [
    { type: 'systemInstructions', atMs: 1 },
    { type: 'ifInputContains', atMs: 1.4, decision: 'else' },
    { type: 'callModel', atMs: 2, input, output },
    { type: 'serveOutput', atMs: 2 + call.latencyMs },
  ];
  const { tokensInput, tokensOutput, costMicrodollars, latencyMs } = call;
  return {
    input,
    output,
    trace,
    modelCalls: [call],
    tokensInput,
    tokensOutput,
    costMicrodollars,
    savingsMicrodollars: 0,
    latencyMs: latencyMs + 8,
    ownLatencyMs: 8,
  } as const;
}

function toText(text: string) {
  return { kind: 'full', text, bytes: Buffer.byteLength(text) } as const;
}

/** Gives numbers in [0, 1), always the same for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The log of a local run, with an organization's neurons and keys. Throws where there is no such organization. */
export async function openLog(folder: string, organization: string) {
  const stack = findLocalStack(folder, undefined, process.cwd());
  const { store, keys } = composePorts(stack);
  const owner = await store.readOrganization(organization);
  if (owner === undefined) throw new Error(`there is no organization ${organization}`);
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(clientConfig(stack, 'dynamodb')), {
    marshallOptions: { removeUndefinedValues: true },
  });
  const log = createLogStore(client, stack.outputs.logsTable, Number(stack.outputs.logShards));
  const made: string[] = [];
  for await (const { keyId } of keys.list(owner.id)) made.push(keyId);
  return { log, organizationId: owner.id, neurons: await store.listNeurons(owner), keys: made };
}

/** Puts the day into a local run. Returns how many entries were put. */
export async function putDay(folder: string, organization: string, entries: number): Promise<number> {
  const { log, keys, ...owner } = await openLog(folder, organization);
  const traffic = {
    ...owner,
    organization,
    entries,
    endMs: Date.now(),
    keys: keys.length === 0 ? ['key-0', 'key-1', 'key-2'] : keys,
  };
  let waiting: Promise<unknown>[] = [];
  for (const entry of makeDay(traffic)) {
    waiting.push(log.put(entry));
    if (waiting.length < PUTS_AT_ONCE) continue;
    await Promise.all(waiting);
    waiting = [];
  }
  await Promise.all(waiting);
  return entries;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      local: { type: 'string', default: '.local' },
      organization: { type: 'string', default: 'acme' },
      entries: { type: 'string', default: '20000' },
    },
  });
  const put = await putDay(values.local, values.organization, Number(values.entries));
  process.stdout.write(`${put} entries of ${values.organization}\n`);
}

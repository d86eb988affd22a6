// A recorded stream of each protocol, broken at every byte in every way, through the whole function to the client: whoever calls hears an
// error and never a short answer, the entry says `truncated`, nothing is kept, and no less is booked than the provider used.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { writeProof } from '../../../../bench/write-proof.ts';
import { NeuronClient, NeuronError } from '../../../../client/src/index.ts';
import type { StreamedAnswer } from '../../../adapters/providers/stream-http.ts';
import { BREAKS } from '../../../adapters/providers/streams/breaks.ts';
import { PROTOCOLS, type Protocol } from '../../../adapters/providers/streams/protocols.ts';
import { createMemoryCounters } from '../../../support/memory/counters.ts';
import { type Called, type Execution, loadExecution } from './execution.ts';
import { IS_PROOF, STREAM_SOURCES } from './proof.ts';

/** As a proof every byte; otherwise one in so many, each way beginning at another. */
const STRIDE = IS_PROOF ? 1 : 149;

/** What the model may use for a question of five bytes, as it is reserved. */
const MOST = 5 + 64 + 30;
/** What the recordings report, input and output. */
const REPORTED = { openai: 12 + 5, 'openai-responses': 22 + 6, anthropic: 13 + 5, bedrock: 8 + 10 };

const PROVIDERS = {
  openai: { type: 'openai', baseUrl: 'https://api.example.com/v1', apiKey: { secret: 'key' } },
  'openai-responses': {
    type: 'openai',
    api: 'responses',
    baseUrl: 'https://api.example.com/v1',
    apiKey: { secret: 'key' },
  },
  anthropic: { type: 'anthropic', baseUrl: 'https://api.example.com', apiKey: { secret: 'key' } },
  bedrock: { type: 'bedrock', region: 'us-east-1' },
};

const counters = createMemoryCounters();
let execution: Execution;

beforeAll(async () => {
  const neuron = (provider: string) => ({
    settings: {
      caching: { exact: true },
      rateLimits: [{ metric: 'tokens', scope: 'total', limit: 1_000_000_000, period: '1d' }],
    },
    flow: [{ callModel: { provider, model: 'm', maxTokens: 30, retries: 0, timeout: '3s' } }],
  });
  execution = await loadExecution(
    {
      providers: PROVIDERS,
      neurons: Object.fromEntries(Object.keys(PROVIDERS).map((name) => [name, neuron(name)])),
    },
    counters,
  );
});
afterAll(async () => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  if (IS_PROOF) await writeCuts();
});

/** How many streams there were, how many ended in an error, how many lost nothing and were whole. */
interface Counted {
  readonly streams: number;
  readonly errors: number;
  readonly whole: number;
}

/** By protocol and way, of those that held. */
const counts: Record<string, Record<string, Counted>> = {};

async function writeCuts(): Promise<void> {
  const all = Object.values(counts).flatMap((ways) => Object.values(ways));
  const sum = (name: keyof Counted) => all.reduce((total, counted) => total + counted[name], 0);
  const sums = { streams: sum('streams'), errors: sum('errors'), whole: sum('whole') };
  // Each of them or none: a proof is of all that it names.
  if (all.length === (Object.keys(BREAKS).length + 2) * PROTOCOLS.length + 1)
    await writeProof('stream-cuts', { ...sums, byProtocol: counts }, STREAM_SOURCES);
}

let asked = 10_000;
/** Another one each time: an answer that was kept would be served. */
const question = () => String(asked++);

const booked = () =>
  [...counters.states.values()].reduce((sum, { counts: { tokens } }) => sum + (tokens?.taken ?? 0), 0);

/** What the client of the service makes of an answer. */
async function readByClient({
  status,
  headers,
  body,
}: Called): Promise<{ output?: string; error?: unknown }> {
  const fetch = async () => new Response(new Uint8Array(body), { status, headers });
  const client = new NeuronClient({ baseURL: 'https://api.example.com', fetch, retry: { maxRetries: 0 } });
  try {
    let text = '';
    for await (const event of client.stream('acme', 'hello')) {
      if (event.type === 'delta') text += event.text;
      if (event.type === 'result')
        return event.result.output === text ? { output: text } : { error: 'deltas' };
    }
    return { error: 'no end' };
  } catch (error) {
    return { error };
  }
}

/** What is wrong with what became of a stream; undefined where it was an error, or lost nothing and was whole. */
async function problemOf(
  { name, recordedText }: Protocol,
  answer: StreamedAnswer,
  surface: 'native' | 'openai' = 'native',
): Promise<{ readonly problem?: string; readonly whole: boolean }> {
  const [storedBefore, bookedBefore] = [execution.stored(), booked()];
  let waited = Promise.resolve();
  execution.answerWith(() => ({
    headers: { 'content-type': 'text/event-stream' },
    // Past the time that an attempt may be silent.
    onStall: () => {
      waited = execution.clock.advance(4_000);
    },
    ...answer,
  }));
  const json =
    surface === 'native'
      ? { input: question() }
      : { model: name, stream: true, messages: [{ role: 'user', content: question() }] };
  const called = await execution.call(name, json, { surface });
  await waited;
  const entry = execution.entries.get(called.executionId);
  const call = entry?.modelCalls[0];
  const tokens = booked() - bookedBefore;
  const isStored = execution.stored() > storedBefore;
  const { output, error } = surface === 'native' ? await readByClient(called) : readOpenai(called);
  if (output !== undefined) {
    const isRight = output === recordedText && entry?.outcome === 'success';
    return { whole: true, ...(isRight ? {} : { problem: `a short answer: ${output}` }) };
  }
  const right = {
    error: error instanceof NeuronError && error.statusCode === 503 && error.code === 'upstream_unavailable',
    entry: entry?.outcome === 'failed' && call?.finish === 'truncated' && call.estimated,
    booked:
      tokens >= Math.max(MOST, REPORTED[name]) &&
      tokens === (entry?.tokensInput ?? 0) + (entry?.tokensOutput ?? 0),
    'nothing kept': !isStored,
  };
  const wrong = Object.entries(right).flatMap(([what, isRight]) => (isRight ? [] : [what]));
  const seen = `${called.status} ${called.body.toString()}, ${call?.finish}, ${tokens} tokens`;
  return {
    whole: false,
    ...(wrong.length === 0 ? {} : { problem: `not right: ${wrong.join(', ')}: ${seen}` }),
  };
}

/** As clients of OpenAI do that hear errors: by the event. */
function readOpenai({ status, body }: Called): { output?: string; error?: unknown } {
  const failure = new NeuronError({
    ...{ error: 'from the event', statusCode: 503, code: 'upstream_unavailable' },
    ...{ retryAfter: undefined, executionId: undefined },
  });
  const text = body.toString();
  if (status !== 200) return status === 503 ? { error: failure } : {};
  const data = text.split('\n\n').flatMap((event) => (event.startsWith('data: ') ? [event.slice(6)] : []));
  const chunks = data.flatMap((one) => (one === '[DONE]' ? [] : [JSON.parse(one)]));
  if (chunks.some((chunk) => chunk.error !== undefined)) return { error: failure };
  if (data.at(-1) !== '[DONE]') return { error: 'no end' };
  return { output: chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('') };
}

/** Breaks a stream at these positions. */
async function breakAt(
  protocol: Protocol,
  way: string,
  positions: readonly number[],
  answerAt: (at: number) => StreamedAnswer,
  surface?: 'native' | 'openai',
): Promise<void> {
  const problems: string[] = [];
  let whole = 0;
  for (const at of positions) {
    const outcome = await problemOf(protocol, answerAt(at), surface);
    if (outcome.problem !== undefined) problems.push(`${at}: ${outcome.problem}`);
    if (outcome.whole) whole += 1;
  }
  expect(problems).toEqual([]);
  const streams = positions.length;
  counts[protocol.name] ??= {};
  Object.assign(counts[protocol.name] ?? {}, { [way]: { streams, errors: streams - whole, whole } });
  // A body that ends, or goes on, behind the reason for which the model stopped has lost nothing.
  expect(streams - whole).toBeGreaterThan(streams * 0.7);
}

const positionsOf = (length: number, first = 0) =>
  Array.from({ length: Math.ceil((length - first) / STRIDE) }, (_, index) => first + index * STRIDE);

describe.each(PROTOCOLS)('a stream of $name', (protocol) => {
  const { recorded, recordedText } = protocol;

  it('is a whole answer, kept and booked, where nothing breaks it', async () => {
    const before = { stored: execution.stored(), booked: booked() };
    expect(await problemOf(protocol, { pieces: [recorded] })).toEqual({ whole: true });
    expect(recordedText).not.toBe('');
    // The recording of Bedrock was ended by its maximum of tokens, and such an answer is not kept.
    expect(execution.stored() - before.stored).toBe(protocol.name === 'bedrock' ? 0 : 1);
    expect(booked() - before.booked).toBe(REPORTED[protocol.name]);
  });

  it.each(Object.keys(BREAKS).map((way, index) => ({ way, index })))(
    'breaks by $way',
    { timeout: 600_000 },
    async ({ way, index }) => {
      const answerAt = (at: number) => BREAKS[way]!(recorded.subarray(0, at), protocol);
      await breakAt(protocol, way, positionsOf(recorded.length, IS_PROOF ? 0 : index), answerAt);
    },
  );

  it('breaks by the end of its body, as clients of OpenAI read it', { timeout: 600_000 }, async () => {
    const answerAt = (at: number) => ({ pieces: [recorded.subarray(0, at)] });
    await breakAt(
      protocol,
      "clean close, in OpenAI's form",
      positionsOf(recorded.length),
      answerAt,
      'openai',
    );
  });

  it('has JSON of an error in its place, cut anywhere', { timeout: 600_000 }, async () => {
    const body = Buffer.from(protocol.jsonError);
    const headers = { 'content-type': 'application/json' };
    const answerAt = (at: number) => ({ headers, pieces: [body.subarray(0, at)] });
    await breakAt(protocol, '200 with a JSON error', [...positionsOf(body.length), body.length], answerAt);
  });
});

describe('a stream of bedrock', () => {
  it('has a wrong checksum, by a bit of any byte', { timeout: 600_000 }, async () => {
    const protocol = PROTOCOLS.find(({ name }) => name === 'bedrock')!;
    const answerAt = (at: number) => {
      const changed = Buffer.from(protocol.recorded);
      changed[at]! ^= 1 << (at % 8);
      return { pieces: [changed] };
    };
    await breakAt(protocol, 'wrong CRC', positionsOf(protocol.recorded.length), answerAt);
  });
});

// The execution function in front of a model that says what a test tells it to, with guards, and everything that it has kept and sent.
import type { Readable } from 'node:stream';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { OpenHttp } from '../../../../adapters/http/message.ts';
import type { LogEntry } from '../../../../core/contract/log-entry.ts';
import { toSpans } from '../../../../core/logs/traces/to-spans.ts';
import { serve } from '../../../../lambdas/execute/serve.ts';
import { createStreamHttp } from '../../../adapters/providers/stream-http.ts';
import { sse } from '../../../adapters/providers/streams/protocols.ts';
import { createMemoryClock, type MemoryClock } from '../../../support/memory/clock.ts';
import { createMemoryCounters } from '../../../support/memory/counters.ts';
import { createMemoryIdempotency } from '../../../support/memory/idempotency.ts';
import { createMemoryResponseCache } from '../../../support/memory/response-cache.ts';
import { type CallForm, eventOf, portsOf } from '../memory-ports.ts';

/** What the model answers. */
export interface Told {
  readonly text?: string;
  readonly thought?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: string }[];
  /** In place of an answer of Chat Completions. */
  readonly body?: object;
  /** In place of its chunks. */
  readonly chunks?: readonly object[];
  /** With another one than 200 `body` is the answer, to a request for a stream too. */
  readonly status?: number;
  /** In place of server-sent events: the frames of a stream of Bedrock. */
  readonly frames?: readonly Buffer[];
  /** Characters of a piece of a stream. */
  readonly size?: number;
}

interface GuardedNeuron {
  readonly library?: object;
  readonly mandatory?: readonly object[];
  readonly guards?: readonly object[];
  readonly settings?: object;
  readonly flow?: readonly object[];
  readonly variables?: object;
  readonly prices?: object;
  /** Beside the provider `model`. */
  readonly providers?: object;
  readonly usageLimits?: readonly object[];
  /** Answers guards by services. */
  readonly guardHttp?: OpenHttp;
  readonly clock?: MemoryClock;
}

const CALL = { callModel: { provider: 'model', model: 'm', maxTokens: 500, retries: 0, accepts: 'all' } };

/** `answer` is called with the body of each request to the model. */
export function openGuarded(
  neuron: GuardedNeuron,
  answer: (asked: string) => Told = () => ({ text: 'Hi.' }),
) {
  const clock = neuron.clock ?? createMemoryClock(Date.UTC(2026, 10, 22, 12));
  const entries: LogEntry[] = [];
  const lines: string[] = [];
  const asked: string[] = [];
  const cache = createMemoryResponseCache();
  const stored: unknown[] = [];
  const repeats = createMemoryIdempotency();
  const counters = createMemoryCounters();
  const memory = portsOf(
    {
      providers: {
        model: { type: 'openai', baseUrl: 'https://api.example.com/v1' },
        ...neuron.providers,
      },
      ...(neuron.prices === undefined ? {} : { prices: neuron.prices }),
      more: {
        guards: neuron.library,
        mandatory: neuron.mandatory ?? [],
        usageLimits: neuron.usageLimits ?? [],
      },
      neurons: {
        support: {
          settings: { logging: { bodies: 'full' }, guards: neuron.guards ?? [], ...neuron.settings },
          flow: neuron.flow ?? [CALL],
          ...(neuron.variables === undefined ? {} : { variables: neuron.variables }),
        },
      },
    },
    counters,
    {
      clock,
      ...(neuron.guardHttp === undefined ? {} : { guardHttp: neuron.guardHttp }),
      openHttp: (request) => {
        const body = String(request.body);
        asked.push(body);
        const told = answer(body);
        const isFramed = request.url.endsWith('/converse-stream');
        const { status = 200 } = told;
        const isStream = status === 200 && (isFramed || body.includes('"stream":true'));
        const ofStream = isFramed ? 'application/vnd.amazon.eventstream' : 'text/event-stream';
        const type = isStream ? ofStream : 'application/json';
        const pieces = isStream ? (told.frames ?? piecesOf(told)) : [wholeOf(told)];
        return createStreamHttp({ status, headers: { 'content-type': type }, pieces }).openHttp(request);
      },
      responses: {
        ...cache,
        write: async (scope, hash, kept) => {
          stored.push(kept);
          await cache.write(scope, hash, kept);
        },
      },
      logs: { put: async (entry) => entries.push(entry) > 0 },
    },
  );
  const store = {
    ...repeats,
    complete: async (...kept: Parameters<typeof repeats.complete>) => {
      stored.push(kept);
      return repeats.complete(...kept);
    },
  };
  const ports = {
    ...memory,
    lines: { write: (line: string) => void lines.push(line) },
    openIdempotency: async () => store,
  };
  let calls = 0;
  const callAndFinish = (json: object, form: CallForm = {}) => {
    const { promise: finished, resolve } = Promise.withResolvers<void>();
    return { answer: answerOf(json, form, resolve), finished };
  };
  const call = async (json: object, form: CallForm = {}) => {
    const { answer, finished } = callAndFinish(json, form);
    const answered = await answer;
    await finished;
    return answered;
  };
  /** `timeout` ends it early, as the time of a function does. */
  const begin = (json: object, form: CallForm = {}) => {
    calls += 1;
    const event = eventOf('support', json, { stream: false, ...form }, `call-${calls}`, clock);
    const timeout = new AbortController();
    return { timeout, served: serve(event as APIGatewayProxyEvent, timeout.signal, ports) };
  };
  const answerOf = async (json: object, form: CallForm, onFinished: () => void) => {
    const served = await begin(json, form).served;
    const { status, body, headers } = served.answer();
    const text = typeof body === 'string' ? body : await readAll(body);
    void served.finish().then(onFinished);
    return { status, text, headers };
  };
  /** Log, lines with their metrics, cache, kept answers, and spans with their texts. */
  const kept = () => JSON.stringify([entries, lines, stored, entries.map((entry) => toSpans(entry, true))]);
  return { begin, call, callAndFinish, asked, counters, entries, lines, stored, kept, ports, clock };
}

function wholeOf({ text = '', thought, toolCalls = [], body }: Told): string {
  if (body !== undefined) return JSON.stringify(body);
  const calls = toolCalls.map((one, index) => ({ id: `call_${index}`, type: 'function', function: one }));
  const thinking = thought === undefined ? {} : { reasoning_content: thought };
  const message = {
    role: 'assistant',
    content: text,
    ...thinking,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return JSON.stringify({
    choices: [{ index: 0, message, finish_reason: calls.length === 0 ? 'stop' : 'tool_calls' }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  });
}

function* piecesOf({ text = '', thought = '', toolCalls = [], size = 4, chunks }: Told): Generator<string> {
  if (chunks !== undefined) {
    for (const chunk of chunks) yield sse(chunk);
    return yield sse('[DONE]');
  }
  for (let at = 0; at < thought.length; at += size) {
    const reasoning_content = thought.slice(at, at + size);
    yield sse({ choices: [{ index: 0, delta: { reasoning_content } }] });
  }
  const characters = [...text];
  for (let at = 0; at < characters.length; at += size) {
    const content = characters.slice(at, at + size).join('');
    yield sse({ choices: [{ index: 0, delta: { content } }] });
  }
  for (const [index, one] of toolCalls.entries()) {
    const call = { index, id: `call_${index}`, type: 'function', function: one };
    yield sse({ choices: [{ index: 0, delta: { tool_calls: [call] } }] });
  }
  const finish = toolCalls.length === 0 ? 'stop' : 'tool_calls';
  yield sse({ choices: [{ index: 0, delta: {}, finish_reason: finish }] });
  yield sse({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } });
  yield sse('[DONE]');
}

async function readAll(body: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

/** The texts of a native answer, whole or streamed, as one. */
export function textOf(answer: string): string {
  if (answer.startsWith('{')) return JSON.parse(answer).output ?? '';
  const events = answer.split('\n\n').filter((event) => event.includes('event: delta'));
  return events.map((event) => JSON.parse(event.slice(event.indexOf('data: ') + 6)).text).join('');
}

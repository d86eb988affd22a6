// One call through `serve`, with every duty of its end written down in the order in which it is done.
import type { Readable } from 'node:stream';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { LogEntry } from '../../../core/contract/log-entry.ts';
import type { ExecutionPorts } from '../../../lambdas/execute/compose.ts';
import type { ServedAnswer } from '../../../lambdas/execute/run.ts';
import { serve } from '../../../lambdas/execute/serve.ts';
import { createStreamHttp } from '../../adapters/providers/stream-http.ts';
import { sse } from '../../adapters/providers/streams/protocols.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryCounters } from '../../support/memory/counters.ts';
import { createMemoryIdempotency } from '../../support/memory/idempotency.ts';
import { createMemoryResponseCache } from '../../support/memory/response-cache.ts';
import { type CallForm, eventOf, portsOf } from './memory-ports.ts';

const wholeOf = (content: string) =>
  JSON.stringify({
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  });
const PIECE = sse({ choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] });

/** The duties of a run with an idempotency key that asks a model, in order. */
export const DUTIES = ['open line', 'line', 'complete', 'followers', 'settle', 'entry', 'cache', 'last use'];

/** What happens to a duty in place of it. */
type Instead = Partial<Record<string, () => unknown>>;

/** How a function differs from the usual one. */
interface FunctionOptions {
  /** Further settings of the model call. */
  readonly callModel?: object;
  /** The answer where it is not streamed. */
  readonly text?: string;
  /** Takes each line that was written. */
  readonly print?: (line: string) => void;
  /** Ports in place of the usual ones. */
  readonly replace?: (usual: ExecutionPorts) => Partial<ExecutionPorts>;
}

/** A function whose model answers when `tell` is called; `instead` replaces a duty by its name. */
export function openFunction(
  instead: Instead = {},
  { callModel, text = 'Hi', print, replace }: FunctionOptions = {},
) {
  const clock = createMemoryClock(Date.UTC(2026, 10, 22, 12));
  const duties: string[] = [];
  const lines: Record<string, unknown>[] = [];
  const entries: LogEntry[] = [];
  const told = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const stored = createMemoryIdempotency();
  const counters = createMemoryCounters();
  const responses = createMemoryResponseCache();
  const does = <Args extends unknown[], Result>(duty: string, work: (...args: Args) => Result) => {
    return (...args: Args): Result => {
      duties.push(duty);
      return (instead[duty]?.() as Result | undefined) ?? work(...args);
    };
  };
  async function* pieces(isStream: boolean): AsyncGenerator<string> {
    asked.resolve();
    instead['model']?.();
    await told.promise;
    yield isStream ? PIECE + sse('[DONE]') : wholeOf(text);
  }
  const call = { callModel: { provider: 'model', model: 'm', maxTokens: 30, retries: 0, ...callModel } };
  const settings = {
    access: { apiKey: true },
    caching: { exact: true },
    rateLimits: [{ metric: 'tokens', scope: 'total', limit: 1_000, period: '1d' }],
  };
  const memory = portsOf(
    {
      providers: { model: { type: 'openai', baseUrl: 'https://api.example.com/v1' } },
      neurons: { hello: { settings, flow: [call] } },
    },
    { ...counters, settle: does('settle', counters.settle) },
    {
      clock,
      responses: { ...responses, write: does('cache', responses.write) },
      logs: { put: does('entry', async (entry) => entries.push(entry) > 0) },
      openHttp: (request) => {
        const isStream = request.body?.includes('"stream":true') === true;
        const type = isStream ? 'text/event-stream' : 'application/json';
        const answer = { headers: { 'content-type': type }, pieces: pieces(isStream) };
        return createStreamHttp(answer).openHttp(request);
      },
    },
  );
  const write = (line: string): void => {
    const parsed = JSON.parse(line);
    does(parsed.neuronRun === undefined ? 'line' : 'open line', () => lines.push(parsed))();
    print?.(line);
  };
  const store = {
    ...stored,
    complete: does('complete', stored.complete),
    release: does('release', stored.release),
  };
  const usual: ExecutionPorts = {
    ...memory,
    lines: { write },
    validateJson: does('validate', memory.validateJson),
    openIdempotency: async () => store,
    inFlight: {
      join(key) {
        const run = memory.inFlight.join(key);
        return run.role === 'follower' ? run : { ...run, complete: does('followers', run.complete) };
      },
    },
    keyUses: { ...memory.keyUses, record: does('last use', async () => undefined) },
  };
  const ports = { ...usual, ...replace?.(usual) };
  let calls = 0;
  const begin = (form: CallForm & { readonly input?: string } = {}) => {
    calls += 1;
    const { input = 'Hello', ...rest } = form;
    const event = eventOf('hello', { input }, { stream: false, ...rest }, `call-${calls}`, clock);
    Object.assign(event.requestContext?.authorizer ?? {}, { authentication: 'apiKey', keyId: 'key-1' });
    const timeout = new AbortController();
    return { timeout, served: serve(event as APIGatewayProxyEvent, timeout.signal, ports) };
  };
  return { begin, clock, duties, lines, entries, counters, tell: told.resolve, asked: asked.promise };
}

/** Status and body of an answer that has left, once the work after it is done. */
export async function finish(
  served: ServedAnswer,
): Promise<{ readonly status: number; readonly body: string }> {
  const { status, body } = served.answer();
  const text = typeof body === 'string' ? body : await readAll(body);
  await served.finish();
  return { status, body: text };
}

async function readAll(body: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

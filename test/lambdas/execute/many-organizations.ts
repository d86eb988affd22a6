// One environment of the execution function that serves eight organizations, in front of a model that repeats what it was asked, in its own time.

import type { Readable } from 'node:stream';
import { setImmediate as later } from 'node:timers/promises';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { OpenHttp } from '../../../adapters/http/message.ts';
import { readingWhole } from '../../../adapters/http/read-whole.ts';
import { createProviders } from '../../../adapters/providers/index.ts';
import type { LogEntry } from '../../../core/contract/log-entry.ts';
import type { Route } from '../../../core/contract/routes.ts';
import { cacheSettings } from '../../../core/settings/settings-cache.ts';
import { cacheVersions } from '../../../core/settings/version-cache.ts';
import { serve } from '../../../lambdas/execute/serve.ts';
import { createStreamHttp } from '../../adapters/providers/stream-http.ts';
import { sse } from '../../adapters/providers/streams/protocols.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryCounters } from '../../support/memory/counters.ts';
import { createMemoryResponseCache } from '../../support/memory/response-cache.ts';
import { createMemorySecretReader, type SecretPath } from '../../support/memory/secrets.ts';
import { eventOf, portsOf } from './memory-ports.ts';

export const ORGANIZATIONS = Array.from({ length: 8 }, (_, index) => `org-${index}`);
export const NEURONS = ['plain', 'guarded', 'cached', 'limited'] as const;
export const SURFACES = [
  'native',
  'openai',
  'responses',
  'anthropic',
] as const satisfies readonly Route['surface'][];
/** Calls of `limited` that each organization has. */
export const LIMIT = 2;

export interface ManyCall {
  readonly organization: string;
  readonly neuron: (typeof NEURONS)[number];
  readonly surface: (typeof SURFACES)[number];
  readonly stream: boolean;
  /** The function is about to be ended while the model is asked. */
  readonly isKilled: boolean;
}

const SETTINGS = {
  plain: {},
  guarded: { guards: [{ use: 'pii', on: ['input'], action: 'mask' }] },
  cached: { caching: { exact: true } },
  limited: { rateLimits: [{ metric: 'requests', scope: 'total', limit: LIMIT, period: '1d' }] },
};
const FLOW = [{ callModel: { provider: 'model', model: 'm', maxTokens: 500, retries: 0, accepts: 'all' } }];
const LIMITS = { ttlMs: 15_000, maxStaleMs: 60_000, unknownMs: 5_000, maximum: 100 };

/** An upstream request: whose key it has, and what it says. */
interface Asked {
  readonly key: string | undefined;
  readonly body: string;
}

export function openEnvironment() {
  const clock = createMemoryClock(Date.UTC(2026, 10, 22, 12));
  const entries: LogEntry[] = [];
  const lines: string[] = [];
  const asked: Asked[] = [];
  const secrets = createMemorySecretReader(
    new Map(
      ORGANIZATIONS.flatMap((id): [SecretPath, string][] => [
        [`${id}/providers/key`, `sk-${id}`],
        [`${id}/providers/log:hmac`, id.repeat(9)],
      ]),
    ),
  );
  const openHttp: OpenHttp = async (request) => {
    const body = String(request.body);
    const [, key] =
      Object.entries(request.headers ?? {}).find(([name]) => name.toLowerCase() === 'authorization') ?? [];
    asked.push({ key: String(key), body });
    const answer = createStreamHttp(answerOf(body));
    // Calls overtake each other.
    for (let turns = body.length % 7; turns > 0; turns -= 1) await later();
    return answer.openHttp(request);
  };
  const memory = portsOf({ providers: {}, neurons: {} }, createMemoryCounters(), {
    clock,
    openHttp,
    responses: createMemoryResponseCache(),
    logs: { put: async (entry) => entries.push(entry) > 0 },
  });
  const lookUp = createProviders({ secrets, http: readingWhole(openHttp), openHttp, clock });
  const ports = {
    ...memory,
    ...{ secrets, lines: { write: (line: string) => void lines.push(line) } },
    settings: cacheSettings(
      { read: async (slug: string, neuron: string) => storedOf(slug, neuron) },
      clock,
      LIMITS,
    ),
    versions: cacheVersions(
      { read: async (_organization: string, neuronId: string, id: string) => versionOf(neuronId, id) },
      100,
    ),
    providersOf: (usable: Parameters<typeof memory.providersOf>[0]) =>
      lookUp(usable.organizationId, usable.organization.providers),
  };

  /** The text of the answer, and its status. */
  async function call(one: ManyCall, text: string, executionId: string) {
    const controller = new AbortController();
    const form = { surface: one.surface, stream: one.surface === 'native' && one.stream };
    const event = eventOf(one.neuron, bodyOf(one, text), form, executionId, clock);
    const authorizer = {
      ...event.requestContext?.authorizer,
      ...{
        organization: one.organization,
        organizationId: one.organization,
        neuronId: `${one.organization}-${one.neuron}`,
      },
    };
    const own = {
      ...event,
      pathParameters: { organization: one.organization, neuron: one.neuron },
      requestContext: { ...event.requestContext, authorizer },
    };
    if (one.isKilled) void later().then(() => controller.abort(new Error('the function ends')));
    const served = await serve(own as unknown as APIGatewayProxyEvent, controller.signal, ports);
    const { status, body, headers } = served.answer();
    const answered = typeof body === 'string' ? body : await readAll(body);
    await served.finish();
    return { status, headers, text: answered };
  }
  return { call, entries, lines, asked };
}

function storedOf(slug: string, neuron: string) {
  const settings = SETTINGS[neuron as keyof typeof SETTINGS];
  const id = `${slug}-${neuron}`;
  const model = { type: 'openai', baseUrl: `https://${slug}.example.com/v1`, apiKey: { secret: 'key' } };
  const document = {
    organization: slug,
    providers: { model },
    guards: { pii: { type: 'pii', entities: ['email'] } },
  };
  return {
    organization: { id: slug, slug, pause: undefined, write: 1, document },
    neuron: {
      ...{ id, organizationId: slug, slug: neuron, write: 1, previewKeys: {}, cacheGeneration: 0 },
      document: {
        neuron: `${slug}/${neuron}`,
        access: { public: true },
        logging: { bodies: 'full' },
        ...settings,
      },
      deployment: { version: 'v1', number: 1 },
    },
    maintenance: undefined,
  };
}

function versionOf(neuronId: string, id: string) {
  const made = { createdAt: '2026-11-22T12:00:00.000Z', author: 'test', message: undefined };
  return { id, neuronId, ...made, flow: FLOW };
}

function bodyOf({ neuron: model, surface, stream }: ManyCall, text: string): object {
  if (surface === 'native') return { input: text };
  if (surface === 'responses') return { model, input: text, stream };
  const messages = [{ role: 'user', content: text }];
  return { model, messages, stream, ...(surface === 'anthropic' ? { max_tokens: 99 } : {}) };
}

/** Repeats the last text. */
function answerOf(body: string) {
  const json = JSON.parse(body) as {
    messages: readonly { content: string | readonly { text: string }[] }[];
    stream?: boolean;
  };
  const content = json.messages.at(-1)?.content ?? '';
  const text = typeof content === 'string' ? content : content.map((part) => part.text).join('');
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  if (json.stream !== true) {
    const choices = [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }];
    return { headers: { 'content-type': 'application/json' }, pieces: [JSON.stringify({ choices, usage })] };
  }
  return { headers: { 'content-type': 'text/event-stream' }, pieces: piecesOf(text, usage) };
}

async function* piecesOf(text: string, usage: object): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += 5) {
    await later();
    yield sse({ choices: [{ index: 0, delta: { content: text.slice(at, at + 5) } }] });
  }
  yield sse({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  yield sse({ choices: [], usage });
  yield sse('[DONE]');
}

async function readAll(body: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

// What becomes of each member of a vendor's types: sent upstream, left out by name, passed over, or refused. A table names every member, so
// that one which a new release of the vendor's client adds fails the compiler.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { serve } from '../../../../lambdas/execute/serve.ts';
import { createStreamHttp } from '../../../adapters/providers/stream-http.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';
import { createMemoryCounters } from '../../../support/memory/counters.ts';
import { createMemoryResponseCache } from '../../../support/memory/response-cache.ts';
import { eventOf, portsOf } from '../memory-ports.ts';
import { finish } from '../served.ts';

/**
 * `sent`: another request to the provider. `left out`: the same one, and the answer names the member. `read`: it steers this service, or is
 * a part of every request. `passed over`: within messages, parts, calls and tools, whatever SDKs hang on. `refused`: 400 or 422 that names it.
 */
type Outcome = 'sent' | 'left out' | 'read' | 'passed over' | 'refused';

export const PROVIDERS = ['openai', 'anthropic', 'bedrock'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** An example, and what becomes of it: at each provider alike, or at OpenAI's kind, Anthropic and Bedrock. */
export type Case<Value = unknown> = readonly [
  value: Value,
  outcome: Outcome | readonly [openai: Outcome, anthropic: Outcome, bedrock: Outcome],
];

/** Every member of a type. */
export type Members<Type> = { readonly [Name in keyof Type]-?: Case<NonNullable<Type[Name]>> };

/** Every value of `type` of a union. */
export type Types<Union extends { readonly type?: unknown }> = {
  readonly [Name in Exclude<Union['type'], null | undefined> & string]: Case<object>;
};

/** A type of a vendor, and where its members stand in a request. */
export interface Group {
  readonly name: string;
  readonly members: Readonly<Record<string, Case>>;
  /** The body with a member, and without it. */
  place(name: string, value: unknown): object;
  readonly base: object;
}

type SurfaceName = 'openai' | 'responses' | 'anthropic';

const ANSWERS: Readonly<Record<Provider, object>> = {
  openai: { choices: [{ index: 0, message: { role: 'assistant', content: '{}' }, finish_reason: 'stop' }] },
  anthropic: {
    ...{ type: 'message', content: [{ type: 'text', text: '{}' }], stop_reason: 'end_turn' },
    usage: { input_tokens: 1, output_tokens: 1 },
  },
  bedrock: {
    ...{ output: { message: { role: 'assistant', content: [{ text: '{}' }] } }, stopReason: 'end_turn' },
    usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
  },
};

const MODELS: Readonly<Record<Provider, string>> = {
  openai: 'gpt-5.1',
  anthropic: 'claude-sonnet-4-6',
  bedrock: 'us.anthropic.claude-sonnet-4-6',
};

/** A neuron for each provider, which takes all that a caller may send. */
export function openGateway(surface: SurfaceName) {
  const clock = createMemoryClock(Date.UTC(2026, 10, 22, 12));
  const asked: { url: string; body: string }[] = [];
  const neuronOf = (provider: Provider) => ({
    settings: { maxInputBytes: 1_000_000 },
    flow: [
      {
        callModel: {
          ...{ provider, model: MODELS[provider], retries: 0, accepts: 'all' },
          images: { byAddress: true },
        },
      },
    ],
  });
  const ports = portsOf(
    {
      providers: {
        openai: { type: 'openai', baseUrl: 'https://openai.example.com/v1' },
        anthropic: { type: 'anthropic', baseUrl: 'https://api.example.com', apiKey: { secret: 'key' } },
        bedrock: { type: 'bedrock', region: 'us-east-1' },
      },
      neurons: Object.fromEntries(PROVIDERS.map((provider) => [provider, neuronOf(provider)])),
    },
    createMemoryCounters(),
    {
      clock,
      responses: createMemoryResponseCache(),
      logs: { put: async () => true },
      openHttp: (request) => {
        asked.push({ url: request.url, body: request.body ?? '' });
        const { hostname } = new URL(request.url);
        const provider = PROVIDERS.find((one) => hostname.startsWith(one)) ?? 'anthropic';
        const pieces = [JSON.stringify(ANSWERS[provider])];
        return createStreamHttp({ headers: { 'content-type': 'application/json' }, pieces }).openHttp(
          request,
        );
      },
    },
  );
  let calls = 0;
  return async (provider: Provider, json: object) => {
    calls += 1;
    asked.length = 0;
    const body = { ...json, model: provider };
    const event = eventOf(provider, body, { stream: false, surface }, `call-${calls}`, clock);
    const served = await serve(event as APIGatewayProxyEvent, new AbortController().signal, ports);
    const { headers } = served.answer();
    const { status, body: text } = await finish(served);
    return { status, text, leftOut: headers['X-Neuron-Left-Out'] ?? '', asked: asked[0]?.body };
  };
}

/** What became of a member: `silent` for the same request, and not a word. */
export async function outcomeOf(
  call: ReturnType<typeof openGateway>,
  provider: Provider,
  { base, place }: Pick<Group, 'base' | 'place'>,
  [name, value]: readonly [name: string, value: unknown],
): Promise<{ readonly outcome: string; readonly text: string }> {
  const before = await call(provider, base);
  const { status, text, leftOut, asked } = await call(provider, place(name, value));
  if (asked === undefined)
    return { outcome: status === 400 || status === 422 ? 'refused' : `${status}`, text };
  if (asked !== before.asked) return { outcome: 'sent', text };
  const isNew = leftOut.split(', ').some((one) => one !== '' && !before.leftOut.split(', ').includes(one));
  return { outcome: isNew ? 'left out' : 'silent', text: leftOut };
}

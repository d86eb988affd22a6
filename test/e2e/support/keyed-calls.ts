// Calls with idempotency keys, and the neurons that they are made of.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Answer, CallOptions } from './call.ts';
import type { Stack } from './stack.ts';

/** `baseUrl` is that of a model that answers when it is told to. */
export const idempotencySettings = (baseUrl: string) => `organization: acme
providers: { gate: { type: openai, baseUrl: "${baseUrl}", timeout: 4m }, demo: { type: echo } }
---
neuron: acme/once
access: { public: true }
deadline: 50s
rateLimits: [{ metric: requests, scope: total, limit: 50, period: 1d }]
flow: [{ callModel: { provider: gate, model: m, maxTokens: 10, retries: 0 } }]
---
neuron: acme/brief
access: { public: true }
deadline: 4s
flow: [{ callModel: { provider: gate, model: m, maxTokens: 10, retries: 0 } }]
---
neuron: acme/hello
access: { public: true }
caching: { exact: true }
flow: [{ callModel: { provider: demo, model: m, maxTokens: 100 } }]
---
neuron: acme/other
access: { public: true }
flow: [{ callModel: { provider: demo, model: m, maxTokens: 100 } }]
---
neuron: acme/limited
access: { public: true }
rateLimits: [{ metric: requests, scope: total, limit: 1, period: 1d }]
flow: [{ callModel: { provider: demo, model: m, maxTokens: 100 } }]
---
neuron: acme/keyed
access: { apiKey: true }
flow: [{ callModel: { provider: demo, model: m, maxTokens: 100 } }]
---
neuron: acme/stopping
access: { public: true }
flow: [{ stop: { text: Enough. } }]`;

/** Calls a path with a key, or without one. */
export type SendKeyed = (path: string, key: string | undefined, options?: CallOptions) => Promise<Answer>;

/** Says hello where nothing else is to be sent. */
export function sendKeyed(
  { call }: Pick<Stack, 'call'>,
  path: string,
  key: string | undefined,
  { headers, ...options }: CallOptions = {},
): Promise<Answer> {
  const own = key === undefined ? {} : { 'idempotency-key': key };
  return call(path, { json: { input: 'Hello' }, ...options, headers: { ...own, ...headers } });
}

/** True for an answer that was given before. */
export function isReplay({ headers }: Answer): boolean {
  return headers['idempotency-replayed'] === 'true';
}

/** The execution that made an answer. */
export function idOf({ headers }: Answer): string {
  return String(headers['x-execution-id']);
}

/** The same call twice: the second answer is the first one, marked. Their bodies are left to the caller: a stream comes again in one piece. */
export async function expectRepeated(
  send: SendKeyed,
  path: string,
  options: CallOptions = {},
): Promise<readonly [Answer, Answer]> {
  const key = randomUUID();
  const first = await send(path, key, options);
  const second = await send(path, key, options);
  expect([isReplay(first), isReplay(second)]).toEqual([false, true]);
  const told = (answer: Answer) => ({
    ...{ status: answer.status, type: answer.headers['content-type'], id: idOf(answer) },
    ...{ cache: answer.headers['x-cache'], stopped: answer.headers['x-execution-stopped'] },
  });
  expect(told(second)).toEqual(told(first));
  if (first.headers['x-stream'] === undefined) expect(second.text).toBe(first.text);
  return [first, second];
}

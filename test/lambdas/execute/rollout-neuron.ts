// A neuron of two versions behind the execution function, whose rollout a test moves.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect } from 'vitest';
import type { LogEntry } from '../../../core/contract/log-entry.ts';
import type { ResponseCacheStore } from '../../../core/ports/response-cache.ts';
import type { Rollout } from '../../../core/settings/stored-settings.ts';
import { serve } from '../../../lambdas/execute/serve.ts';
import { createStreamHttp } from '../../adapters/providers/stream-http.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryCounters } from '../../support/memory/counters.ts';
import { createMemoryResponseCache } from '../../support/memory/response-cache.ts';
import { eventOf, portsOf } from './memory-ports.ts';
import { finish } from './served.ts';

export interface Caller {
  readonly username?: string;
  readonly keyId?: string;
  readonly keyGrants?: object;
  readonly endUser?: string;
  readonly user?: string;
  readonly surface?: 'native' | 'openai';
}

type Prompt = (version: string) => readonly object[];

const sayVersion: Prompt = (id) => [
  { callModel: { provider: 'echo', model: 'echo', prompt: `${id} {{input}}` } },
];

/** `acme/hello` whose versions say their own ids. */
export function openNeuron(
  stored: Rollout | undefined,
  responses: ResponseCacheStore = createMemoryResponseCache(),
  flowOf: (version: string) => readonly object[] | undefined = sayVersion,
  expected = 200,
) {
  const clock = createMemoryClock(Date.UTC(2026, 10, 22, 12));
  const entries: LogEntry[] = [];
  let rollout = stored;
  const usual = portsOf(
    {
      providers: { echo: { type: 'echo' } },
      neurons: {
        hello: { settings: { access: { public: true }, caching: { exact: true } }, flow: [] },
      },
    },
    createMemoryCounters(),
    {
      clock,
      responses,
      logs: { put: async (entry) => entries.push(entry) > 0 },
      openHttp: createStreamHttp({ headers: {}, pieces: (async function* () {})() }).openHttp,
    },
  );
  const versions = {
    read: async (_organization: string, neuronId: string, id: string) => {
      const made = { createdAt: '2026-11-22T12:00:00.000Z', author: 'test', message: undefined };
      const flow = flowOf(id);
      return flow && { id, neuronId, ...made, flow };
    },
  };
  const settings = {
    async read(...args: Parameters<typeof usual.settings.read>) {
      const known = await usual.settings.read(...args);
      if (known.verdict.usable === false) throw new Error(known.verdict.reason);
      return {
        ...known,
        verdict: { usable: true as const, settings: { ...known.verdict.settings, rollout } },
      };
    },
  };
  const ports = { ...usual, versions, settings };
  const call = async (caller: Caller, input = 'Hello') => {
    const { surface = 'native', endUser, user, ...who } = caller;
    const json =
      surface === 'native'
        ? { input }
        : { model: 'hello', messages: [{ role: 'user', content: input }], ...(user && { user }) };
    const event = eventOf('hello', json, { stream: false, surface }, `call-${entries.length}`, clock);
    const { keyGrants, username, keyId } = who;
    Object.assign(event.requestContext?.authorizer ?? {}, {
      authentication: keyId === undefined ? 'jwt' : 'apiKey',
      ...(keyId && { keyId }),
      ...(username && { username: Buffer.from(username).toString('base64url') }),
      ...(keyGrants && { keyGrants: Buffer.from(JSON.stringify(keyGrants)).toString('base64url') }),
    });
    if (endUser !== undefined) Object.assign(event.multiValueHeaders ?? {}, { 'x-end-user': [endUser] });
    const { body, status } = await finish(
      await serve(event as APIGatewayProxyEvent, new AbortController().signal, ports),
    );
    expect([status, body]).toEqual([expected, expect.any(String)]);
    const { version, cache, rollout: arm, branch } = entries.at(-1) ?? {};
    return {
      body,
      branch,
      version: / (v\d)|"(v\d)/.exec(body)?.slice(1).find(Boolean),
      logged: version,
      cache,
      arm: arm?.arm,
    };
  };
  return { call, entries, move: (next: Rollout | undefined) => (rollout = next) };
}

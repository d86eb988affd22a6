// A rollout on the way of a request: who gets which version, what the entry says, and that no answer crosses over.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../../core/contract/log-entry.ts';
import type { Rollout } from '../../../core/settings/stored-settings.ts';
import { bucketOf } from '../../../core/text/subject-bucket.ts';
import { serve } from '../../../lambdas/execute/serve.ts';
import { createStreamHttp } from '../../adapters/providers/stream-http.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryCounters } from '../../support/memory/counters.ts';
import { createMemoryResponseCache } from '../../support/memory/response-cache.ts';
import { eventOf, portsOf } from './memory-ports.ts';
import { finish } from './served.ts';

const HALF: Rollout = { id: 'r1', candidate: 'v2', basisPoints: 5_000, by: 'user' };

/** A name on each side of `HALF`. */
const [CONTROL = '', CANDIDATE = ''] = [false, true].map((isCandidate) =>
  Array.from({ length: 50 }, (_, index) => `user-${index}`).find(
    (name) => bucketOf('r1', 'user', name) < 5_000 === isCandidate,
  ),
);

interface Caller {
  readonly username?: string;
  readonly keyId?: string;
  readonly keyGrants?: object;
  readonly endUser?: string;
  readonly user?: string;
  readonly surface?: 'native' | 'openai';
}

/** `acme/hello` whose versions say their own ids. */
function openNeuron(stored: Rollout | undefined) {
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
      responses: createMemoryResponseCache(),
      logs: { put: async (entry) => entries.push(entry) > 0 },
      openHttp: createStreamHttp({ headers: {}, pieces: (async function* () {})() }).openHttp,
    },
  );
  const versions = {
    read: async (_organization: string, neuronId: string, id: string) => {
      const made = { createdAt: '2026-11-22T12:00:00.000Z', author: 'test', message: undefined };
      const flow = [{ callModel: { provider: 'echo', model: 'echo', prompt: `${id} {{input}}` } }];
      return { id, neuronId, ...made, flow };
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
    expect([status, body]).toEqual([200, expect.any(String)]);
    const { version, cache, rollout: arm } = entries.at(-1) ?? {};
    return {
      version: / (v\d)|"(v\d)/.exec(body)?.slice(1).find(Boolean),
      logged: version,
      cache,
      arm: arm?.arm,
    };
  };
  return { call, entries, move: (next: Rollout | undefined) => (rollout = next) };
}

describe('a rollout', () => {
  it('gives each caller the version of one side, and says so in the entry', async () => {
    const { call, entries } = openNeuron(HALF);
    expect(await call({ username: CONTROL })).toMatchObject({ version: 'v1', logged: 'v1', arm: 'control' });
    expect(await call({ username: CANDIDATE })).toMatchObject({
      version: 'v2',
      logged: 'v2',
      arm: 'candidate',
    });
    expect(entries[1]?.rollout).toEqual({ id: 'r1', arm: 'candidate' });
  });

  it('leaves no trace where none is going on', async () => {
    const { call, entries } = openNeuron(undefined);
    expect(await call({ username: CANDIDATE })).toMatchObject({ version: 'v1', arm: undefined });
    expect(entries[0]).not.toHaveProperty('rollout');
  });

  it('keeps cached answers apart, and those of the control from before it began', async () => {
    const { call, move } = openNeuron(undefined);
    expect(await call({ username: CONTROL })).toMatchObject({ version: 'v1', cache: 'miss' });
    move(HALF);
    expect(await call({ username: CONTROL })).toMatchObject({ version: 'v1', cache: 'exact' });
    expect(await call({ username: CANDIDATE })).toMatchObject({ version: 'v2', cache: 'miss' });
    expect(await call({ username: CANDIDATE })).toMatchObject({ version: 'v2', cache: 'exact' });
    move({ ...HALF, basisPoints: 10_000 });
    expect(await call({ username: CONTROL })).toMatchObject({ version: 'v2', cache: 'exact' });
    move(undefined);
    expect(await call({ username: CANDIDATE })).toMatchObject({ version: 'v1', cache: 'exact' });
  });

  it('changes nobody back while the share grows', async () => {
    const { call, move } = openNeuron(undefined);
    const seen = new Map<string, string | undefined>();
    for (const basisPoints of [500, 2_500, 5_000, 10_000]) {
      move({ ...HALF, basisPoints });
      for (let index = 0; index < 40; index += 1) {
        const { version } = await call({ username: `user-${index}` }, `question ${index} at ${basisPoints}`);
        if (seen.get(`${index}`) === 'v2') expect(version).toBe('v2');
        seen.set(`${index}`, version);
      }
    }
    expect(new Set(seen.values())).toEqual(new Set(['v2']));
  });

  it.each(['header', 'body'] as const)('tells end users of one key apart, named in the %s', async (place) => {
    const { call } = openNeuron(HALF);
    const names = Array.from({ length: 40 }, (_, index) => `end-${index}`);
    const versions = new Map<string, string | undefined>();
    for (const name of [...names, ...names]) {
      const named = place === 'header' ? { endUser: name } : { user: name };
      const caller = { keyId: 'nrn000000001', keyGrants: { onBehalfOf: true }, surface: 'openai', ...named };
      const { version, logged } = await call(caller as Caller, name);
      expect(logged).toBe(version);
      expect(versions.get(name) ?? version).toBe(version);
      versions.set(name, version);
    }
    expect(new Set(versions.values())).toEqual(new Set(['v1', 'v2']));
  });
});

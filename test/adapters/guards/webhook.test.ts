// The webhook guard over a real connection: what it sends, how each answer is read, and every failure by its kind.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGuardServices } from '../../../adapters/guards/index.ts';
import type { Http } from '../../../adapters/http/message.ts';
import type { GuardRequest } from '../../../core/ports/guards.ts';
import type { ServiceGuard } from '../../../core/settings/guards/guards-schema.ts';
import { organizationSchema } from '../../../core/settings/organization-schema.ts';
import { createMemorySecretReader } from '../../support/memory/secrets.ts';
import type { FakeAnswer } from '../providers/fake-http.ts';
import { type Chaos, type FixtureServer, startFixtureServer } from '../providers/fixture-server.ts';

const NOW_MS = 1_764_244_800_000;

let http: Http;
let server: FixtureServer;
let answer: FakeAnswer | Chaos;

beforeAll(async () => {
  Object.assign(globalThis, { [Symbol.for('neuron.loopback')]: true });
  const { createHttp } = await import('../../../adapters/http/request.ts');
  http = createHttp();
  server = await startFixtureServer(() => answer);
});
afterAll(() => server.stop());

const REQUEST: Omit<GuardRequest, 'signal'> = {
  stage: 'input',
  texts: [
    { role: 'user', text: 'first' },
    { role: 'tool', text: 'a 🦊 ann' },
  ],
};

async function inspect(told: FakeAnswer | Chaos, signal = AbortSignal.timeout(5_000), endpoint = server.url) {
  answer = told;
  const secrets = createMemorySecretReader(new Map([['org-1/providers/guard-hmac', 'shared words']]));
  const { guards } = organizationSchema.parse({
    organization: 'acme',
    guards: {
      ours: { type: 'webhook', endpoint: `${endpoint}/judge?team=a`, secret: { secret: 'guard-hmac' } },
    },
  });
  const open = createGuardServices({ secrets, http, clock: { now: () => NOW_MS } });
  const service = await open(guards?.['ours'] as ServiceGuard, { organizationId: 'org-1', providers: {} });
  return service.inspect({ ...REQUEST, signal });
}

describe('a webhook guard', () => {
  it('sends stage, roles and texts, signed over the time and the bytes of the body', async () => {
    await inspect({ status: 200, body: { verdict: 'pass' } });
    const sent = server.received.at(-1);
    expect(sent).toMatchObject({ method: 'POST', path: '/judge?team=a' });
    expect(JSON.parse(sent?.body ?? '')).toEqual({ version: 1, ...REQUEST });
    const signature = createHmac('sha256', 'shared words').update(`1764244800.${sent?.body}`).digest('hex');
    expect(sent?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-neuron-timestamp': '1764244800',
      'x-neuron-signature': `v1=${signature}`,
    });
    expect(JSON.stringify(sent)).not.toContain('shared words');
  });

  it.each([
    ['a pass', { verdict: 'pass' }, 'none', []],
    ['a block', { verdict: 'block' }, 'block', []],
    [
      'a find in a text',
      { verdict: 'block', finds: [{ type: 'ATTACK', text: 0 }] },
      'block',
      [{ entity: 'ATTACK', text: 0 }],
    ],
    [
      'a find with a place in code points',
      { verdict: 'block', finds: [{ type: 'NAME', text: 1, start: 4, end: 7 }] },
      'block',
      [{ entity: 'NAME', text: 1, span: { start: 5, end: 8 } }],
    ],
  ])('reads %s', async (_name, body, verdict, finds) => {
    expect(await inspect({ status: 200, body })).toEqual({ verdict, finds, usage: { units: { call: 1 } } });
  });

  it.each([
    ['a verdict that nobody knows', { verdict: 'allow' }],
    ['no verdict', {}],
    ['a misspelt member', { verdict: 'block', find: [] }],
    ['finds of a pass', { verdict: 'pass', finds: [] }],
    ['an error in a 200', { error: { message: 'down' } }],
    ['a list', [{ verdict: 'pass' }]],
    ['null', null],
    ['a find in no text', { verdict: 'block', finds: [{ type: 'A', text: 2 }] }],
    ['a find in a half text', { verdict: 'block', finds: [{ type: 'A', text: 0.5 }] }],
    ['a find beyond its text', { verdict: 'block', finds: [{ type: 'A', text: 1, start: 4, end: 8 }] }],
    ['a find of nothing', { verdict: 'block', finds: [{ type: 'A', text: 0, start: 1, end: 1 }] }],
    ['a find before its text', { verdict: 'block', finds: [{ type: 'A', text: 0, start: -1, end: 1 }] }],
    ['a find without an end', { verdict: 'block', finds: [{ type: 'A', text: 0, start: 1 }] }],
    ['a kind that is a value', { verdict: 'block', finds: [{ type: 'ann@example.com', text: 0 }] }],
    ['a find by __proto__', { verdict: 'block', finds: [{ type: 'A', text: '__proto__' }] }],
  ])('refuses %s as unreadable', async (_name, body) => {
    await expect(inspect({ status: 200, body })).rejects.toMatchObject({ kind: 'unreadable', status: 200 });
  });

  it.each([
    [400, 'rejected'],
    [401, 'rejected'],
    [404, 'rejected'],
    [408, 'rejected'],
    [302, 'rejected'],
    [204, 'unreadable'],
    [201, 'unreadable'],
    [429, 'rate_limited'],
    [500, 'server_error'],
    [503, 'server_error'],
  ])('refuses a %i as %s, whatever it says', async (status, kind) => {
    const headers = { location: `${server.url}/elsewhere` };
    const before = server.received.length;
    await expect(inspect({ status, headers, body: { verdict: 'pass' } })).rejects.toMatchObject({
      kind,
      status,
    });
    expect(server.received).toHaveLength(before + 1);
  });

  it('refuses half an answer, and one that is no JSON', async () => {
    await expect(inspect('cut')).rejects.toMatchObject({ kind: 'connection' });
    await expect(inspect({ status: 200, stream: '{"verdict":"pass"' })).rejects.toMatchObject({
      kind: 'unreadable',
    });
  });

  it.each(['stall', 'trickle'] as const)('refuses to wait for a server that does %s', async (how) => {
    await expect(inspect(how, AbortSignal.timeout(200))).rejects.toMatchObject({ kind: 'timeout' });
  });

  it('refuses what nobody listens on', async () => {
    const free = await startFixtureServer(() => undefined);
    await free.stop();
    await expect(inspect({ status: 200 }, undefined, free.url)).rejects.toMatchObject({ kind: 'connection' });
  });

  it('refuses an address that the service may not connect to, as a mistake of settings', async () => {
    await expect(inspect({ status: 200 }, undefined, 'https://10.0.0.1')).rejects.toMatchObject({
      code: 'configuration',
    });
  });

  it('refuses to ask without its secret', async () => {
    const open = createGuardServices({
      secrets: createMemorySecretReader(new Map()),
      http,
      clock: { now: () => NOW_MS },
    });
    const guard = {
      type: 'webhook',
      endpoint: server.url,
      secret: { secret: 'gone' },
      timeout: 2_000,
    } as const;
    const service = await open(guard, { organizationId: 'org-1', providers: {} });
    const before = server.received.length;
    await expect(service.inspect({ ...REQUEST, signal: AbortSignal.timeout(1_000) })).rejects.toMatchObject({
      code: 'configuration',
      reason: 'the secret gone of a guard is not set',
    });
    expect(server.received).toHaveLength(before);
  });
});

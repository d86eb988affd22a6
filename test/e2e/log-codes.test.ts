// Every code that the functions give for an existing neuron leaves exactly one entry, and so does every change that the command makes.
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../core/contract/error-codes.ts';
import { type AccessStack, startAccessStack } from './support/access-stack.ts';
import { breakNeurons } from './support/break-neurons.ts';
import { type Answer, type CallOptions, leaveEndOfMinute, rejectedOfTwo } from './support/call.ts';
import { type FakeOpenai, startFakeOpenai } from './support/fake-openai.ts';
import { bySecret, SHARED_SECRET } from './support/jwt.ts';
import {
  BLOCKED,
  failed,
  logSettings,
  rejected,
  type Stored,
  UNSEEN,
  USERNAME,
} from './support/log-settings.ts';
import { PROVIDER_KEY } from './support/settings.ts';
import { isLocal } from './support/stack.ts';
import { dumpTable, outputOf } from './support/tables.ts';

/** No function gives these for a neuron that exists, but `internal`, which no call can bring about: it would be a defect. Those of feedback: test/e2e/feedback.test.ts. */
const NOT_IN_THE_LOG = ['route_not_found', 'throttled', 'internal'];

describe.runIf(isLocal)('the log of a stack', () => {
  let provider: FakeOpenai;
  let access: AccessStack;
  let key: { key: string; keyId: string };
  const driven = new Set<unknown>();

  beforeAll(async () => {
    provider = await startFakeOpenai();
    access = await startAccessStack({ settings: logSettings(provider.baseUrl), trustForwardedFor: true });
    const { stack } = access;
    await stack.operate(['secrets', 'set', 'acme', 'issuer', '--for', 'jwt'], { input: SHARED_SECRET });
    const ofProviders = ['secrets', 'set', 'acme', 'provider-key', '--for', 'providers'];
    await stack.operate(ofProviders, { input: PROVIDER_KEY });
    key = JSON.parse(await stack.operate(['keys', 'create', 'acme', '--name', 'ci', '--json']));
    await breakNeurons(access);
  });
  afterAll(async () => {
    await access?.stop();
    await provider?.stop();
  });

  const call = (path: string, more: CallOptions = {}) =>
    access.stack.call(path, {
      json: { input: 'Hello' },
      ...more,
      headers: { 'x-forwarded-for': '198.51.100.9', ...more.headers },
    });
  const untilHello = (status: number) =>
    expect.poll(async () => (await call('/acme/hello')).status).toBe(status);
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  const idOf = ({ headers }: Answer) => String(headers['x-execution-id']);
  const stored = async (): Promise<Stored[]> =>
    (await dumpTable(access.client, outputOf(access.dataFolder, 'LogsTable'))).map((item) =>
      JSON.parse(item),
    );
  const entriesOf = async (answer: Answer) =>
    (await stored()).filter(({ executionId }) => executionId === idOf(answer));

  /** Calls with what is expected of their entries. */
  async function expectEntries(calls: readonly (readonly [Answer, Stored])[]): Promise<void> {
    for (const [answer, expected] of calls) {
      await expect.poll(() => entriesOf(answer)).toHaveLength(1);
      const [entry] = await entriesOf(answer);
      expect(entry).toMatchObject({ ...expected, status: answer.status, sourceIp: '198.51.100.9', count: 1 });
      driven.add(entry?.['code']);
    }
  }

  it('has exactly one entry for each call, with outcome, code, caller and address', async () => {
    const calls: [Answer, Stored][] = [
      [await call('/acme/hello'), { outcome: 'success', status: 200, authentication: 'public' }],
      [await call('/acme/stopped'), { outcome: 'stopped', status: 200 }],
      [
        await call('/acme/keyed', bearer(key.key)),
        { outcome: 'success', keyId: key.keyId, authentication: 'apiKey' },
      ],
      [
        await call('/acme/tokens', bearer(bySecret({ sub: 'ann' }))),
        { outcome: 'success', username: 'ann', authentication: 'jwt' },
      ],
      [
        await access.stack.call('/acme/hello', { body: '{', headers: { 'x-forwarded-for': '198.51.100.9' } }),
        rejected(400, 'malformed_json'),
      ],
      [await call('/acme/hello', { json: [1] }), rejected(400, 'malformed_body')],
      [await call('/acme/keyed'), rejected(401, 'unauthorized')],
      [await call('/acme/tokens', bearer('no-token')), rejected(401, 'unauthorized')],
      [
        await call('/acme/web', { headers: { referer: 'https://evil.example.org/page' } }),
        { ...rejected(403, 'referer_not_allowed'), refererHost: 'evil.example.org' },
      ],
      [await call('/acme/office'), rejected(403, 'ip_not_allowed')],
      [await call('/acme/closed'), rejected(403, 'access_closed')],
      [await call('/acme/undeployed'), rejected(404, 'deployment_not_found')],
      [await call('/acme/hello/v1'), rejected(404, 'revision_not_found')],
      [await call('/acme/hello', { json: { input: 7 } }), rejected(422, 'invalid_input')],
      [
        await call('/acme/hello', {
          json: { messages: [{ role: 'user', content: 'Hi' }], parameters: { seed: 1 } },
        }),
        rejected(422, 'not_accepted'),
      ],
      [
        await call('/v1/acme/hello/chat/completions', {
          json: { model: 'other', messages: [{ role: 'user', content: 'Hi' }] },
        }),
        rejected(404, 'model_not_found'),
      ],
      [await call('/acme/small', { json: { input: 'x'.repeat(11) } }), rejected(422, 'input_too_large')],
      [await call('/acme/hello?rawOutput=x'), rejected(422, 'invalid_parameter')],
      [await call('/acme/status-400'), { ...rejected(422, 'provider_rejected_input'), version: 'v1' }],
      [await call('/acme/guarded', { json: BLOCKED }), rejected(422, 'guard_blocked')],
      [await call('/acme/guarded', { json: UNSEEN }), rejected(422, 'guard_unseen_content')],
      [await call('/acme/too-long'), { ...rejected(422, 'context_too_long'), version: 'v1' }],
      [
        await call('/acme/careless', {
          json: { input: 'Hello', tools: [{ type: 'function', function: { name: 'look_up' } }] },
        }),
        { ...rejected(422, 'malformed_tool_call'), version: 'v1', tokensInput: 11, tokensOutput: 7 },
      ],
      [await call('/acme/gone'), failed(500, 'missing_deployment')],
      [await call('/acme/unset'), failed(500, 'configuration')],
      [await call('/acme/unwatched'), { ...failed(503, 'guard_unavailable'), version: 'v1' }],
      [await call('/acme/dead'), failed(503, 'upstream_unavailable')],
      [await call('/acme/impatient'), failed(503, 'deadline_exceeded')],
    ];
    await access.stack.operate(['keys', 'pause', 'acme', key.keyId]);
    calls.push([
      await call('/acme/keyed', bearer(key.key)),
      { ...rejected(429, 'key_paused'), keyId: key.keyId },
    ]);
    await access.stack.operate(['keys', 'resume', 'acme', key.keyId]);
    await access.stack.operate(['pause', 'acme/hello']);
    await untilHello(429);
    calls.push([await call('/acme/hello'), rejected(429, 'neuron_paused')]);
    await access.stack.operate(['resume', 'acme/hello']);
    await untilHello(200);
    await access.stack.operate(['block', 'acme/hello', '--ip', '::ffff:198.51.100.9', '--for', '1h']);
    await untilHello(429);
    calls.push([await call('/acme/hello'), rejected(429, 'caller_blocked')]);
    await access.stack.operate(['unblock', 'acme/hello', '--ip', '198.51.100.9']);
    await untilHello(200);
    await access.stack.operate(['organization', 'pause', 'acme', '--yes']);
    await untilHello(429);
    calls.push([await call('/acme/hello'), rejected(429, 'organization_paused')]);
    await access.stack.operate(['maintenance', 'on', '--yes']);
    await untilHello(503);
    calls.push([await call('/acme/hello'), rejected(503, 'maintenance')]);
    await access.stack.operate(['maintenance', 'off', '--yes']);
    await access.stack.operate(['organization', 'resume', 'acme', '--yes']);
    await untilHello(200);
    await expectEntries(calls);
  });

  it("has the status of the answer where OpenAI's interface has another than the neuron's own route", async () => {
    const complete = (neuron: string, more: object = {}, query = '') =>
      call(`/v1/acme/${neuron}/chat/completions${query}`, {
        json: { model: neuron, messages: [{ role: 'user', content: 'Hello, and a good day' }], ...more },
      });
    await expectEntries([
      [await complete('hello', { temperature: 3 }), rejected(400, 'invalid_input')],
      [await complete('hello', { temperature: 1 }), rejected(400, 'not_accepted')],
      [await complete('small'), rejected(400, 'input_too_large')],
      [await complete('hello', {}, '?bypassCache=x'), rejected(400, 'invalid_parameter')],
      [await complete('status-400'), { ...rejected(400, 'provider_rejected_input'), version: 'v1' }],
      [await complete('too-long'), { ...rejected(400, 'context_too_long'), version: 'v1' }],
    ]);
  });

  it('has exactly one entry for each call that the cache, a limit or a store decides', async () => {
    const asked = { json: { input: `Hello ${randomUUID()}` } };
    const first = await call('/acme/cached', asked);
    // Whoever asks before the first answer is kept asks the model too, and keeps its own.
    const missed = [first];
    const askAgain = async () => {
      const answer = await call('/acme/cached', asked);
      if (answer.headers['x-cache'] === 'miss') missed.push(answer);
      return answer.headers['x-cache'];
    };
    await expect.poll(askAgain).toBe('hit');
    const keyed = (key: string = randomUUID()) => ({ headers: { 'idempotency-key': key } });
    const single = (options: CallOptions) => () => call('/acme/single', options);
    const crowded = await rejectedOfTwo(429, () => single({}));
    const repeated = await rejectedOfTwo(409, () => single(keyed()));
    const counters = JSON.stringify(outputOf(access.dataFolder, 'CountersTable'));
    const whileCounters = async (fault: 'fail' | 'throttle') => {
      access.tables.injectFaults(({ body }) => (body.includes(counters) ? fault : undefined));
      const answer = await call('/acme/counted');
      access.tables.injectFaults(() => undefined);
      return answer;
    };
    await expectEntries([
      [first, { outcome: 'success', cache: 'miss', modelCalls: [{ provider: 'demo', model: 'echo-1' }] }],
      [
        await call('/acme/cached', asked),
        {
          ...{ outcome: 'success', cache: 'exact', tokensInput: 0, modelCalls: [] },
          cacheSource: expect.toBeOneOf(missed.map(idOf)),
        },
      ],
      ...repeated.map((answer) => [answer, rejected(409, 'idempotency_in_progress')] as const),
      [await call('/acme/hello', keyed('order-17')), { outcome: 'success', status: 200 }],
      [
        await call('/acme/hello', { ...keyed('order-17'), json: { input: 'Goodbye' } }),
        rejected(422, 'idempotency_mismatch'),
      ],
      [await call('/acme/limited'), { outcome: 'success', status: 200 }],
      [await call('/acme/limited'), rejected(429, 'rate_limited')],
      ...crowded.map((answer) => [answer, rejected(429, 'too_many_at_once')] as const),
      [await call('/tight/hello'), { outcome: 'success', status: 200 }],
      [await call('/tight/hello'), { ...rejected(429, 'usage_limit_exceeded'), organization: 'tight' }],
      [await whileCounters('fail'), failed(503, 'dependency_unavailable')],
      [await whileCounters('throttle'), failed(503, 'overloaded')],
      [await call('/acme/spoiled'), { ...rejected(404, 'not_found'), reason: expect.any(String) }],
    ]);
  });

  it('has met every code that a function can give', () => {
    const missing = Object.keys(ERROR_CODES).filter(
      (code) => !driven.has(code) && !code.includes('feedback'),
    );
    expect(missing.toSorted()).toEqual(NOT_IN_THE_LOG.toSorted());
  });

  it('shows a username with escapes harmlessly in the table, and as it is in JSON', async () => {
    // No token can hold such a username: the entry is put by hand, as one that got past everything else.
    const [entry] = (await stored()).filter(
      ({ outcome, organization }) => outcome === 'success' && organization === 'acme',
    );
    const put = {
      ...entry,
      sk: `${String(entry?.['sk'])}x`,
      executionId: 'forged\u001b]0;x\u0007',
      username: USERNAME,
    };
    await access.client.send(
      new PutCommand({ TableName: outputOf(access.dataFolder, 'LogsTable'), Item: put }),
    );
    const table = await access.stack.operate(['logs', 'acme']);
    expect(table).toContain('ann\\u{1b}[2J\\u{0d}\\u{0a}\\u{202e}gnp.exe');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not be there.
    expect(table).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/);
    const lines = (await access.stack.operate(['logs', 'acme', '--json'])).split('\n').filter(Boolean);
    expect(lines.map((line) => JSON.parse(line).username)).toContain(USERNAME);
  });

  it('does not grow with a flood of refusals: sixty entries a minute from each environment', async () => {
    await leaveEndOfMinute();
    for (let sent = 0; sent < 7; sent += 1)
      await Promise.all(Array.from({ length: 26 }, () => call('/acme/flood')));
    const minutes = (await stored())
      .filter(({ neuron, count }) => neuron === 'flood' && count === 1)
      .map(({ timeMs }) => Math.floor(Number(timeMs) / 60_000));
    const perMinute = Map.groupBy(minutes, (minute) => minute).values();
    // There are two environments; 182 calls would be as many entries.
    expect(Math.max(...[...perMinute].map(({ length }) => length))).toBeLessThanOrEqual(120);
    expect(minutes.length).toBeGreaterThanOrEqual(60);
  });

  it('has a line for each, with its metrics and without a text', async () => {
    const folder = join(access.dataFolder, 'logs');
    const lines = readdirSync(folder)
      .filter((name) => name.endsWith('.log'))
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
      .filter((line) => line.startsWith('{"neuronEntry":1,'))
      .map((line) => JSON.parse(line));
    expect(lines.length).toBeGreaterThan(20);
    for (const line of lines) {
      expect(line).toMatchObject({ Stage: 'local', Requests: line.count });
      expect(line._aws.CloudWatchMetrics[0].Namespace).toBe('NeuronExecutionService');
      expect(line).not.toHaveProperty('input');
    }
    expect(lines.filter((line) => line.ProviderErrors > 0).length).toBeGreaterThan(0);
  });

  it('has an entry for every change that the command has made, and none of a secret', async () => {
    const text = await access.stack.operate(['logs', 'acme', '--changes', '--json']);
    const changes = text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { actions: string[]; outcome: string; by: string });
    const actions = changes.flatMap((change) => change.actions);
    for (const action of [
      ...['create_organization', 'create_neuron', 'create_version', 'deploy', 'create_key', 'set_secret'],
      ...['pause', 'resume', 'maintenance_on', 'maintenance_off'],
    ]) {
      expect(actions).toContain(action);
    }
    expect(new Set(changes.map(({ outcome, by }) => `${outcome} ${by}`))).toEqual(new Set(['made local']));
    for (const secret of [SHARED_SECRET, PROVIDER_KEY, key.key]) expect(text).not.toContain(secret);
  });
});

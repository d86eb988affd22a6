// Usernames as keyed digests: the name of a token is in no table, no line, no answer and no command's list, and is found by who has the key.
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type AccessStack, startAccessStack } from './support/access-stack.ts';
import type { Answer } from './support/call.ts';
import { type Canary, findLeaks, randomText, readFolder, type Searched } from './support/canaries.ts';
import { ENGINE, isLocal } from './support/stack.ts';
import { dumpTable, openTables, outputOf } from './support/tables.ts';

const ACCESS = (as: string) =>
  `access: { jwt: { sharedSecret: { secret: shared }, usernamePath: sub, requireUsername: true, usernameAs: ${as} } }`;
const MEMBERS = `rateLimits: [{ metric: requests, scope: user, limit: 6, period: 1d }, { metric: cost, scope: user, limit: 5, period: 1d }]
caching: { exact: true, perUser: true }
logging: { bodies: full }
feedback: { metrics: { helpful: { type: boolean } } }
flow: [{ callModel: { provider: demo, model: echo-1, prompt: "{{username}} says {{input}}" } }]`;
const SETTINGS = [
  'organization: acme\nproviders: { demo: { type: echo } }\nprices: { demo/echo-1: { input: 1, output: 1 } }',
  `neuron: acme/hidden\n${ACCESS('hmac')}\n${MEMBERS}`,
  `neuron: acme/open\n${ACCESS('plain')}\n${MEMBERS}`,
].join('\n---\n');

// Of random pieces alone: the scan finds any eight characters of a name.
const ADA = randomText();
const BOB = randomText();
const CANARY: Canary = { name: 'the name', value: ADA };

// dynalite has no streams, and so no usage.
describe.runIf(isLocal && ENGINE === 'dynoxide')('usernameAs: hmac', () => {
  let access: AccessStack;
  let shared: string;
  const answers: Answer[] = [];
  const token = (sub: string) => {
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    const input = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sub, exp: 4_000_000_000 })}`;
    return `${input}.${createHmac('sha256', shared).update(input).digest('base64url')}`;
  };
  const call = async (path: string, sub: string, json: object, more: Record<string, string> = {}) => {
    const headers = { authorization: `Bearer ${token(sub)}`, ...more };
    const answer = await access.stack.call(path, { json, headers });
    if (sub === ADA) answers.push(answer);
    return answer;
  };
  const lines = async (...words: string[]) => {
    const printed = await access.stack.operate([...words, '--json']);
    const rows = printed.split('\n').filter((line) => line !== '');
    return { printed, rows: rows.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>) };
  };

  beforeAll(async () => {
    shared = randomText();
    access = await startAccessStack({ settings: SETTINGS, keepData: true });
    await access.stack.operate(['secrets', 'set', 'acme', 'shared', '--for', 'jwt'], { input: shared });
    await call('/acme/hidden', ADA, { input: 'one' });
    // An answer is cached a moment after it was given.
    await sleep(500);
    for (const input of ['one', 'two']) await call('/acme/hidden', ADA, { input });
    await call('/acme/hidden', ADA, { input: 'three' }, { 'idempotency-key': 'k-1' });
    await call('/acme/hidden', ADA, { input: 'three' }, { 'idempotency-key': 'k-1' });
    const rated = await call('/v1/acme/hidden/chat/completions', ADA, {
      model: 'hidden',
      stream: true,
      messages: [{ role: 'user', content: 'four' }],
    });
    const feedback = { token: String(rated.headers['x-feedback-token']), metric: 'helpful', value: true };
    await call('/acme/hidden/feedback', ADA, feedback);
    for (const input of ['five', 'six', 'seven']) await call('/acme/hidden', ADA, { input });
    await call('/acme/hidden', ADA, {});
    await call('/acme/hidden', BOB, { input: 'bob' });
    await call('/acme/open', BOB, { input: 'bob' });
    await vi.waitFor(
      async () => expect((await lines('usage', 'acme', '--by', 'username')).rows.length).toBe(3),
      { timeout: 30_000, interval: 500 },
    );
  }, 240_000);
  afterAll(() => access?.stop());

  it('counts, caches and keeps answers for the user all the same', () => {
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(answers.map(({ headers }) => headers['x-cache'])).toContain('hit');
    // What the flow calls the user is the digest.
    expect(answers[0]?.text).toMatch(/hmac_[\w-]{22} says one/);
  });

  it('leaves the name in no table, no line of a function, no file and no answer', async () => {
    const client = openTables(access.dataFolder);
    const tables: Searched[] = [];
    for (const name of ['Config', 'Keys', 'Counters', 'Cache', 'Logs', 'Usage'])
      for (const item of await dumpTable(client, outputOf(access.dataFolder, `${name}Table`)))
        tables.push({ name, bytes: Buffer.from(item) });
    client.destroy();
    const kept = [
      ...tables,
      ...readFolder(access.dataFolder),
      { name: 'what the runner printed', bytes: Buffer.from(access.stack.output()) },
      ...answers.map(({ headers, text }) => ({
        name: 'an answer',
        bytes: Buffer.from(`${JSON.stringify(headers)}\n${text}`),
      })),
    ];
    expect(tables.length).toBeGreaterThan(20);
    expect(findLeaks([CANARY], kept)).toEqual([]);
    // The same scan finds the name of a user of the neuron that keeps names.
    const found = findLeaks([{ name: 'the other name', value: BOB }], kept);
    expect(found).toContain('the other name (as it is) in Logs');
  });

  it('leaves the name in no list of a command', async () => {
    const commands = [
      ['logs', 'acme'],
      ['logs', 'acme/hidden', '--outcome', 'refused'],
      ['usage', 'acme'],
      ['usage', 'acme', '--by', 'username'],
      ['limits', 'acme'],
      ['logs', 'acme', '--changes'],
    ];
    const printed = [];
    for (const words of commands)
      printed.push({ name: words.join(' '), bytes: Buffer.from(await access.stack.operate(words)) });
    expect(findLeaks([CANARY], printed)).toEqual([]);
  });

  it('finds the calls of a name, under its digest and as it is, by log, usage and limits', async () => {
    const { rows, printed } = await lines('logs', 'acme', '--user', ADA);
    expect(rows.length).toBeGreaterThanOrEqual(8);
    expect(new Set(rows.map(({ username }) => username)).size).toBe(1);
    expect(findLeaks([CANARY], [{ name: 'the list', bytes: Buffer.from(printed) }])).toEqual([]);
    const digest = String(rows[0]?.['username']);
    expect((await lines('logs', 'acme', '--user', digest)).rows).toEqual(rows);
    const both = (await lines('logs', 'acme', '--user', BOB)).rows;
    expect(both.map(({ username }) => username === BOB).toSorted()).toEqual([false, true]);
    const usage = (await lines('usage', 'acme', '--user', ADA)).rows;
    expect(usage).toMatchObject([{ username: digest }]);
    const limits = (await lines('limits', 'acme/hidden', '--user', ADA)).rows;
    expect(limits.find(({ metric }) => metric === 'requests')).toMatchObject({ used: 6 });
    const others = (await lines('limits', 'acme/open', '--user', ADA)).rows;
    expect(others.find(({ metric }) => metric === 'requests')).toMatchObject({ used: 0 });
  });

  it('lists no key of usernames among the secrets', async () => {
    expect(await access.stack.operate(['secrets', 'list', 'acme'])).not.toContain('hmac');
  });
});

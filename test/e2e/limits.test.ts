// Limits over real HTTP: every scope and metric, what callers hear, and that nothing they send moves them to another counter.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from './support/call.ts';
import { expectError } from './support/expect-answer.ts';
import { bySecret, SHARED_SECRET } from './support/jwt.ts';
import { RESERVED, SETTINGS, USAGE } from './support/limits-settings.ts';
import { applySettings } from './support/settings.ts';
import { isLocal, type Stack, startStack } from './support/stack.ts';
import { dumpTable, openTables, outputOf } from './support/tables.ts';

const DAY_MS = 86_400_000;

/** Settings take effect within a second on the local stage. */
const SETTINGS_ACT_MS = 1_500;

/** Seconds to the end of the day or of the month, in UTC. */
const toMidnight = () => Math.ceil((DAY_MS - (Date.now() % DAY_MS)) / 1000);
const toNextMonth = () => {
  const now = new Date();
  return Math.ceil((Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) - now.getTime()) / 1000);
};

function expectRetryAfter(answer: Answer, seconds: number): void {
  const told = Number(answer.headers['retry-after']);
  // Seconds may have passed since the request came in, on a busy machine many, and none may be told too few.
  expect(told).toBeGreaterThanOrEqual(seconds);
  expect(told).toBeLessThanOrEqual(seconds + 30);
}

describe.runIf(isLocal)('limits', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ concurrency: 3 });
    await applySettings(stack, SETTINGS);
    await applySettings(stack, USAGE);
    await stack.operate(['secrets', 'set', 'acme', 'support-jwt', '--for', 'jwt'], { input: SHARED_SECRET });
  });
  afterAll(() => stack?.stop());

  const call = (path: string, headers: Record<string, string> = {}, from?: string) =>
    stack.call(`/${path}`, { json: { input: 'Hello' }, headers, ...(from === undefined ? {} : { from }) });
  const as = (token: string) => ({ authorization: `Bearer ${token}` });
  const statuses = async (calls: readonly (() => Promise<Answer>)[]) => {
    const answers: number[] = [];
    for (const one of calls) answers.push((await one()).status);
    return answers;
  };

  /** Counters with an amount that a call reserved and that is not settled yet. */
  const held = async () => {
    const client = openTables(stack.dataFolder);
    const items = await dumpTable(client, outputOf(stack.dataFolder, 'CountersTable'));
    client.destroy();
    return items.filter((item) => /Held":[1-9]/.test(item));
  };
  /** A settlement follows its answer. */
  const untilSettled = () => expect.poll(held).toEqual([]);

  it('count users by their name exactly, wherever they call from', async () => {
    const by = (sub: string, from?: string) => () => call('acme/per-user', as(bySecret({ sub })), from);
    await expect.poll(by('warm-up')).toMatchObject({ status: 200 });
    expect(await statuses([by('ann'), by('ann', '127.0.0.2'), by('ann'), by('ann', '127.0.0.3')])).toEqual([
      ...[200, 200, 429, 429],
    ]);
    // Zoë in two Unicode forms, and in another case.
    for (const sub of ['Ann', 'Zo\u00eb', 'Zoe\u0308', 'zo\u00eb']) {
      expect(await statuses([by(sub), by(sub), by(sub)])).toEqual([200, 200, 429]);
    }
  });

  it('count callers without a name together, and API keys by their id', async () => {
    const unnamed = (jti: string) => () => call('acme/per-caller', as(bySecret({ sub: undefined, jti })));
    expect(await statuses([unnamed('a'), unnamed('b')])).toEqual([200, 429]);
    const made = JSON.parse(await stack.operate(['keys', 'create', 'acme', '--name', 'one', '--json'])) as {
      key: string;
    };
    const other = JSON.parse(await stack.operate(['keys', 'create', 'acme', '--name', 'two', '--json'])) as {
      key: string;
    };
    const byKey = (key: string) => () => call('acme/per-caller', as(key));
    expect(await statuses([byKey(made.key), byKey(made.key), byKey(other.key)])).toEqual([200, 429, 200]);
  });

  it('count addresses, and no forwarding header moves a caller to another', async () => {
    const from =
      (address: string, headers: Record<string, string> = {}) =>
      () =>
        call('acme/per-ip', headers, address);
    const forged = {
      'x-forwarded-for': '203.0.113.9',
      forwarded: 'for=203.0.113.9',
      'x-real-ip': '203.0.113.9',
      'cf-connecting-ip': '203.0.113.9',
    };
    expect(
      await statuses([
        from('127.0.0.2'),
        from('127.0.0.2', forged),
        from('127.0.0.2', forged),
        from('127.0.0.3'),
      ]),
    ).toEqual([200, 200, 429, 200]);
  });

  it('let exactly as many in as the total says, however many come at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => call('acme/in-total', {}, `127.0.0.${index + 10}`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    for (const rejected of answers.filter(({ status }) => status !== 200)) {
      expectError(rejected, 429, 'rate_limited');
      expectRetryAfter(rejected, toMidnight());
      // Everyone's limit is nobody's business.
      expect(rejected.headers['ratelimit']).toBeUndefined();
    }
  });

  it('hold the tokens that a call may use, and settle to what it used', async () => {
    const first = await call('acme/tokens');
    expect(first.status).toBe(200);
    expect(first.headers['ratelimit-policy']).toBe('"ip-tokens-1d";q=150;w=86400;qu="tokens"');
    const left = Number(/;r=([0-9]+);/.exec(String(first.headers['ratelimit']))?.[1]);
    expect(left).toBeGreaterThan(150 - RESERVED);
    expect(left).toBeLessThan(150);
    let admitted = 1;
    for (let again = 0; again < 20; again += 1) {
      await untilSettled();
      const answer = await call('acme/tokens');
      if (answer.status !== 200) {
        expectError(answer, 429, 'rate_limited');
        expectRetryAfter(answer, toMidnight());
        break;
      }
      admitted += 1;
    }
    // Each uses what the first used, and each must find room for a whole reservation.
    const used = 150 - left;
    expect(admitted).toBe(Math.floor((150 - RESERVED) / used) + 1);
  });

  it('hold the cost that a call may have at its price, which nobody is shown', async () => {
    const first = await call('acme/cost');
    // $0.15 are 150,000 microdollars, a token costs 1,000, and a call holds 99,000.
    expect(first.status).toBe(200);
    expect(first.headers['ratelimit']).toBeUndefined();
    let answer = first;
    for (let again = 0; again < 20 && answer.status === 200; again += 1) {
      await untilSettled();
      answer = await call('acme/cost');
    }
    expectError(answer, 429, 'rate_limited');
  });

  it('end a run in 429 when a later call of its flow finds no room', async () => {
    // Two reservations of 99 and more fit 190 only while the first used less.
    const answers: Answer[] = [];
    do {
      answers.push(await call('acme/two-calls'));
      await untilSettled();
    } while (answers.at(-1)?.status === 200 && answers.length < 10);
    const last = answers.at(-1);
    expect(answers.length).toBeGreaterThan(1);
    if (last !== undefined) expectError(last, 429, 'rate_limited');
  });

  it('tell a caller who is refused for what is only held to come back in a second', async () => {
    const running = call('acme/held');
    await expect.poll(held).not.toEqual([]);
    expectError(await call('acme/held'), 429, 'rate_limited', 1);
    expect((await running).status).toBe(200);
    // What was held is settled after the answer.
    await expect.poll(async () => (await call('acme/held')).status).toBe(200);
  });

  it('say honestly when a window ends: who waits that long is admitted', async () => {
    let rejected = await call('acme/short');
    // Two calls may fall into two windows, three cannot.
    for (let again = 0; again < 2 && rejected.status === 200; again += 1) rejected = await call('acme/short');
    expectError(rejected, 429, 'rate_limited');
    const seconds = Number(rejected.headers['retry-after']);
    expect(seconds).toBeLessThanOrEqual(10);
    expect(rejected.headers['ratelimit-policy']).toBe('"ip-requests-10s";q=1;w=10');
    expect(rejected.headers['ratelimit']).toBe(`"ip-requests-10s";r=0;t=${seconds}`);
    await sleep(seconds * 1000);
    expect((await call('acme/short')).status).toBe(200);
  });

  it('release what a narrower limit reserved when a wider one denies', async () => {
    const from = (address: string) => () => call('acme/narrowest', {}, address);
    expect(await statuses([from('127.0.0.2'), from('127.0.0.3'), from('127.0.0.4')])).toEqual([
      200, 200, 429,
    ]);
    const rejected = await call('acme/narrowest', {}, '127.0.0.4');
    expect(rejected.headers['ratelimit']).toMatch(/^"ip-requests-1d";r=1;t=[0-9]+$/);
  });

  it('of the organization hold over all its neurons, with a code of their own', async () => {
    const rejections = [
      () => call('busy/one'),
      () => call('busy/two'),
      () => call('busy/one'),
      () => call('busy/two'),
    ];
    expect(await statuses(rejections)).toEqual([200, 200, 429, 429]);
    const rejected = await call('busy/one');
    expectError(rejected, 429, 'usage_limit_exceeded');
    expectRetryAfter(rejected, toNextMonth());
    expect(rejected.headers['ratelimit']).toMatch(/^"ip-requests-1d";r=99;/);
  });

  it('are charged nothing for what is refused before them', async () => {
    const sendBad = () => stack.call('/acme/broken', { body: '{' });
    expect(
      await statuses([sendBad, sendBad, () => stack.call('/acme/broken?rawOutput=7', { json: {} })]),
    ).toEqual([400, 400, 422]);
    await stack.operate(['organization', 'pause', 'acme', '--retry-after', '2m']);
    // Asked before every environment knows, a call would be admitted, and take what the limit has.
    await sleep(SETTINGS_ACT_MS);
    const paused = await call('acme/broken');
    expectError(paused, 429, 'organization_paused', 120);
    expect(paused.headers['ratelimit']).toBeUndefined();
    await stack.operate(['maintenance', 'on', '--retry-after', '3m']);
    await sleep(SETTINGS_ACT_MS);
    expectError(await call('acme/broken'), 503, 'maintenance', 180);
    await stack.operate(['maintenance', 'off']);
    await stack.operate(['organization', 'resume', 'acme']);
    await expect.poll(async () => (await call('acme/broken')).status).toBe(200);
    expectError(await call('acme/broken'), 429, 'rate_limited');
  });

  it('have a line that says what is to be settled, and an entry without it', async () => {
    const id = String((await call('acme/tokens', {}, '127.0.0.9')).headers['x-execution-id']);
    await expect.poll(() => stack.operate(['logs', 'acme/tokens', '--json'])).toContain(id);
    const entry = JSON.parse(await stack.operate(['logs', 'acme', '--id', id, '--json'])) as Record<
      string,
      number
    >;
    expect(entry).not.toHaveProperty('limits');
    const line = readdirSync(join(stack.dataFolder, 'logs'), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .flatMap((file) => readFileSync(join(file.parentPath, file.name), 'utf8').split('\n'))
      .find((text) => text.startsWith('{"neuronEntry":') && text.includes(id));
    const used = (entry['tokensInput'] ?? 0) + (entry['tokensOutput'] ?? 0);
    expect(JSON.parse(line ?? '{}')).toHaveProperty('limits', {
      settle: [
        {
          key: expect.stringContaining('#ip#1d#'),
          changes: [{ metric: 'tokens', taken: used - RESERVED, held: -RESERVED }],
        },
      ],
    });
  });
});

// Users over the stages of a rollout, a thousand of them with `EVERY_CASE`, through the function and the response cache of DynamoDB; and users of a sticky split.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createResponseCacheStore } from '../../../adapters/dynamodb/response-cache.ts';
import type { Rollout } from '../../../core/settings/stored-settings.ts';
import { bucketOf } from '../../../core/text/subject-bucket.ts';
import { startDynamoDb, type TestDynamoDb } from '../../support/dynamodb.ts';
import { strideOf } from '../../support/every-case.ts';
import { type Caller, openNeuron } from './rollout-neuron.ts';

const ROLLOUT: Rollout = { id: '9f2c41d07ab35e68', candidate: 'v2', basisPoints: 500, by: 'user' };
const COUNT = 1_000 / strideOf(5);
const USERS = Array.from({ length: COUNT }, (_, index) => `user-${index}`);
/** Four standard deviations around the share of the users. */
const around = (share: number) => 4 * Math.sqrt(COUNT * share * (1 - share));

let dynamoDb: TestDynamoDb;
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
});
afterAll(() => dynamoDb.stop());

describe('users over 5, 25 and 100 percent', () => {
  it('never go back, and those of the control find every answer that was cached before', async () => {
    const { call, move } = openNeuron(
      undefined,
      createResponseCacheStore(dynamoDb.client, dynamoDb.tables.cache),
    );
    const ask = (username: string) => call({ username }, `question of ${username}`);
    for (const user of USERS) expect(await ask(user)).toMatchObject({ version: 'v1', cache: 'miss' });
    let before = new Set<string>();
    for (const basisPoints of [500, 2_500, 10_000]) {
      move({ ...ROLLOUT, basisPoints });
      const candidates = new Set<string>();
      for (const user of USERS) {
        const { version, cache, arm } = await ask(user);
        if (arm === 'candidate') candidates.add(user);
        // Who was there before finds the candidate's answer; who comes anew finds none, not even that of the control.
        const found = arm === 'control' || before.has(user) ? 'exact' : 'miss';
        expect([version, cache]).toEqual([arm === 'candidate' ? 'v2' : 'v1', found]);
      }
      expect([...before].filter((user) => !candidates.has(user))).toEqual([]);
      const share = basisPoints / 10_000;
      expect(Math.abs(candidates.size - COUNT * share)).toBeLessThanOrEqual(around(share));
      before = candidates;
    }
    expect(before.size).toBe(COUNT);
    move(undefined);
    for (const user of USERS.slice(0, 50))
      expect(await ask(user)).toMatchObject({ version: 'v1', cache: 'exact' });
  }, 400_000);
});

describe('a split by stickyBy', () => {
  const flow = (stickyBy: string) => () => [
    {
      randomizedSplit: {
        percentageA: 50,
        stickyBy,
        name: 'tone',
        a: [{ serveOutput: { text: 'v1 A' } }],
        b: [{ serveOutput: { text: 'v1 B' } }],
      },
    },
  ];

  it.each<[string, 'user' | 'key' | 'address', Caller, string]>([
    ['the user of a token', 'user', { username: 'ada' }, 'ada'],
    ['a key', 'key', { keyId: 'nrn000000001' }, 'nrn000000001'],
    [
      'an end user that the body names',
      'user',
      { keyId: 'nrn000000001', keyGrants: { onBehalfOf: true }, surface: 'openai', user: 'eve' },
      'nrn_nrn000000001/eve',
    ],
  ])('keeps %s on one branch, names it in the entry and caches nothing', async (_, kind, caller, subject) => {
    const { call } = openNeuron(undefined, undefined, flow(kind));
    const expected = bucketOf('acme/hello#tone', kind, subject) < 5_000 ? 'a' : 'b';
    for (let time = 0; time < 5; time += 1) {
      const { body, branch, cache } = await call(caller);
      expect(body).toContain(`v1 ${expected.toUpperCase()}`);
      expect([branch, cache]).toEqual([expected, 'miss']);
    }
  });

  it('is on another branch for other users', async () => {
    const { call } = openNeuron(undefined, undefined, flow('user'));
    const branches = new Set<string | undefined>();
    for (const username of USERS.slice(0, 30)) branches.add((await call({ username })).branch);
    expect(branches).toEqual(new Set(['a', 'b']));
  });
});

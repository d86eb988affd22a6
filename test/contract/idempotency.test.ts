// What every store of idempotency keys does: one suite over memory and the embedded DynamoDB.
import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIdempotencyStore } from '../../adapters/dynamodb/idempotency.ts';
import type {
  IdempotencyStore,
  Lease,
  RecordKey,
  RecordState,
  StoredAnswer,
} from '../../core/ports/idempotency.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { createMemoryIdempotency } from '../support/memory/idempotency.ts';

let database: TestDynamoDb;
beforeAll(async () => {
  database = await startDynamoDb();
});
afterAll(() => database.stop());

const NOW_MS = 1_795_264_200_123;
const RUN_MS = 60_000;
const DAY_MS = 86_400_000;

let made = 0;
/** A key that no other test of the file uses. */
const freshKey = () => `I#n#s#${(made++).toString(16).padStart(64, '0')}` as RecordKey;
const leaseAt = (atMs: number, more: Partial<Lease> = {}): Lease => ({
  token: `token-${made++}`,
  digest: 'a'.repeat(64),
  atMs,
  leaseEndsAtMs: atMs + RUN_MS,
  ...more,
});
const answerOf = (body: string, more: Partial<StoredAnswer> = {}): StoredAnswer => ({
  status: 200,
  headers: { 'Content-Type': 'application/json', 'X-Execution-Id': 'exec-1' },
  body,
  executionId: 'exec-1',
  executionStopped: false,
  ...more,
});
const ANSWER = answerOf('{"output":"Zürich 🏔"}');
const running = ({ atMs, leaseEndsAtMs }: Lease): RecordState => ({ kind: 'running', atMs, leaseEndsAtMs });
const answered = (answer = ANSWER): RecordState => ({ kind: 'answered', answer });
const MISMATCHED: RecordState = { kind: 'mismatched' };
const ACQUIRED = { kind: 'acquired' };
const untilOf = ({ atMs }: Lease) => Math.floor((atMs + DAY_MS) / 1000);

describe.each([
  ['in memory', () => createMemoryIdempotency()],
  ['in DynamoDB', () => createIdempotencyStore(database.client, database.tables.cache)],
])('leases on idempotency keys %s', (_where, open) => {
  it('are made once, and tell everyone else who runs', async () => {
    const [store, key] = [open(), freshKey()];
    const leases = Array.from({ length: 20 }, (_, index) => leaseAt(NOW_MS + index));
    const outcomes = await Promise.all(leases.map((lease) => store.acquire(key, lease)));
    const winner = leases.find((_, index) => outcomes[index]?.kind === 'acquired');
    expect(winner).toBeDefined();
    for (const [index, outcome] of outcomes.entries())
      expect(outcome).toEqual(leases[index] === winner ? ACQUIRED : running(winner as Lease));
    expect(await store.acquire(freshKey(), leaseAt(NOW_MS))).toEqual(ACQUIRED);
  });

  it('are made by a lease that is sent again, as long as it has no answer', async () => {
    const [store, key, own] = [open(), freshKey(), leaseAt(NOW_MS)];
    expect(await store.acquire(key, own)).toEqual(ACQUIRED);
    expect(await store.acquire(key, own)).toEqual(ACQUIRED);
    expect(await store.complete(key, own, ANSWER, untilOf(own))).toBe(true);
    expect(await store.acquire(key, own)).toEqual(answered());
  });

  it('end with an answer, which is there for a day', async () => {
    const [store, key, own] = [open(), freshKey(), leaseAt(NOW_MS)];
    await store.acquire(key, own);
    const rejection = answerOf('{"code":"invalid_input"}', { status: 422, code: 'invalid_input' });
    expect(await store.complete(key, own, rejection, untilOf(own))).toBe(true);
    // The lease has no meaning any more.
    for (const atMs of [NOW_MS + 1, NOW_MS + RUN_MS, NOW_MS + DAY_MS - 1_000])
      expect(await store.acquire(key, leaseAt(atMs))).toEqual(answered(rejection));
    await store.release(key, own.token);
    expect(await store.acquire(key, leaseAt(NOW_MS + 1))).toEqual(answered(rejection));
    expect(await store.acquire(key, leaseAt(NOW_MS + DAY_MS))).toEqual(ACQUIRED);
  });

  it('are given back by nobody but their owners', async () => {
    const [store, key, own] = [open(), freshKey(), leaseAt(NOW_MS)];
    await store.acquire(key, own);
    await store.release(key, 'token-of-another');
    expect(await store.acquire(key, leaseAt(NOW_MS))).toEqual(running(own));
    await store.release(key, own.token);
    await store.release(key, own.token);
    expect(await store.complete(key, own, ANSWER, untilOf(own))).toBe(false);
    expect(await store.acquire(key, leaseAt(NOW_MS))).toEqual(ACQUIRED);
  });

  it('are free when their lease ends, and the run that comes late changes nothing', async () => {
    const [store, key, late] = [open(), freshKey(), leaseAt(NOW_MS)];
    await store.acquire(key, late);
    expect(await store.acquire(key, leaseAt(late.leaseEndsAtMs - 1))).toEqual(running(late));
    const next = leaseAt(late.leaseEndsAtMs, { digest: 'b'.repeat(64) });
    expect(await store.acquire(key, next)).toEqual(ACQUIRED);
    await store.release(key, late.token);
    expect(await store.complete(key, late, ANSWER, untilOf(late))).toBe(false);
    const again = () => store.acquire(key, leaseAt(next.atMs, { digest: next.digest }));
    expect(await again()).toEqual(running(next));
    const other = answerOf('of the next');
    await store.complete(key, next, other, untilOf(next));
    expect(await store.complete(key, late, ANSWER, untilOf(late))).toBe(false);
    expect(await again()).toEqual(answered(other));
  });

  it('tell another request nothing of the first one, while it runs and when it has its answer', async () => {
    const [store, key, own] = [open(), freshKey(), leaseAt(NOW_MS)];
    const another = () => store.acquire(key, leaseAt(NOW_MS, { digest: 'b'.repeat(64) }));
    await store.acquire(key, own);
    expect(await another()).toEqual(MISMATCHED);
    await store.complete(key, own, ANSWER, untilOf(own));
    expect(await another()).toEqual(MISMATCHED);
    expect(await store.acquire(key, leaseAt(NOW_MS))).toEqual(answered());
  });

  it.each([1, 12_000, 3_000_000])('keep an answer of %d bytes that nothing makes smaller', async (bytes) => {
    const [store, key, own] = [open(), freshKey(), leaseAt(NOW_MS)];
    const answer = answerOf(randomBytes(bytes).toString('base64'));
    await store.acquire(key, own);
    expect(await store.complete(key, own, answer, untilOf(own))).toBe(true);
    expect(await store.acquire(key, leaseAt(NOW_MS))).toEqual(answered(answer));
  });
});

describe.each([
  ['in memory', () => createMemoryIdempotency()],
  ['in DynamoDB', () => createIdempotencyStore(database.client, database.tables.cache)],
])('a look at an idempotency key %s', (_where, open) => {
  it('leaves a free one free, and makes no digest for it', async () => {
    const [store, key] = [open(), freshKey()];
    const digest = () => {
      throw new Error('the body is long');
    };
    expect(await store.find(key, NOW_MS, digest)).toBeUndefined();
    expect(await store.acquire(key, leaseAt(NOW_MS))).toEqual(ACQUIRED);
  });

  it('tells another request nothing', async () => {
    const [store, key] = [open(), freshKey()];
    await store.acquire(key, leaseAt(NOW_MS));
    expect(await store.find(key, NOW_MS, () => 'b'.repeat(64))).toEqual(MISMATCHED);
  });
});

/** What requests do with one key: they come, succeed, fail, and come late. */
const action = fc.record({
  kind: fc.constantFrom('acquire', 'complete', 'release', 'repeat', 'find'),
  /** Which of the leases so far. */
  whose: fc.nat({ max: 5 }),
  /** How far the clock goes on, and how far a request's own differs from it. */
  afterMs: fc.constantFrom(0, 1, 500, RUN_MS - 1, RUN_MS, DAY_MS - RUN_MS, DAY_MS),
  skewMs: fc.constantFrom(0, 0, -5_000, 5_000),
});
type Action = typeof action extends fc.Arbitrary<infer One> ? One : never;

/** The state of one key by the words of its port. */
interface Model {
  held: { readonly lease: Lease; answer?: StoredAnswer; expiresAt?: number } | undefined;
}

function expectedOf(model: Model, lease: Lease): unknown {
  const { held } = model;
  const isOwn = held?.lease.token === lease.token && held.answer === undefined;
  const endsMs = held && (held.expiresAt === undefined ? held.lease.leaseEndsAtMs : held.expiresAt * 1000);
  if (held === undefined || isOwn || Number(endsMs) <= lease.atMs) {
    model.held = { lease };
    return ACQUIRED;
  }
  return held.answer === undefined ? running(held.lease) : answered(held.answer);
}

/** Runs the actions on a store and on the model, and compares every outcome. */
async function compare(store: IdempotencyStore, actions: readonly Action[]): Promise<void> {
  const key = freshKey();
  const model: Model = { held: undefined };
  const leases: Lease[] = [];
  let nowMs = NOW_MS;
  for (const { kind, whose, afterMs, skewMs } of actions) {
    nowMs += afterMs;
    const own = leases[whose % Math.max(1, leases.length)];
    if (kind === 'find') {
      const atMs = nowMs + skewMs;
      const before = model.held;
      const expected = expectedOf(model, leaseAt(atMs));
      const isFree = model.held !== before;
      model.held = before;
      expect(await store.find(key, atMs, () => 'a'.repeat(64))).toEqual(isFree ? undefined : expected);
    } else if (kind === 'acquire' || own === undefined) {
      const lease = leaseAt(nowMs + skewMs);
      leases.push(lease);
      expect(await store.acquire(key, lease)).toEqual(expectedOf(model, lease));
    } else if (kind === 'repeat') {
      expect(await store.acquire(key, own)).toEqual(expectedOf(model, own));
    } else if (kind === 'release') {
      await store.release(key, own.token);
      if (model.held?.lease.token === own.token && model.held.answer === undefined) model.held = undefined;
    } else {
      const answer = answerOf(`${own.token} at ${nowMs}`);
      const isHeld = model.held?.lease.token === own.token;
      expect(await store.complete(key, own, answer, untilOf(own))).toBe(isHeld);
      if (isHeld) model.held = { lease: own, answer, expiresAt: untilOf(own) };
    }
  }
}

describe('the states of an idempotency key', () => {
  const actions = fc.array(action, { minLength: 1, maxLength: 25 });

  it('are those of the port in memory, whatever comes in which order and by whose clock', async () => {
    await fc.assert(
      fc.asyncProperty(actions, async (all) => {
        await compare(createMemoryIdempotency(), all);
      }),
    );
  });

  it('are the same in DynamoDB', async () => {
    const store = createIdempotencyStore(database.client, database.tables.cache);
    await fc.assert(
      fc.asyncProperty(actions, async (all) => {
        await compare(store, all);
      }),
      { numRuns: 25 },
    );
  }, 60_000);
});

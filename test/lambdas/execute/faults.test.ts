// What fails at each step of a request, and after its answer: the caller gets an answer, and nothing stays held, leased or waiting.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CounterFailure } from '../../../core/ports/counters.ts';
import type { ExecutionPorts } from '../../../lambdas/execute/compose.ts';
import { DUTIES, finish, openFunction } from './served.ts';

afterEach(() => vi.restoreAllMocks());

const fails = async (): Promise<never> => {
  throw new Error('the table is gone');
};
const breaks = (): never => {
  throw new TypeError('a defect');
};

/** The answer is none: its run fails once it is told. */
const NOT_JSON = { callModel: { outputSchema: { type: 'object' } } };

const failing = (replace: (usual: ExecutionPorts) => Partial<ExecutionPorts>) => {
  const function_ = openFunction({}, { replace });
  function_.tell();
  return function_;
};

const BEFORE_LEASE = ['line', 'entry', 'last use'];
const LEASED = ['line', 'release', 'entry', 'last use'];
const COUNTED = ['line', 'release', 'settle', 'entry', 'last use'];

describe('a step that fails', () => {
  it.each<[string, number, string, readonly string[], (usual: ExecutionPorts) => Partial<ExecutionPorts>]>([
    [
      'the settings',
      503,
      'dependency_unavailable',
      ['line', 'entry'],
      ({ settings }) => ({ settings: { ...settings, read: fails } }),
    ],
    ['the lease', 503, 'dependency_unavailable', BEFORE_LEASE, () => ({ openIdempotency: fails })],
    [
      'the token of a lease',
      500,
      'internal',
      BEFORE_LEASE,
      ({ random }) => ({ random: { ...random, bytes: breaks } }),
    ],
    ['the version', 503, 'dependency_unavailable', BEFORE_LEASE, () => ({ versions: { read: fails } })],
    [
      'the counters',
      503,
      'dependency_unavailable',
      LEASED,
      ({ counters }) => ({
        counters: { ...counters, reserve: () => Promise.reject(new CounterFailure('unknown')) },
      }),
    ],
    ['the list of providers', 500, 'internal', LEASED, () => ({ providersOf: breaks })],
    ['the runs in flight', 500, 'internal', COUNTED, () => ({ inFlight: { join: breaks } })],
  ])('%s ends the request with %i %s', async (_step, status, code, ended, replace) => {
    for (const stream of [false, true]) {
      const { begin, duties, entries, counters } = failing(replace);
      const answer = await finish(await begin({ stream, idempotencyKey: 'order-17' }).served);
      expect([answer.status, JSON.parse(answer.body).code]).toEqual([status, code]);
      expect(duties).toEqual(ended);
      expect(entries).toMatchObject([{ outcome: 'failed', code }]);
      const held = [...counters.states.values()].map(({ counts }) => counts.tokens);
      expect(held.filter((tokens) => tokens?.taken !== 0)).toEqual([]);
    }
  });

  it('costs no answer where only the cache fails', async () => {
    const { begin, entries } = failing(({ responses }) => ({ responses: { ...responses, read: fails } }));
    expect(await finish(await begin().served)).toMatchObject({ status: 200 });
    expect(entries).toMatchObject([{ outcome: 'success', cacheFailures: ['read'] }]);
  });
});

describe('work after the answer that fails', () => {
  const all = ['settle', 'entry', 'cache', 'last use'];

  it.each(all.flatMap((duty) => [[duty, 'rejects', fails] as const, [duty, 'throws', breaks] as const]))(
    'is %s that %s: the rest is done',
    async (duty, _how, instead) => {
      for (const stream of [false, true]) {
        const { begin, duties, tell } = openFunction({ [duty]: instead });
        tell();
        expect(await finish(await begin({ stream }).served)).toMatchObject({ status: 200 });
        expect(new Set(duties.filter((done) => all.includes(done)))).toEqual(new Set(all));
      }
    },
  );
});

/** A stream that is open, before its model has said a word. */
async function openStream({ begin, asked, clock }: ReturnType<typeof openFunction>) {
  const { served } = begin({ stream: true, idempotencyKey: 'order-17' });
  await asked;
  await clock.advance(5_000);
  const open = await served;
  const { body } = open.answer();
  if (typeof body === 'string') throw new Error('no stream');
  return { open, body };
}

describe('an error that cannot be encoded', () => {
  it('cuts its stream, which has no end without an event, and costs nothing else', async () => {
    const { surfaceOf } = await import('../../../core/surfaces/registry.ts');
    const opened = openFunction({}, NOT_JSON);
    const { duties, tell, entries } = opened;
    const native = surfaceOf('native');
    const { createEncoder } = native;
    vi.spyOn(native, 'createEncoder').mockImplementation((detail) => ({
      ...createEncoder(detail),
      error: breaks,
    }));
    const { open, body } = await openStream(opened);
    tell();
    await expect(body.toArray()).rejects.toThrow();
    await open.finish();
    expect(duties).toEqual(['open line', 'line', 'release', 'followers', 'settle', 'entry', 'last use']);
    expect(entries).toMatchObject([{ outcome: 'failed', code: 'upstream_unavailable' }]);
  });
});

describe('a caller that leaves', () => {
  it.each(['before the first text', 'after it'])(
    '%s leaves a run that ends like each other one',
    async (when) => {
      const opened = openFunction();
      const { duties, tell, entries } = opened;
      const { open, body } = await openStream(opened);
      if (when === 'after it') tell();
      body.destroy();
      tell();
      await open.finish();
      expect(duties).toEqual(DUTIES);
      expect(entries).toMatchObject([{ outcome: 'success' }]);
    },
  );
});

describe('an early timeout', () => {
  it('while the key is leased frees it again', async () => {
    const waiting = Promise.withResolvers<void>();
    const { begin, duties } = failing(({ openIdempotency }) => ({
      async openIdempotency() {
        await waiting.promise;
        return openIdempotency();
      },
    }));
    const { served, timeout } = begin({ idempotencyKey: 'order-17' });
    timeout.abort();
    waiting.resolve();
    expect(await finish(await served)).toMatchObject({ status: 503 });
    expect(duties).toEqual(['line', 'release', 'followers', 'settle', 'entry', 'last use']);
  });
});

describe('a run that goes on after its request has ended', () => {
  it('reserves nothing more: nobody would release it', async () => {
    // Not of the schema: the model would be asked again.
    const callModel = { outputSchema: { type: 'object' }, retries: 1 };
    const { begin, tell, asked, clock, counters } = openFunction({}, { callModel });
    const { served, timeout } = begin();
    await asked;
    timeout.abort();
    await finish(await served);
    const [ended] = counters.states.values();
    expect(ended?.counts.tokens).toMatchObject({ held: 0 });
    tell();
    for (let second = 0; second < 5; second += 1) await clock.advance(1_000);
    expect([...counters.states.values()]).toEqual([ended]);
  });

  it('asks no model for which it was still reserving', async () => {
    const callModel = { outputSchema: { type: 'object' }, retries: 1 };
    const [reserving, reserved] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let writes = 0;
    let asked = 0;
    const { begin, tell, clock } = openFunction(
      {
        model() {
          asked += 1;
        },
      },
      {
        callModel,
        replace: ({ counters }) => ({
          counters: {
            ...counters,
            async reserve(request) {
              writes += 1;
              if (writes === 2) {
                reserving.resolve();
                await reserved.promise;
              }
              return counters.reserve(request);
            },
          },
        }),
      },
    );
    tell();
    const { served, timeout } = begin();
    // The second attempt waits a moment for its turn.
    const waiting = setInterval(() => void clock.advance(100), 1);
    await reserving.promise;
    clearInterval(waiting);
    timeout.abort();
    expect(await finish(await served)).toMatchObject({ status: 503 });
    reserved.resolve();
    for (let second = 0; second < 5; second += 1) await clock.advance(1_000);
    expect([writes, asked]).toEqual([2, 1]);
  });
});

describe('an answer that is repeated', () => {
  it('needs no line: nothing was paid for it', async () => {
    let isGone = false;
    const { begin, tell } = openFunction({ line: () => (isGone ? breaks() : undefined) });
    tell();
    await finish(await begin({ idempotencyKey: 'order-17' }).served);
    isGone = true;
    expect(await finish(await begin({ idempotencyKey: 'order-17' }).served)).toMatchObject({ status: 200 });
  });
});

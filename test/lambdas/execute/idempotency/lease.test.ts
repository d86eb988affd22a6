// Idempotency keys: who runs, who is told to wait, what is repeated, and that a lease ends with its run, whatever the store does.
import { describe, expect, it } from 'vitest';
import { toAdmission } from '../../../../adapters/apigateway/proxy-event.ts';
import { ERROR_CODES, type ErrorCode } from '../../../../core/contract/error-codes.ts';
import { ServiceError } from '../../../../core/contract/service-error.ts';
import { createRepeatBudget, MAX_REPEATS } from '../../../../core/idempotency/repeat-budget.ts';
import type { IdempotencyStore } from '../../../../core/ports/idempotency.ts';
import type { Answer } from '../../../../core/surfaces/surface.ts';
import { startDeadline } from '../../../../core/time/deadline.ts';
import { endLease, leaseKey, replayInstead } from '../../../../lambdas/execute/idempotency/index.ts';
import type { LeasingCall } from '../../../../lambdas/execute/idempotency/lease.ts';
import type { Run } from '../../../../lambdas/execute/run.ts';
import { NOW_MS, settingsOf } from '../../../core/cache/requests.ts';
import { createMemoryClock, type MemoryClock } from '../../../support/memory/clock.ts';
import { createMemoryIdempotency } from '../../../support/memory/idempotency.ts';
import { createMemoryRandom } from '../../../support/memory/random.ts';
import { allowedRequest } from '../allowed-request.ts';

function open(store: Partial<IdempotencyStore> = {}) {
  const clock = createMemoryClock(NOW_MS);
  const lines: string[] = [];
  let opened = 0;
  const all = { ...createMemoryIdempotency(), ...store };
  const ports = {
    ...{ stage: 'dev', clock, random: createMemoryRandom(7) },
    lines: { write: (line: string) => void lines.push(line) },
    repeats: createRepeatBudget(),
    openIdempotency: async () => {
      opened += 1;
      return all;
    },
  };
  return { ports, clock, lines, opened: () => opened };
}

const PUBLIC = { authentication: 'public', keyId: undefined, username: undefined } as const;

interface Input {
  readonly keys?: readonly string[];
  readonly body?: string;
  readonly sourceIp?: string;
  readonly executionId?: string;
  readonly atMs?: number;
  readonly revision?: string;
}

function callOf(clock: MemoryClock, input: Input = {}): LeasingCall {
  const { keys = ['order-17'], body = '{"input":"Hello"}', atMs = NOW_MS, ...more } = input;
  const known = allowedRequest(atMs, PUBLIC);
  const request = { ...known, idempotencyKeys: keys, unparsed: { ...known.unparsed, body }, ...more };
  const deadline = startDeadline(clock, 60_000);
  const settings = settingsOf() as LeasingCall['settings'];
  return { request, admission: toAdmission(request), deadline, settings };
}

const OK: Answer = { status: 200, headers: { 'X-Cache': 'off' }, body: '{"output":"Hi."}' };
type Ports = ReturnType<typeof open>['ports'];

/** A run whose key is leased, where it has one. */
async function lease(call: LeasingCall, ports: Ports): Promise<Run> {
  const leased = await leaseKey(call, ports);
  if (leased?.kind === 'replay') throw new Error('the answer is there');
  return { ...call, startedMs: 0, attempts: [], subject: undefined, lease: leased };
}

/** The answer that is stored for a request, and what the log is told of it. */
async function repeat(call: LeasingCall, ports: Ports) {
  const leased = await leaseKey(call, ports);
  if (leased?.kind !== 'replay') throw new Error('there is no answer');
  return { answer: leased.answer(), original: leased.original };
}

function end(run: Run, ports: Ports, error?: ServiceError, answer = OK): Promise<void> {
  return endLease(run, { answer: () => answer, error }, ports);
}

describe('a request without an idempotency key', () => {
  it('asks no store, neither before its run nor after it', async () => {
    const { ports, clock, opened } = open();
    const run = await lease(callOf(clock, { keys: [] }), ports);
    expect(run.lease).toBeUndefined();
    await end(run, ports);
    await end(run, ports, new ServiceError('internal'));
    expect(opened()).toBe(0);
  });
});

describe('a request with an idempotency key', () => {
  it('leases it until two seconds after its deadline, and those that come meanwhile wait', async () => {
    const { ports, clock } = open();
    const run = await lease(callOf(clock), ports);
    expect(run.lease).toMatchObject({ atMs: NOW_MS, leaseEndsAtMs: NOW_MS + 62_000 });
    expect(run.lease?.token).toMatch(/^[\w-]{22}$/);
    await expect(lease(callOf(clock, { atMs: NOW_MS + 5_000 }), ports)).rejects.toMatchObject({
      ...{ code: 'idempotency_in_progress', retryAfterMs: 5_000 },
    });
    await expect(lease(callOf(clock, { body: '{}' }), ports)).rejects.toMatchObject({
      code: 'idempotency_mismatch',
    });
    // The run died.
    const next = await lease(callOf(clock, { atMs: NOW_MS + 62_000 }), ports);
    expect(next.lease).toMatchObject({ atMs: NOW_MS + 62_000 });
  });

  it('costs one store step before its run, and one before the answer leaves', async () => {
    const steps: string[] = [];
    const memory = createMemoryIdempotency();
    const counted = <Args extends unknown[], Result>(name: string, ask: (...args: Args) => Result) => {
      return (...args: Args) => {
        steps.push(name);
        return ask(...args);
      };
    };
    const { ports, clock } = open({
      acquire: counted('acquire', memory.acquire),
      complete: counted('complete', memory.complete),
      release: counted('release', memory.release),
    });
    const run = await lease(callOf(clock), ports);
    expect(steps.splice(0)).toEqual(['acquire']);
    await end(run, ports);
    expect(steps.splice(0)).toEqual(['complete']);
    const failing = await lease(callOf(clock, { keys: ['order-18'] }), ports);
    await end(failing, ports, new ServiceError('internal'));
    expect(steps).toEqual(['acquire', 'release']);
  });

  it('gets the answer of the first one, which the log names', async () => {
    const { ports, clock } = open();
    await end(await lease(callOf(clock), ports), ports);
    expect(await repeat(callOf(clock, { executionId: 'e2' }), ports)).toMatchObject({
      answer: { ...OK, headers: { 'X-Cache': 'off', 'Idempotency-Replayed': 'true' } },
      original: { code: undefined, status: 200, replay: { executionId: 'e1', executionStopped: false } },
    });
  });

  it('has no part in the keys of another address', async () => {
    const { ports, clock } = open();
    await end(await lease(callOf(clock), ports), ports);
    const other = await lease(callOf(clock, { sourceIp: '198.51.100.9' }), ports);
    expect(other.lease).toBeDefined();
  });

  it.each(Object.keys(ERROR_CODES) as ErrorCode[])('that ends in %s keeps it for 422 alone', async (code) => {
    const { ports, clock } = open();
    const answer = { status: ERROR_CODES[code].status, headers: {}, body: `{"code":"${code}"}` };
    await end(await lease(callOf(clock), ports), ports, new ServiceError(code), answer);
    if (answer.status !== 422)
      await expect(lease(callOf(clock), ports)).resolves.toHaveProperty('lease.token');
    else
      expect(await repeat(callOf(clock), ports)).toMatchObject({
        answer: { status: 422, body: answer.body },
        original: { code, status: 422, replay: { executionId: 'e1' } },
      });
  });

  it('and one that is malformed asks no store', async () => {
    const { ports, clock, opened } = open();
    for (const keys of [[''], ['a b'], ['a', 'b']])
      await expect(lease(callOf(clock, { keys }), ports)).rejects.toMatchObject({
        code: 'invalid_parameter',
      });
    expect(opened()).toBe(0);
  });

  it('and no preview key learns nothing of what was asked of a version', async () => {
    const { ports, clock, opened } = open();
    await expect(lease(callOf(clock, { revision: 'v1' }), ports)).rejects.toMatchObject({
      code: 'revision_not_found',
    });
    expect(opened()).toBe(0);
  });
});

describe('a request that is rejected before it has a lease', () => {
  const rejection = new ServiceError('invalid_input');

  it('without a key is rejected, and asks no store', async () => {
    const { ports, clock, opened } = open();
    await expect(replayInstead(rejection, callOf(clock, { keys: [] }), ports)).rejects.toBe(rejection);
    expect(opened()).toBe(0);
  });

  it('with a key that is free leaves it free', async () => {
    const { ports, clock } = open();
    await expect(replayInstead(rejection, callOf(clock), ports)).rejects.toBe(rejection);
    await expect(lease(callOf(clock), ports)).resolves.toHaveProperty('lease.token');
  });

  it('gets the answer that its key has, also when settings have changed since', async () => {
    const { ports, clock } = open();
    await end(await lease(callOf(clock), ports), ports);
    const replay = await replayInstead(rejection, callOf(clock, { executionId: 'e2' }), ports);
    expect(replay.answer()).toMatchObject({ status: 200, body: OK.body });
    expect(replay.original).toMatchObject({ replay: { executionId: 'e1' } });
  });

  it('is told of the run or the other request that has its key, of a failing store, and of a wrong key', async () => {
    const { ports, clock } = open();
    await lease(callOf(clock), ports);
    for (const [input, code] of [
      [{ atMs: NOW_MS + 1 }, 'idempotency_in_progress'],
      [{ body: '{' }, 'idempotency_mismatch'],
      [{ keys: ['a b'] }, 'invalid_parameter'],
      [{ revision: 'v1' }, 'revision_not_found'],
    ] as const)
      await expect(replayInstead(rejection, callOf(clock, input), ports)).rejects.toMatchObject({ code });
    const failing = open({ find: () => Promise.reject(new Error('down')) });
    await expect(replayInstead(rejection, callOf(clock), failing.ports)).rejects.toMatchObject({
      code: 'dependency_unavailable',
    });
  });
});

describe('a key that is sent again and again', () => {
  it('asks the store sixty times a minute, and then not until the minute is over', async () => {
    const { ports, clock, opened } = open();
    await end(await lease(callOf(clock), ports), ports);
    for (let time = 0; time < MAX_REPEATS; time += 1) await repeat(callOf(clock), ports);
    const asked = opened();
    const untilMs = (Math.floor(NOW_MS / 60_000) + 1) * 60_000;
    await expect(repeat(callOf(clock), ports)).rejects.toMatchObject({
      ...{ code: 'rate_limited', retryAfterMs: untilMs - NOW_MS },
    });
    expect(opened()).toBe(asked);
    // Other keys are not concerned.
    await expect(lease(callOf(clock, { keys: ['order-18'] }), ports)).resolves.toHaveProperty('lease.token');
    await expect(repeat(callOf(clock, { atMs: untilMs }), ports)).resolves.toBeDefined();
  });
});

describe('a store of idempotency keys', () => {
  it('that fails lets nobody run', async () => {
    const failing = () => Promise.reject(new Error('the table of secrets'));
    const { ports, clock } = open({ acquire: failing });
    await expect(lease(callOf(clock), ports)).rejects.toMatchObject({
      ...{ code: 'dependency_unavailable', reason: 'the idempotency key could not be claimed (Error)' },
    });
  });

  it.each([
    ['fails', () => Promise.reject(new Error('the table of secrets'))],
    ['hangs', () => new Promise<never>(() => undefined)],
  ])('that %s when a run ends costs a line and no answer', async (_how, fails) => {
    const { ports, clock, lines } = open({ complete: fails, release: fails });
    const run = await lease(callOf(clock), ports);
    for (const error of [undefined, new ServiceError('internal')]) {
      const ended = end(run, ports, error);
      await clock.advance(1_500);
      await ended;
      const line = lines.splice(0).map((one) => JSON.parse(one));
      expect(line).toEqual([expect.objectContaining({ neuronIdempotencyLoss: 1, executionId: 'e1' })]);
      expect(JSON.stringify(line)).not.toContain('secrets');
    }
    // The lease stands, so that nobody runs a second time while its lease lasts.
    await expect(lease(callOf(clock), ports)).rejects.toMatchObject({
      code: 'idempotency_in_progress',
    });
  });

  it('is not asked to keep what cannot be rendered, and the answer leaves all the same', async () => {
    const { ports, clock } = open();
    const run = await lease(callOf(clock), ports);
    const answer = () => {
      throw new Error('a defect');
    };
    await expect(endLease(run, { answer, error: undefined }, ports)).resolves.toBeUndefined();
    await expect(lease(callOf(clock), ports)).rejects.toMatchObject({
      code: 'idempotency_in_progress',
    });
  });

  it('is missed in a line of its own where the answer cannot be rendered', async () => {
    const { ports, clock, lines } = open();
    const run = await lease(callOf(clock), ports);
    const answer = () => {
      throw new Error('a defect with a secret');
    };
    await endLease(run, { answer, error: undefined }, ports);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ neuronIdempotencyLoss: 1, executionId: 'e1' }),
    ]);
    expect(lines.join()).not.toContain('secret');
  });

  it('holds a stream until it ends, and then all of it', async () => {
    const { ports, clock } = open();
    const run = await lease(callOf(clock), ports);
    await expect(lease(callOf(clock), ports)).rejects.toMatchObject({
      code: 'idempotency_in_progress',
    });
    await end(run, ports, undefined, { status: 200, headers: {}, body: 'data: [DONE]\n\n' });
    expect(await repeat(callOf(clock), ports)).toMatchObject({ answer: { body: 'data: [DONE]\n\n' } });
  });
});

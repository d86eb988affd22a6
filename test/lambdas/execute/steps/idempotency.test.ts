// The step of idempotency: who runs, who is told to wait, what is repeated, and that a claim ends with its run, whatever the store does.
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '../../../../core/contract/error-codes.ts';
import { ServiceError } from '../../../../core/contract/service-error.ts';
import type { IdempotencyStore } from '../../../../core/ports/idempotency.ts';
import { startDeadline } from '../../../../core/time/deadline.ts';
import { toAdmission } from '../../../../lambdas/execute/admission.ts';
import { keep } from '../../../../lambdas/execute/bind.ts';
import { Answered, type ClaimedRun, type ServingRun } from '../../../../lambdas/execute/run.ts';
import { claimKey, endClaim, endWith } from '../../../../lambdas/execute/steps/idempotency.ts';
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

function servingRun(clock: MemoryClock, input: Input = {}): ServingRun {
  const { keys = ['order-17'], body = '{"input":"Hello"}', atMs = NOW_MS, ...more } = input;
  const known = allowedRequest(atMs, PUBLIC);
  const request = { ...known, idempotencyKeys: keys, unparsed: { ...known.unparsed, body }, ...more };
  return {
    request,
    ...{ startedMs: clock.monotonicMs(), subject: undefined, known: undefined },
    admission: toAdmission(request),
    deadline: startDeadline(clock, 60_000),
    settings: settingsOf(),
  } as unknown as ServingRun;
}

const OK: APIGatewayProxyResult = {
  statusCode: 200,
  headers: { 'X-Cache': 'off' },
  body: '{"output":"Hi."}',
};
type Ports = ReturnType<typeof open>['ports'];

/** Ends a run as Middy would: with an answer, or with an error and its answer. */
async function endRun(run: ClaimedRun, ports: Ports, error?: unknown, response = OK): Promise<void> {
  const event = {} as APIGatewayProxyEvent;
  keep(event, run as never);
  const request = { event, response, error } as never;
  await (error === undefined ? endClaim(ports).after?.(request) : endClaim(ports).onError?.(request));
}

describe('a request without an idempotency key', () => {
  it('asks no store, neither before its run nor after it', async () => {
    const { ports, clock, opened } = open();
    const run = await claimKey(servingRun(clock, { keys: [] }), ports);
    expect(run.claim).toBeUndefined();
    await endRun(run, ports);
    await endRun(run, ports, new ServiceError('internal'));
    expect(opened()).toBe(0);
  });
});

describe('a request with an idempotency key', () => {
  it('claims it until two seconds after its deadline, and those that come meanwhile wait', async () => {
    const { ports, clock } = open();
    const { claim } = await claimKey(servingRun(clock), ports);
    expect(claim).toMatchObject({ atMs: NOW_MS, leaseEndsAtMs: NOW_MS + 62_000 });
    expect(claim?.token).toMatch(/^[\w-]{22}$/);
    await expect(claimKey(servingRun(clock, { atMs: NOW_MS + 5_000 }), ports)).rejects.toMatchObject({
      ...{ code: 'idempotency_in_progress', retryAfterMs: 5_000 },
    });
    await expect(claimKey(servingRun(clock, { body: '{}' }), ports)).rejects.toMatchObject({
      code: 'idempotency_mismatch',
    });
    // The run died.
    const next = await claimKey(servingRun(clock, { atMs: NOW_MS + 62_000 }), ports);
    expect(next.claim).toMatchObject({ atMs: NOW_MS + 62_000 });
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
      claim: counted('claim', memory.claim),
      keep: counted('keep', memory.keep),
      release: counted('release', memory.release),
    });
    const run = await claimKey(servingRun(clock), ports);
    expect(steps.splice(0)).toEqual(['claim']);
    await endRun(run, ports);
    expect(steps.splice(0)).toEqual(['keep']);
    const failing = await claimKey(servingRun(clock, { keys: ['order-18'] }), ports);
    await endRun(failing, ports, new ServiceError('internal'));
    expect(steps).toEqual(['claim', 'release']);
  });

  it('gets the answer of the first one, which the log names', async () => {
    const { ports, clock } = open();
    await endRun(await claimKey(servingRun(clock), ports), ports);
    const again = claimKey(servingRun(clock, { executionId: 'e2' }), ports);
    await expect(again).rejects.toBeInstanceOf(Answered);
    await expect(again).rejects.toMatchObject({
      answer: { ...OK, headers: { 'X-Cache': 'off', 'Idempotency-Replayed': 'true' } },
      repeats: { code: undefined, status: 200, replay: { executionId: 'e1', executionStopped: false } },
    });
  });

  it('has no part in the keys of another address', async () => {
    const { ports, clock } = open();
    await endRun(await claimKey(servingRun(clock), ports), ports);
    const other = await claimKey(servingRun(clock, { sourceIp: '198.51.100.9' }), ports);
    expect(other.claim).toBeDefined();
  });

  it.each(Object.keys(ERROR_CODES) as ErrorCode[])('that ends in %s keeps it for 422 alone', async (code) => {
    const { ports, clock } = open();
    const answer = { statusCode: ERROR_CODES[code].status, headers: {}, body: `{"code":"${code}"}` };
    await endRun(await claimKey(servingRun(clock), ports), ports, new ServiceError(code), answer);
    const again = claimKey(servingRun(clock), ports);
    if (answer.statusCode !== 422) await expect(again).resolves.toHaveProperty('claim.token');
    else
      await expect(again).rejects.toMatchObject({
        answer: { statusCode: 422, body: answer.body },
        repeats: { code, status: 422, replay: { executionId: 'e1' } },
      });
  });

  it('and one that is malformed asks no store', async () => {
    const { ports, clock, opened } = open();
    for (const keys of [[''], ['a b'], ['a', 'b']])
      await expect(claimKey(servingRun(clock, { keys }), ports)).rejects.toMatchObject({
        code: 'invalid_parameter',
      });
    expect(opened()).toBe(0);
  });

  it('and no preview key learns nothing of what was asked of a version', async () => {
    const { ports, clock, opened } = open();
    await expect(claimKey(servingRun(clock, { revision: 'v1' }), ports)).rejects.toMatchObject({
      code: 'revision_not_found',
    });
    expect(opened()).toBe(0);
  });
});

describe('a store of idempotency keys', () => {
  it('that fails lets nobody run', async () => {
    const failing = () => Promise.reject(new Error('the table of secrets'));
    const { ports, clock } = open({ claim: failing });
    await expect(claimKey(servingRun(clock), ports)).rejects.toMatchObject({
      ...{ code: 'dependency_unavailable', reason: 'the idempotency key could not be claimed (Error)' },
    });
  });

  it.each([
    ['fails', () => Promise.reject(new Error('the table of secrets'))],
    ['hangs', () => new Promise<never>(() => undefined)],
  ])('that %s when a run ends costs a line and no answer', async (_how, fails) => {
    const { ports, clock, lines } = open({ keep: fails, release: fails });
    const run = await claimKey(servingRun(clock), ports);
    for (const error of [undefined, new ServiceError('internal')]) {
      const ended = endRun(run, ports, error);
      await clock.advance(1_500);
      await ended;
      const line = lines.splice(0).map((one) => JSON.parse(one));
      expect(line).toEqual([expect.objectContaining({ neuronIdempotencyLoss: 1, executionId: 'e1' })]);
      expect(JSON.stringify(line)).not.toContain('secrets');
    }
    // The claim stands, so that nobody runs a second time while its lease lasts.
    await expect(claimKey(servingRun(clock), ports)).rejects.toMatchObject({
      code: 'idempotency_in_progress',
    });
  });

  it('is not asked to keep what cannot be rendered, and the answer leaves all the same', async () => {
    const { ports, clock } = open();
    const run = await claimKey(servingRun(clock), ports);
    const ended = () => {
      throw new Error('a defect');
    };
    await expect(endWith(run as never, ended, ports)).resolves.toBeUndefined();
    await expect(claimKey(servingRun(clock), ports)).rejects.toMatchObject({
      code: 'idempotency_in_progress',
    });
  });

  it('is left alone by an answer that is a stream, which ends by itself', async () => {
    const { ports, clock } = open();
    const run = await claimKey(servingRun(clock), ports);
    await endRun({ ...run, streaming: Promise.resolve() } as ClaimedRun, ports);
    await expect(claimKey(servingRun(clock), ports)).rejects.toMatchObject({
      code: 'idempotency_in_progress',
    });
    const answer = { status: 200, headers: {}, body: 'data: [DONE]\n\n' };
    await endWith(run as never, () => ({ answer, rejection: undefined }), ports);
    await expect(claimKey(servingRun(clock), ports)).rejects.toMatchObject({
      answer: { body: 'data: [DONE]\n\n' },
    });
  });
});

// The step of the response cache: when it reads, and that the first of identical requests always lets the others go on.
import { describe, expect, it } from 'vitest';
import { createInFlightRuns } from '../../../../core/cache/in-flight.ts';
import { createCircuitBreakers } from '../../../../core/flow/circuit-breaker.ts';
import { startDeadline } from '../../../../core/time/deadline.ts';
import type { AdmittedCall, Run } from '../../../../lambdas/execute/run.ts';
import { lookUpAnswer, startCacheRead } from '../../../../lambdas/execute/steps/response-cache.ts';
import { releaseFollowers } from '../../../../lambdas/execute/steps/shared-answer.ts';
import { NOW_MS, requestOf } from '../../../core/cache/requests.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';
import {
  createMemoryResponseCache,
  createMemoryVectorIndex,
} from '../../../support/memory/response-cache.ts';

const clock = createMemoryClock(NOW_MS);

function open() {
  const reads: string[] = [];
  const responses = createMemoryResponseCache();
  const ports = {
    clock,
    stage: 'test',
    lines: { write: () => undefined },
    responses: {
      ...responses,
      read: (...options: Parameters<typeof responses.read>) => {
        reads.push(options[1]);
        return responses.read(...options);
      },
    },
    vectors: createMemoryVectorIndex(),
    inFlight: createInFlightRuns(),
    circuits: createCircuitBreakers(clock),
    providersOf: () => () => undefined,
  };
  return { ports, reads };
}

/** A call that limits let in. */
function admittedCall(): AdmittedCall {
  const { settings, version, conversation, bypassCache } = requestOf();
  return {
    request: { executionId: 'exec-1', revision: undefined },
    startedMs: NOW_MS,
    settings,
    version,
    admission: { keyId: 'key-1' },
    invocation: { input: 'Hello', conversation, bypassCache, rawOutput: false },
    deadline: startDeadline(clock, 60_000),
  } as unknown as AdmittedCall;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the step of the response cache', () => {
  it('starts its exact read before anything waits for it, and reads once', async () => {
    const { ports, reads } = open();
    const call = admittedCall();
    const caching = startCacheRead(call, ports);
    expect(reads).toHaveLength(1);
    const lookup = await lookUpAnswer(call, caching, ports);
    expect(lookup).toMatchObject({ result: 'miss' });
    expect(reads).toHaveLength(1);
  });

  it.each(['with an answer', 'with an error'])(
    'lets those that wait go on when the run ends %s',
    async (end) => {
      const { ports } = open();
      const lookUpOne = (call = admittedCall()) => {
        const caching = startCacheRead(call, ports);
        return lookUpAnswer(call, caching, ports).then(
          (lookup): Run => ({ ...call, attempts: [], caching, lookup }),
        );
      };
      const leader = await lookUpOne();
      let follower: unknown;
      const waiting = lookUpOne().then(({ lookup }) => {
        follower = lookup;
      });
      await settled();
      expect(follower).toBeUndefined();
      const result = {
        kind: 'done' as const,
        output: 'Hi.',
        stopped: false,
        ...{ trace: [], modelCalls: [], tokensInput: 0, tokensOutput: 0, costMicrodollars: 0, providerMs: 0 },
      };
      releaseFollowers(end === 'with an answer' ? { ...leader, result } : leader, ports);
      await waiting;
      expect(follower).toMatchObject(
        end === 'with an answer' ? { result: 'exact', found: { output: 'Hi.' } } : { result: 'miss' },
      );
    },
  );

  it('leaves a request alone that was refused before it', () => {
    const { ports } = open();
    expect(() => releaseFollowers({ request: {} } as Run, ports)).not.toThrow();
  });
});

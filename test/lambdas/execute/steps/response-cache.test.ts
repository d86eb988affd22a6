// The step of the response cache: when it reads, and that the first of identical requests always lets the others go on.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { createInFlightRuns } from '../../../../core/cache/in-flight.ts';
import { createCircuitBreakers } from '../../../../core/flow/circuit-breaker.ts';
import { startDeadline } from '../../../../core/time/deadline.ts';
import { keep } from '../../../../lambdas/execute/bind.ts';
import type { AdmittedRun } from '../../../../lambdas/execute/run.ts';
import {
  lookUpAnswer,
  releaseFollowers,
  startCacheRead,
} from '../../../../lambdas/execute/steps/response-cache.ts';
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

/** A run that has come as far as its version, its limits aside. */
function versionedRun(): AdmittedRun {
  const { settings, version, conversation, bypassCache } = requestOf();
  return {
    request: { executionId: 'exec-1', revision: undefined },
    startedMs: NOW_MS,
    settings,
    version,
    admission: { keyId: 'key-1' },
    invocation: { input: 'Hello', conversation, bypassCache, rawOutput: false },
    deadline: startDeadline(clock, 60_000),
  } as unknown as AdmittedRun;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the step of the response cache', () => {
  it('starts its exact read before anything waits for it, and reads once', async () => {
    const { ports, reads } = open();
    const run = versionedRun();
    const reading = startCacheRead(run, ports);
    expect(reads).toHaveLength(1);
    const { lookup } = await lookUpAnswer({ ...run, ...reading }, ports);
    expect(lookup).toMatchObject({ result: 'miss' });
    expect(reads).toHaveLength(1);
  });

  it.each(['after', 'onError'] as const)('lets those that wait go on %s the run', async (end) => {
    const { ports } = open();
    const [first, second] = [versionedRun(), versionedRun()].map((run) => ({
      ...run,
      ...startCacheRead(run, ports),
    })) as [AdmittedRun, AdmittedRun];
    const leader = await lookUpAnswer(first, ports);
    let follower: unknown;
    const waiting = lookUpAnswer(second, ports).then(({ lookup }) => {
      follower = lookup;
    });
    await settled();
    expect(follower).toBeUndefined();
    const event = {} as APIGatewayProxyEvent;
    const result = {
      kind: 'done' as const,
      output: 'Hi.',
      stopped: false,
      ...{ trace: [], modelCalls: [], tokensInput: 0, tokensOutput: 0, costMicrodollars: 0, providerMs: 0 },
    };
    keep(event, end === 'after' ? { ...leader, result } : leader);
    releaseFollowers(ports)[end]?.({ event } as never);
    await waiting;
    expect(follower).toMatchObject(
      end === 'after' ? { result: 'exact', found: { output: 'Hi.' } } : { result: 'miss' },
    );
  });

  it('leaves a request alone that was refused before it', () => {
    const { ports } = open();
    expect(() => releaseFollowers(ports).onError?.({ event: {} } as never)).not.toThrow();
  });
});

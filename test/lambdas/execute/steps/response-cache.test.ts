// The step of the response cache: when it reads, and that the first of identical requests always lets the others go on.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { createInFlightRuns } from '../../../../core/cache/in-flight.ts';
import { createCircuitBreakers } from '../../../../core/flow/circuit-breaker.ts';
import { startDeadline } from '../../../../core/time/deadline.ts';
import type { Run } from '../../../../lambdas/execute/run.ts';
import { setRun } from '../../../../lambdas/execute/steps/record.ts';
import { responseCache, startExactRead } from '../../../../lambdas/execute/steps/response-cache.ts';
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
      read: (...given: Parameters<typeof responses.read>) => {
        reads.push(given[1]);
        return responses.read(...given);
      },
    },
    vectors: createMemoryVectorIndex(),
    flights: createInFlightRuns(),
    circuits: createCircuitBreakers(clock),
    providersOf: () => () => undefined,
  };
  return { ports, reads };
}

/** A run that has come as far as its version. */
function runOf(): { readonly run: Run; readonly request: never } {
  const { settings, version, input, bypassCache } = requestOf();
  const event = {} as APIGatewayProxyEvent;
  const run = {
    request: { executionId: 'exec-1', revision: undefined },
    startedAtMs: NOW_MS,
    settings,
    version,
    admission: { keyId: 'key-1' },
    invocation: { input, bypassCache, rawOutput: false },
    deadline: startDeadline(clock, NOW_MS + 60_000),
  } as unknown as Run;
  setRun(event, run);
  return { run, request: { event } as never };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the step of the response cache', () => {
  it('has its exact read under way before anything waits for it, and reads once', async () => {
    const { ports, reads } = open();
    const { run, request } = runOf();
    startExactRead(ports).before?.(request);
    expect(reads).toHaveLength(1);
    expect(run.lookup).toBeUndefined();
    await responseCache(ports).before?.(request);
    expect(run.lookup).toMatchObject({ result: 'miss' });
    expect(reads).toHaveLength(1);
  });

  it.each(['after', 'onError'] as const)('lets those that wait go on %s the run', async (end) => {
    const { ports } = open();
    const [first, second] = [runOf(), runOf()];
    const step = responseCache(ports);
    for (const { request } of [first, second]) startExactRead(ports).before?.(request);
    await step.before?.(first.request);
    const waiting = step.before?.(second.request);
    await settled();
    expect(second.run.lookup).toBeUndefined();
    if (end === 'after') {
      first.run.result = {
        kind: 'done',
        output: 'Hi.',
        stopped: false,
        ...{ trace: [], modelCalls: [], tokensInput: 0, tokensOutput: 0, costMicrodollars: 0, providerMs: 0 },
      };
    }
    step[end]?.(first.request);
    await waiting;
    expect(second.run.lookup).toMatchObject(
      end === 'after' ? { result: 'exact', found: { output: 'Hi.' } } : { result: 'miss' },
    );
  });

  it('leaves a request alone that was refused before it', () => {
    const { ports } = open();
    expect(() => responseCache(ports).onError?.({ event: {} } as never)).not.toThrow();
  });
});

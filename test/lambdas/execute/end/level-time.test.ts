// The time of an answer that hides a neuron, on a clock of the test.
import { describe, expect, it } from 'vitest';
import type { ExecutionRequest } from '../../../../adapters/apigateway/proxy-event.ts';
import { ServiceError } from '../../../../core/contract/service-error.ts';
import { hidesNeuron, levelTime } from '../../../../lambdas/execute/end/level-time.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';

/** Milliseconds from the request to its answer, for one that was decided and finished after so many. */
async function timeOf({ decidedMs, finishMs }: { decidedMs: number; finishMs: number }): Promise<number> {
  const clock = createMemoryClock(10_000);
  const startedMs = clock.monotonicMs();
  await clock.advance(decidedMs);
  let finishes = 0;
  const finish = () => {
    finishes += 1;
    return clock.sleep(finishMs);
  };
  const answer = () => ({ status: 404, headers: {}, body: '' });
  const levelled = levelTime({ answer, error: undefined, finish }, { startedMs }, { clock });
  let leftMs = 0;
  void levelled.then(() => {
    leftMs = clock.monotonicMs() - startedMs;
  });
  await clock.advance(1_000);
  // A second finish would put the entry twice.
  await Promise.all([(await levelled).finish(), clock.advance(1_000)]);
  expect(finishes).toBe(1);
  return leftMs;
}

describe('an answer that hides a neuron', () => {
  it.each([
    [1, 0, 50],
    [49, 0, 50],
    [12, 30, 50],
    [12, 37, 50],
    [12, 38, 100],
    [51, 0, 100],
    [180, 10, 200],
  ])('decided after %i ms and entered in %i leaves after %i', async (decidedMs, finishMs, expected) => {
    expect(await timeOf({ decidedMs, finishMs })).toBe(expected);
  });

  it('waits 300 ms for its entry, and no longer', async () => {
    expect(await timeOf({ decidedMs: 10, finishMs: 900 })).toBe(350);
  });

  it('is that of an unknown model on the URL of an organization alone', () => {
    const own = { request: {} as ExecutionRequest };
    const ofOrganization = { request: { ofOrganization: {} } as ExecutionRequest };
    const unknown = new ServiceError('model_not_found');
    expect(hidesNeuron(ofOrganization, unknown)).toBe(true);
    expect(hidesNeuron(own, unknown)).toBe(false);
    expect(hidesNeuron(ofOrganization, new ServiceError('deployment_not_found'))).toBe(false);
    expect(hidesNeuron(ofOrganization, undefined)).toBe(false);
  });
});

// The ports of a run for tests: chance that is always the same, circuits of their own, no prices, no limits.

import { validateJson } from '../../../adapters/schema/validate-json.ts';
import { createCircuitBreakers } from '../../../core/flow/circuit-breaker.ts';
import type { FlowPorts } from '../../../core/flow/step.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';

/** Ports with what a test says; a call of a provider that it does not name finds none. */
export function flowPorts(input: Partial<FlowPorts> = {}): FlowPorts {
  const clock = input.clock ?? createMemoryClock(0);
  return {
    clock,
    random: { fraction: () => 0 },
    validateJson,
    breakers: createCircuitBreakers(clock).within('org'),
    costOf: () => null,
    reserveAttempt: async () => ({ settle: () => undefined }),
    findProvider: () => undefined,
    ...input,
  };
}

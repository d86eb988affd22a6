// Circuit breakers: a model that keeps failing is not called for a while, so that callers do not wait in vain.
import { type BoundedMap, createBoundedMap } from '../async/bounded-map.ts';
import type { Clock } from '../time/clock.ts';

/** Consecutive failures that open a circuit, and how long it stays open. */
const FAILURES_TO_OPEN = 5;
const OPEN_MS = 10_000;

/** Circuits in memory; the one that failed longest ago is evicted first. */
const MAX_CIRCUITS = 1_000;

/** The circuits of one neuron: its callers must not open those of another. `target` is `PROVIDER/MODEL`. */
export interface CircuitBreakers {
  /**
   * Milliseconds until the target may be called again; 0 when it may be now. When the time is over, one caller may try it, and the
   * others wait for as long again.
   */
  retryAfterMs(target: string): number;
  /** The target answered, or rejected the request. */
  succeeded(target: string): void;
  /** The target was down, out of quota or answered unreadably. */
  failed(target: string): void;
}

/** One per execution environment, in memory. */
export interface CircuitRegistry {
  /** The circuits of a neuron, by its id. */
  within(neuronId: string): CircuitBreakers;
}

interface Circuit {
  failures: number;
  openUntilMs: number;
}

/** Circuits of every neuron, all closed. */
export function createCircuitBreakers(clock: Pick<Clock, 'monotonicMs'>): CircuitRegistry {
  const circuits = createBoundedMap<Circuit>(MAX_CIRCUITS);
  return { within: (neuronId) => circuitsOf(neuronId, circuits, clock) };
}

function circuitsOf(
  neuronId: string,
  circuits: BoundedMap<Circuit>,
  clock: Pick<Clock, 'monotonicMs'>,
): CircuitBreakers {
  const keyOf = (target: string): string => `${neuronId}/${target}`;
  return {
    retryAfterMs(target) {
      const circuit = circuits.get(keyOf(target));
      if (circuit === undefined || circuit.failures < FAILURES_TO_OPEN) return 0;
      const waitMs = circuit.openUntilMs - clock.monotonicMs();
      if (waitMs > 0) return waitMs;
      circuit.openUntilMs = clock.monotonicMs() + OPEN_MS;
      return 0;
    },
    succeeded(target) {
      circuits.delete(keyOf(target));
    },
    failed(target) {
      const failures = (circuits.get(keyOf(target))?.failures ?? 0) + 1;
      circuits.put(keyOf(target), { failures, openUntilMs: clock.monotonicMs() + OPEN_MS });
    },
  };
}

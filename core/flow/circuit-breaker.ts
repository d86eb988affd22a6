// Circuit breakers: a model that keeps failing is not called for a while, so that callers do not wait in vain.
import { type BoundedMap, createBoundedMap } from '../async/bounded-map.ts';
import type { Clock } from '../time/clock.ts';

/** Consecutive failures that open a circuit, and how long it stays open. */
const FAILURES_TO_OPEN = 5;
const OPEN_MS = 10_000;

/** Inputs that a circuit remembers to have failed; the oldest is forgotten first. */
const MAX_INPUTS = 100;

/** Circuits in memory; the one that failed longest ago is evicted first. */
const MAX_CIRCUITS = 1_000;

/** The circuits of one neuron: its callers must not open those of another. `target` is `PROVIDER/MODEL`. */
export interface CircuitBreakers {
  /**
   * Milliseconds until the target may be called again; 0 when it may be now. When the time is over, one caller may try it, and the
   * others wait for as long again. A circuit that the inputs themselves may have opened lets another input try it before, one at a
   * time. `input` is a digest, made only where it is needed.
   */
  retryAfterMs(target: string, input?: () => string): number;
  /** The target answered, or rejected the request. */
  succeeded(target: string): void;
  /**
   * The target was down, out of quota or answered unreadably. `input` where the input may be the cause: it counts once, however often
   * it fails, so that no caller closes a model to others by repeating one call.
   */
  failed(target: string, input?: () => string): void;
}

/** One per execution environment, in memory. */
export interface CircuitRegistry {
  within(neuronId: string): CircuitBreakers;
}

interface Circuit {
  /** Failures that no input can cause. */
  failures: number;
  /** Digests of the inputs that failed, the oldest first. */
  readonly inputs: Set<string>;
  openUntilMs: number;
  /** Until then another input is trying it. */
  triedUntilMs: number;
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
    retryAfterMs(target, input) {
      const circuit = circuits.get(keyOf(target));
      if (circuit === undefined || circuit.failures + circuit.inputs.size < FAILURES_TO_OPEN) return 0;
      const nowMs = clock.monotonicMs();
      const waitMs = circuit.openUntilMs - nowMs;
      if (waitMs <= 0) circuit.openUntilMs = nowMs + OPEN_MS;
      else if (mayTry(circuit, input, nowMs)) circuit.triedUntilMs = nowMs + OPEN_MS;
      else return waitMs;
      return 0;
    },
    succeeded(target) {
      circuits.delete(keyOf(target));
    },
    failed(target, input) {
      const { failures, inputs } = circuits.get(keyOf(target)) ?? { failures: 0, inputs: new Set<string>() };
      if (input !== undefined) addInput(inputs, input());
      circuits.put(keyOf(target), {
        failures: input === undefined ? failures + 1 : failures,
        inputs,
        openUntilMs: clock.monotonicMs() + OPEN_MS,
        triedUntilMs: 0,
      });
    },
  };
}

/** True for an input that has not failed, where failures of other inputs opened the circuit. */
function mayTry(
  { failures, inputs, triedUntilMs }: Circuit,
  input: (() => string) | undefined,
  nowMs: number,
): boolean {
  if (input === undefined || failures >= FAILURES_TO_OPEN || triedUntilMs > nowMs) return false;
  return !inputs.has(input());
}

function addInput(inputs: Set<string>, input: string): void {
  inputs.add(input);
  const [oldest] = inputs;
  if (inputs.size > MAX_INPUTS && oldest !== undefined) inputs.delete(oldest);
}

// The outside of a run, with recordings between.
import type { CircuitRegistry } from '../../flow/circuit-breaker.ts';
import type { FlowPorts } from '../../flow/step.ts';
import { costOfUsage, findPrice } from '../../pricing/cost.ts';
import { seeded } from '../../statistics/seeded.ts';
import { digestOfParts } from '../../text/digest.ts';
import { recordProvider } from '../recording/recorded-provider.ts';
import type { RunRecorder } from '../recording/recorder.ts';
import type { OutsidePorts } from './outside-ports.ts';
import type { RunClock } from './run-clock.ts';
import type { TestedNeuron } from './tested-neuron.ts';

/** Those of one run. */
export interface RunPorts extends OutsidePorts {
  readonly clock: RunClock;
  /** For this run alone: no run may change the verdict on another. */
  readonly circuits: CircuitRegistry;
  readonly recorder: RunRecorder;
}

/** Random choices follow the seed. */
export function openFlowPorts(neuron: TestedNeuron, seed: string, ports: RunPorts): FlowPorts {
  const { recorder, clock, circuits, validateJson } = ports;
  const fraction = seeded(Number.parseInt(digestOfParts(['choices of a test', seed]).slice(0, 8), 16));
  const find = ports.providersOf(neuron);
  const costOf = toCostOf(neuron);
  let most: number | null = 0;
  return {
    clock,
    random: { fraction },
    breakers: circuits.within(neuron.name),
    costOf,
    async reserveAttempt({ costMicrodollars }) {
      most = costMicrodollars;
      return { settle: () => undefined };
    },
    validateJson,
    findProvider(name) {
      const found = find(name);
      return found && recordProvider(name, found, { recorder, costOf, mostOfAttempt: () => most });
    },
    sealOf: (provider) => digestOfParts(['thoughts of a test', neuron.name, provider]).slice(0, 32),
  };
}

/** Prices of the organization's models. */
export function toCostOf({ organization }: TestedNeuron): FlowPorts['costOf'] {
  return (provider, model, usage) => {
    const price = findPrice(organization, provider, model);
    return price === undefined ? null : costOfUsage(usage, price);
  };
}

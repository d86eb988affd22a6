// The outside of a run, with recordings between.
import type { CircuitRegistry } from '../../flow/circuit-breaker.ts';
import type { ConfiguredProvider, FlowPorts } from '../../flow/step.ts';
import type { GuardTools } from '../../guards/active-guards.ts';
import type { ServicePorts } from '../../guards/remote/question.ts';
import type { Reservation } from '../../limits/budget.ts';
import type { GuardService } from '../../ports/guards.ts';
import type { ValidateJson } from '../../ports/platform.ts';
import { costOfUsage, findPrice } from '../../pricing/cost.ts';
import type { ServiceGuard } from '../../settings/guards/guards-schema.ts';
import { seeded } from '../../statistics/seeded.ts';
import { digestOfParts } from '../../text/digest.ts';
import type { Deadline } from '../../time/deadline.ts';
import { recordGuard, recordProvider } from '../recording/recorded-provider.ts';
import type { RunRecorder } from '../recording/recorder.ts';
import type { RunClock } from './run-clock.ts';
import type { TestedNeuron } from './tested-neuron.ts';

/** Adapters that runs reach the outside through. */
export interface OutsidePorts {
  providersOf(neuron: TestedNeuron): (name: string) => ConfiguredProvider | undefined;
  openGuard(guard: ServiceGuard, neuron: TestedNeuron): Promise<GuardService>;
  readonly validateJson: ValidateJson;
  readonly loadPhones: () => Promise<GuardTools>;
}

/** Those of one run. */
export interface RunPorts extends OutsidePorts {
  readonly clock: RunClock;
  /** Of this run alone: no run may change the verdict on another. */
  readonly circuits: CircuitRegistry;
  readonly recorder: RunRecorder;
}

const RESERVED: Reservation = { settle: () => undefined };

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
    async reserve({ costMicrodollars }) {
      most = costMicrodollars;
      return RESERVED;
    },
    validateJson,
    findProvider(name) {
      const found = find(name);
      return found && recordProvider(name, found, { recorder, costOf, mostOfAttempt: () => most });
    },
    sealOf: (provider) => digestOfParts(['thoughts of a test', neuron.name, provider]).slice(0, 32),
  };
}

function toCostOf({ organization }: TestedNeuron): FlowPorts['costOf'] {
  return (provider, model, usage) => {
    const price = findPrice(organization, provider, model);
    return price === undefined ? null : costOfUsage(usage, price);
  };
}

export function openServicePorts(
  neuron: TestedNeuron,
  deadline: Deadline,
  { clock, circuits, recorder, openGuard, validateJson, loadPhones }: RunPorts,
) {
  return {
    clock,
    deadline,
    breakers: circuits.within(neuron.name),
    open: async (guard: ServiceGuard) =>
      recordGuard(nameOf(guard, neuron), () => openGuard(guard, neuron), { recorder }),
    reserve: async () => RESERVED,
    costOfModel: toCostOf(neuron),
    onCalls: () => undefined,
    validateJson,
    loadPhones,
  } satisfies ServicePorts & Record<string, unknown>;
}

function nameOf(guard: ServiceGuard, { organization }: TestedNeuron): string {
  return Object.entries(organization.guards ?? {}).find(([, one]) => one === guard)?.[0] ?? guard.type;
}

// The outside of guards by services, with recordings between.
import type { ServicePorts } from '../../guards/remote/question.ts';
import type { ServiceGuard } from '../../settings/guards/guards-schema.ts';
import type { Deadline } from '../../time/deadline.ts';
import { recordGuard } from '../recording/recorded-provider.ts';
import { type RunPorts, toCostOf } from './run-ports.ts';
import type { TestedNeuron } from './tested-neuron.ts';

export function openServicePorts(
  neuron: TestedNeuron,
  deadline: Deadline,
  { clock, circuits, recorder, openGuard, validateJson, loadPhones }: RunPorts,
) {
  const costOfModel = toCostOf(neuron);
  return {
    clock,
    deadline,
    breakers: circuits.within(neuron.name),
    open: async (guard: ServiceGuard) =>
      recordGuard(
        { name: nameOf(guard, neuron), guard, service: () => openGuard(guard, neuron), costOfModel },
        recorder,
      ),
    reserve: async () => ({ settle: () => undefined }),
    costOfModel,
    onCalls: () => undefined,
    validateJson,
    loadPhones,
  } satisfies ServicePorts & Record<string, unknown>;
}

function nameOf(guard: ServiceGuard, { organization }: TestedNeuron): string {
  return Object.entries(organization.guards ?? {}).find(([, one]) => one === guard)?.[0] ?? guard.type;
}

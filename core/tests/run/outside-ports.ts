// The outside as runs of tests reach it.
import type { ConfiguredProvider } from '../../flow/step.ts';
import type { GuardTools } from '../../guards/active-guards.ts';
import type { GuardService } from '../../ports/guards.ts';
import type { ValidateJson } from '../../ports/platform.ts';
import type { ServiceGuard } from '../../settings/guards/guards-schema.ts';
import type { TestedNeuron } from './tested-neuron.ts';

/** Adapters that runs reach the outside through. */
export interface OutsidePorts {
  providersOf(neuron: TestedNeuron): (name: string) => ConfiguredProvider | undefined;
  openGuard(guard: ServiceGuard, neuron: TestedNeuron): Promise<GuardService>;
  readonly validateJson: ValidateJson;
  readonly loadPhones: () => Promise<GuardTools>;
}

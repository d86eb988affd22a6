// A neuron that is tested, whether it was applied or not.
import type { FlowCaller } from '../../flow/step.ts';
import type { NeuronSettings } from '../../settings/neuron-schema.ts';
import type { Organization } from '../../settings/organization-schema.ts';
import type { VersionContent } from '../../settings/variables/version-content.ts';

export interface TestedNeuron extends VersionContent {
  /** `ORGANIZATION/NEURON`. */
  readonly name: string;
  /** Under which its secrets stand; undefined for an organization that was never applied. */
  readonly organizationId: string | undefined;
  readonly organization: Organization;
  readonly settings: NeuronSettings;
}

/** A run without a user is a subject of its own, which is the same each time. */
export function toCaller(
  { name }: Pick<TestedNeuron, 'name'>,
  username: string | undefined,
  seed: string,
): FlowCaller {
  return { neuron: name, username, sourceIp: seed, executionId: seed };
}

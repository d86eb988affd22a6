// Says whether a neuron has guards, without loading them.
import type { UsableSettings } from '../usable-settings.ts';

export function hasGuards({
  organization,
  neuron,
}: Pick<UsableSettings, 'organization' | 'neuron'>): boolean {
  return (organization.mandatory?.length ?? 0) + (neuron.guards?.length ?? 0) > 0;
}

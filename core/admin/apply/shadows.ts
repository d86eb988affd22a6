// Begins and ends a shadow. Neither moves a deployment, and no caller notices.
import type { NeuronRecord, RecordedShadow } from '../../ports/administration.ts';
import type { Shadow } from '../../settings/stored-settings.ts';

/** A neuron with a shadow, which may have ended by itself. */
export interface ShadowedNeuron extends NeuronRecord {
  readonly shadow: RecordedShadow;
}

export function isShadowing(neuron: NeuronRecord): neuron is ShadowedNeuron {
  return neuron.shadow !== undefined;
}

/** True while runs are repeated; `nowMs`: since the Unix epoch. */
export function isOpen({ until }: Pick<Shadow, 'until'>, nowMs: number): boolean {
  return nowMs < Date.parse(until);
}

/** One that was there before ends. `stamp`: time and IAM principal. */
export function startShadow(
  record: NeuronRecord,
  shadow: Shadow,
  { since, by }: { readonly since: string; readonly by: string },
): ShadowedNeuron {
  return { ...record, shadow: { ...shadow, since, startedBy: by } };
}

/** Runs that are going on end; what they spend is still counted. */
export function stopShadow(record: ShadowedNeuron): NeuronRecord {
  return { ...record, shadow: undefined };
}

// Which version of a neuron is deployed: every deployment, rollbacks included, has a number of its own.
import type { NeuronRecord, VersionHold } from '../../ports/administration.ts';

/** The neuron with a version deployed, and held where there is a hold: an earlier one ends, as does a rollout, since everybody gets this version. */
export function deployed(record: NeuronRecord, version: string, hold?: VersionHold): NeuronRecord {
  // The same deployment when only the hold changes or a rollout ends, so that the cache stays.
  if (record.deployment?.version === version) return { ...record, hold, rollout: undefined };
  const number = record.deployments + 1;
  return { ...record, deployment: { version, number }, deployments: number, hold, rollout: undefined };
}

/** The neuron with no version deployed; the next deployment counts on. */
export function undeployed(record: NeuronRecord): NeuronRecord {
  return { ...record, deployment: undefined, hold: undefined, rollout: undefined };
}

export function versionId(number: number): string {
  return `v${number}`;
}

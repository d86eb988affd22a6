// Which version of a neuron is deployed: every deployment, rollbacks included, has a number of its own.
import type { NeuronRecord } from '../../ports/administration.ts';

/** The neuron with a version deployed. */
export function deployed(record: NeuronRecord, version: string): NeuronRecord {
  const number = record.deployments + 1;
  return { ...record, deployment: { version, number }, deployments: number };
}

/** The neuron with no version deployed; the next deployment counts on. */
export function undeployed(record: NeuronRecord): NeuronRecord {
  return { ...record, deployment: undefined };
}

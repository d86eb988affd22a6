// Ports of the function that watches rollouts: it reads counts and rollouts, and may change nothing but a rollout.

import type { RolloutStoppedDetail } from '../contract/rollout-event.ts';
import type { RecordedRollout } from './administration.ts';
import type { UsageRow, UsageSubject } from './usage.ts';

/** The counts of an arm in a slot. */
export interface SlotRow extends UsageRow {
  readonly subject: UsageSubject & { readonly kind: 'slot' };
}

export interface SlotReader {
  /** Rows of all rollouts whose slot begins after one time and before another, in order. ISO 8601 in UTC. */
  slots(after: string, before: string): AsyncIterable<SlotRow>;
}

/** A neuron as far as the function may see it. */
export interface WatchedNeuron {
  readonly organization: string;
  readonly organizationId: string;
  readonly slug: string;
  readonly id: string;
  /** The deployed version. */
  readonly control: string;
  readonly rollout: RecordedRollout;
  readonly write: number;
}

export interface WatchedRollouts {
  /** Strongly consistent. Undefined where there is no neuron, or no rollout of it. */
  read(organization: string, neuron: string): Promise<WatchedNeuron | undefined>;
  /** Writes the rollout alone, and counts `write` up. Undefined where the neuron was written meanwhile. */
  write(neuron: WatchedNeuron, rollout: RecordedRollout): Promise<WatchedNeuron | undefined>;
}

export interface RolloutEvents {
  /** Sends it once. Throws when it was not sent, and when that is unknown. */
  send(detail: RolloutStoppedDetail): Promise<void>;
}

// The event that tells of a rollout which the service stopped, as docs/rollouts.md promises it to consumers.

/** `detail-type` of the event; its source is that of alerts. */
export const ROLLOUT_EVENT_TYPE = 'Rollout Stopped';

/** Runs, or values of feedback, and how many of them were bad. */
interface ArmCount {
  readonly count: number;
  readonly bad: number;
}

/** The event's `detail`. Members are only ever added. Times are ISO 8601 in UTC. */
export interface RolloutStoppedDetail {
  readonly version: 1;
  /** The same for each delivery of one stop, so that consumers can drop repetitions by it. */
  readonly id: string;
  readonly stage: string;
  readonly organization: string;
  readonly organizationId: string;
  readonly neuron: string;
  readonly neuronId: string;
  readonly rollout: string;
  readonly controlVersion: string;
  readonly candidateVersion: string;
  /** `failed`, `slow`, `dear`, or a metric of the neuron's feedback. */
  readonly guard: string;
  /** How much more probable the counts are if the candidate is worse. */
  readonly evidence: number;
  readonly control: ArmCount;
  readonly candidate: ArmCount;
  readonly at: string;
  /** One sentence for people. */
  readonly summary: string;
}

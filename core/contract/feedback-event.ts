// The event that tells of a value of feedback, as docs/feedback.md promises it to consumers.

/** `detail-type` of the event; its source is that of alerts. */
export const FEEDBACK_EVENT_TYPE = 'Feedback Received';

/** The event's `detail`. Members are only ever added. Times are ISO 8601 in UTC. */
export interface FeedbackDetail {
  readonly version: 1;
  /** That of the entry, `EXECUTION#METRIC`: the same for each delivery, so that consumers can drop repetitions by it. */
  readonly id: string;
  readonly stage: string;
  readonly organization: string;
  readonly organizationId: string;
  readonly neuron: string;
  readonly neuronId: string;
  /** The answer that was judged. */
  readonly executionId: string;
  /** When its request came. */
  readonly answeredAt: string;
  readonly neuronVersion: string | null;
  readonly rollout: { readonly id: string; readonly arm: string } | null;
  readonly metric: string;
  readonly value: boolean | number;
  /** When the value was put in the log, to the second. */
  readonly at: string;
}

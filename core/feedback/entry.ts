// The log entry of one value of feedback: at the time of the answer and under its id, so that the log takes one for each metric.
import type { LogEntry } from '../contract/log-entry.ts';
import type { Feedback } from './parse.ts';
import type { RatedAnswer } from './token.ts';

/** Where feedback belongs, and who sent it. */
type FeedbackSender = Pick<
  LogEntry,
  'organization' | 'organizationId' | 'neuron' | 'sourceIp' | 'refererHost' | 'keyId' | 'authentication'
>;

/** The id of an entry of feedback: ids of executions have no `#`. */
export function feedbackId({ executionId }: Pick<RatedAnswer, 'executionId'>, metric: string): string {
  return `${executionId}#${metric}`;
}

/** `retentionMs` counts from the answer, as for the entry of the answer itself. */
export function buildFeedbackEntry(
  rated: RatedAnswer,
  { metric, value, comment }: Feedback,
  sender: FeedbackSender,
  retentionMs: number,
): LogEntry {
  const { executionId, timeMs, neuronId, version, rollout, username } = rated;
  return {
    ...NOTHING_RAN,
    executionId: feedbackId(rated, metric),
    timeMs,
    ...sender,
    neuronId,
    version,
    ...(rollout === undefined ? {} : { rollout }),
    username,
    reason: `feedback: ${metric} is ${value}`,
    feedback: { of: executionId, metric, value, ...(comment === undefined ? {} : { comment }) },
    expiresAt: Math.floor((timeMs + retentionMs) / 1000),
  };
}

const NOTHING_RAN = {
  outcome: 'success',
  status: 201,
  code: undefined,
  surface: 'native',
  cache: undefined,
  latencyMs: 0,
  ownLatencyMs: 0,
  tokensInput: 0,
  tokensOutput: 0,
  costMicrodollars: 0,
  savingsMicrodollars: 0,
  modelCalls: [],
  trace: [],
  input: undefined,
  output: undefined,
  count: 1,
  restored: false,
} as const satisfies Partial<LogEntry>;

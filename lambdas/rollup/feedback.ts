// Sends an event for each value of feedback in a batch of the log.
import type { readLogStream } from '../../adapters/dynamodb/log-stream.ts';
import type { FeedbackDetail } from '../../core/contract/feedback-event.ts';
import type { LineSink } from '../../core/ports/platform.ts';
import type { Clock } from '../../core/time/clock.ts';
import { toIso } from '../../core/time/iso.ts';

type StreamedEntry = ReturnType<typeof readLogStream>['entries'][number];

export interface FeedbackPorts {
  readonly feedbackEvents: {
    /** Sends it once. Throws when it was not sent, and when that is unknown. */
    send(detail: FeedbackDetail): Promise<void>;
  };
  readonly lines: LineSink;
  readonly clock: Pick<Clock, 'now'>;
  /** The stage's name, for the event. */
  readonly stage: string;
}

const AT_ONCE = 10;
/** Counting waits for the batch: a bus that is gone for longer loses events, and no usage. */
const TRY_FOR_MS = 5 * 60_000;

/**
 * The sequence number from which the batch must come again; undefined where all events were sent, or given up after five minutes.
 * Events before it are sent again with the same ids only where the batch comes again for another reason.
 */
export async function sendFeedback(
  entries: readonly StreamedEntry[],
  { feedbackEvents, lines, clock, stage }: FeedbackPorts,
): Promise<string | undefined> {
  const rated = entries.flatMap((one) => {
    const detail = toDetail(one, stage);
    return detail === undefined ? [] : [{ ...one, detail }];
  });
  let lost = 0;
  for (let first = 0; first < rated.length; first += AT_ONCE) {
    const some = rated.slice(first, first + AT_ONCE);
    const results = await Promise.allSettled(some.map(({ detail }) => feedbackEvents.send(detail)));
    const failed = some.filter((_, at) => results[at]?.status === 'rejected');
    const due = failed.find(({ putAtMs }) => clock.now() - putAtMs < TRY_FOR_MS);
    if (due !== undefined) {
      reportLost(lost, lines);
      return due.sequenceNumber;
    }
    lost += failed.length;
  }
  reportLost(lost, lines);
  return undefined;
}

function reportLost(count: number, lines: LineSink): void {
  if (count > 0) lines.write(JSON.stringify({ neuronFeedbackEventsLost: count }));
}

function toDetail({ entry, putAtMs }: StreamedEntry, stage: string): FeedbackDetail | undefined {
  if (entry?.feedback === undefined) return undefined;
  const { executionId: id, organization, organizationId, neuron, neuronId, timeMs, version, rollout } = entry;
  const { of: executionId, metric, value } = entry.feedback;
  return {
    version: 1,
    id,
    stage,
    organization,
    organizationId,
    neuron,
    neuronId,
    executionId,
    answeredAt: toIso(timeMs),
    neuronVersion: version ?? null,
    rollout: rollout === undefined ? null : { id: rollout.id, arm: rollout.arm },
    metric,
    value,
    at: toIso(putAtMs),
  };
}

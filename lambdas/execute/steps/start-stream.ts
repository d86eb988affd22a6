// Starts a run whose answer goes to a queue of frames, and finds out whether its stream opens before the run ends.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { LoggedModelCall } from '../../../core/contract/log-entry.ts';
import type { AnswerSink } from '../../../core/flow/stream-attempt.ts';
import { type StreamMode, streamModeOf } from '../../../core/flow/stream-mode.ts';
import type { StreamEncoder } from '../../../core/surfaces/surface.ts';
import { WAIT_OVER } from '../../../core/time/clock.ts';
import { runSoFar } from '../bind.ts';
import type { ExecutePorts } from '../flow-ports.ts';
import { createFrameQueue, type FrameQueue } from '../frame-queue.ts';
import type { ExecutedRun, LookedUpRun } from '../run.ts';
import { execute } from './execute.ts';
import { type RecordPorts, recordOpenStream } from './record-line.ts';

/** The longest that no byte leaves: until then a failure is an ordinary answer. */
const OPEN_AFTER_MS = 5_000;

/** What streaming needs. */
export interface StreamPorts extends ExecutePorts, RecordPorts {
  readonly transferMode: 'STREAM' | 'BUFFERED';
}

/** What of the answer the caller has, or is being sent. */
export interface Sent {
  /** In UTF-16 units. */
  length: number;
  readonly toolCalls: Set<string>;
}

/** A stream that is being answered. */
export interface Streaming {
  readonly encoder: StreamEncoder;
  readonly mode: StreamMode;
  readonly queue: FrameQueue;
  readonly sent: Sent;
  readonly attempts: readonly LoggedModelCall[];
  readonly running: Promise<ExecutedRun>;
}

/** Runs the flow; its text goes to the queue as it comes where the flow lets it. */
export function startStream(
  run: LookedUpRun,
  event: APIGatewayProxyEvent,
  { encoder, onText }: { readonly encoder: StreamEncoder; readonly onText: () => void },
  ports: StreamPorts,
): Streaming {
  const mode = modeOf(run, ports);
  const queue = createFrameQueue(ports.clock);
  const sent: Sent = { length: 0, toolCalls: new Set() };
  const attempts: LoggedModelCall[] = [];
  const sink: AnswerSink = {
    text(text) {
      sent.length += text.length;
      onText();
      return queue.push(encoder.text(text));
    },
    toolCall(call) {
      sent.toolCalls.add(call.id);
      onText();
      return queue.push(encoder.toolCall(call));
    },
  };
  const onAttempt = (attempt: LoggedModelCall): void => {
    attempts.push(attempt);
    // The line of a stream that is open by now knows nothing of this one.
    if (runSoFar(event)?.streaming !== undefined) recordOpenStream(run, attempts, ports);
  };
  const running = execute(run, ports, { onAttempt, ...(mode === 'live' ? { sink } : {}) });
  return { encoder, mode, queue, sent, attempts, running };
}

/** An answer from the cache, and one that cannot be sent in pieces, is whole whatever its flow allows. */
function modeOf({ lookup, version }: LookedUpRun, { transferMode }: StreamPorts): StreamMode {
  return transferMode === 'BUFFERED' || lookup.found !== undefined ? 'whole' : streamModeOf(version.flow);
}

/** False when the run ends before the first text, within the time that nothing leaves. */
export async function isOpenFirst(
  { running }: Streaming,
  opened: Promise<unknown>,
  { clock }: StreamPorts,
): Promise<boolean> {
  const done = new AbortController();
  const late = clock.sleep(OPEN_AFTER_MS, done.signal).then(() => true);
  // Ended by `done`, the sleep rejects, and nobody waits for it any more.
  late.catch(() => undefined);
  try {
    return await Promise.race([opened.then(() => true), running.then(() => false), late]);
  } finally {
    done.abort(WAIT_OVER);
  }
}

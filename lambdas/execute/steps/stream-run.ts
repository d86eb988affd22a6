// Answers with server-sent events: an ordinary answer until the first text or five seconds, then a stream that ends in a result or an error.
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { toProxyResult } from '../../../adapters/apigateway/proxy-answer.ts';
import type { Answer } from '../../../core/contract/error-body.ts';
import type { LoggedModelCall } from '../../../core/contract/log-entry.ts';
import { ServiceError, toServiceError } from '../../../core/contract/service-error.ts';
import { renderStreamHead, type StreamEncoder } from '../../../core/contract/stream-events.ts';
import type { AnswerSink } from '../../../core/flow/stream-attempt.ts';
import { type StreamMode, streamModeOf } from '../../../core/flow/stream-mode.ts';
import { keep, runSoFar } from '../bind.ts';
import type { ExecutePorts } from '../flow-ports.ts';
import { createFrameQueue, type FrameQueue } from '../frame-queue.ts';
import { type ExecutedRun, type LookedUpRun, modelCallsOf, type PartialRun } from '../run.ts';
import { renderRefusal } from './answer-errors.ts';
import { execute, maySeeReceipt, outputOf, toReceipt } from './execute.ts';
import { type RecordPorts, recordOpenStream, recordRun } from './record-line.ts';
import { release } from './response-cache.ts';

/** The longest that no byte leaves: until then a failure is an ordinary answer. */
const OPEN_AFTER_MS = 5_000;

/** What streaming needs. */
export interface StreamPorts extends ExecutePorts, RecordPorts {
  readonly transferMode: 'STREAM' | 'BUFFERED';
}

/** What comes after the answer; never throws. */
export type Finish = (run: PartialRun | undefined) => Promise<void>;

/** What of the answer the caller has, or is being sent. */
interface Sent {
  /** In UTF-16 units. */
  length: number;
  readonly toolCalls: Set<string>;
}

/** A stream that is being answered. */
interface Streaming {
  readonly encoder: StreamEncoder;
  readonly mode: StreamMode;
  readonly queue: FrameQueue;
  readonly sent: Sent;
  readonly attempts: readonly LoggedModelCall[];
  readonly running: Promise<ExecutedRun>;
}

/** Throws the error of a run that failed before its stream was opened. */
export async function streamRun(
  run: LookedUpRun,
  event: APIGatewayProxyEvent,
  { encoder, finish }: { readonly encoder: StreamEncoder; readonly finish: Finish },
  ports: StreamPorts,
): Promise<APIGatewayProxyResult> {
  const opened = Promise.withResolvers<'opened'>();
  const streaming = start(run, event, { encoder, onText: () => opened.resolve('opened') }, ports);
  const isOpen = ports.transferMode === 'STREAM' && (await isOpenFirst(streaming, opened.promise, ports));
  if (!isOpen) {
    const executed = await streaming.running;
    keep(event, executed);
    return toProxyResult({ ...headOf(run, 'whole'), body: lastFrames(executed, streaming) });
  }
  try {
    recordOpenStream(run, streaming.attempts, ports);
  } catch (thrown) {
    // A stream without a line could be lost without a trace. The run goes on: it is accounted for, and answered with an error.
    streaming.queue.body.destroy();
    keep(event, await streaming.running);
    throw thrown;
  }
  const ended = end(streaming, event, ports).then(() => finish(runSoFar(event)));
  keep(event, { ...run, streaming: ended });
  return Object.assign(toProxyResult({ ...headOf(run, streaming.mode), body: '' }), {
    body: streaming.queue.body,
  });
}

function start(
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
async function isOpenFirst(
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
    done.abort();
  }
}

/** Never throws. The line is written before the last event leaves; nothing after it waits for a slow reader. */
async function end(streaming: Streaming, event: APIGatewayProxyEvent, ports: StreamPorts): Promise<void> {
  const { encoder, queue } = streaming;
  let last: string;
  try {
    const executed = await streaming.running;
    keep(event, executed);
    release(executed, ports.clock);
    const { frames, refusal } = endOf(executed, streaming);
    recordRun(event, ports, refusal);
    last = frames;
  } catch (thrown) {
    last = encoder.error(renderRefusal(thrown, runSoFar(event)));
  }
  queue.end(last);
}

function endOf(
  run: ExecutedRun,
  streaming: Streaming,
): { readonly frames: string; readonly refusal: ServiceError | undefined } {
  try {
    return { frames: lastFrames(run, streaming), refusal: undefined };
  } catch (thrown) {
    const refusal = toServiceError(thrown);
    return { frames: streaming.encoder.error(renderRefusal(refusal, run)), refusal };
  }
}

/** What the caller does not have yet, and the result. Throws the error of a run that failed. */
function lastFrames(run: ExecutedRun, { encoder, sent }: Streaming): string {
  const { output, toolCalls = [], stopped } = outputOf(run);
  const text = output ?? '';
  if (sent.length > 0 && sent.length !== text.length) {
    throw new ServiceError('internal', { reason: 'the text that was sent is not the output' });
  }
  const left = toolCalls.filter(({ id }) => !sent.toolCalls.has(id));
  return [
    sent.length === 0 && text !== '' ? encoder.text(text) : '',
    ...left.map((call) => encoder.toolCall(call)),
    encoder.result(
      { output, toolCalls, executionStopped: stopped, cache: run.lookup.result },
      maySeeReceipt(run) ? toReceipt(modelCallsOf(run)) : undefined,
    ),
  ].join('');
}

function headOf(run: LookedUpRun, mode: StreamMode): Pick<Answer, 'status' | 'headers'> {
  return renderStreamHead(mode, {
    executionId: run.request.executionId,
    cache: run.lookup.result,
    maySeeReceipt: maySeeReceipt(run),
    rateLimit: run.budget.rateLimit(),
  });
}

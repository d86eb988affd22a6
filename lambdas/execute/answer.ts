// Answers a call, from the cache or by a run of its flow: whole, or as a stream that ends by itself.
//
// A stream's last event says how its run ended, and nothing follows it:
//   core/ports/providers.ts              `ModelProvider.stream` gives `end` for a whole answer alone, and else throws `truncated`
//                                        (adapters/providers/streams/read-answer.ts)
//   core/flow/stream-attempt.ts          makes an error of events without an end. A reader that is still waited for at the deadline gets
//                                        `deadline_exceeded`, even if the model has ended
//   core/flow/call-target.ts             asks no model again, by retry or fallback, once the caller has a part (`hasBegun`, `endsRun`)
//   core/guards/stream/guard-sink.ts     throws `guard_blocked` before a blocked piece leaves
//   core/flow/guards/inspect-outcome.ts  makes of that a run that is done and stopped, whose output is what has left
//   stream/frames.ts                     makes events of the pieces, and refuses to end as a success what was sent otherwise
//   stream/queue.ts                      waits for a slow reader, and takes nothing after the last event. One whose reader has left takes
//                                        nothing and holds nothing up: the run goes on, with every duty
//   end/end-run.ts                       writes the line and stores the key before `endStream` adds that event; the rest is done after it
// Each surface's `error` is an event that its clients take for a failure.
// test/lambdas/execute/streams breaks recorded streams at every byte, test/lambdas/execute/guards/stalled-readers.test.ts stops readers.
import { toServiceError } from '../../core/contract/service-error.ts';
import { streamModeOf } from '../../core/flow/stream-mode.ts';
import { endRun } from './end/end-run.ts';
import type { ExecutionPorts, Outcome, ReadyCall, Run, ServedAnswer } from './run.ts';
import { runCall } from './steps/flow.ts';
import { writeOpenLine } from './steps/line.ts';
import { keptView, type RunView, renderRun, restoreView, toOutcome, viewOf } from './steps/render-run.ts';
import { encodePieces, renderFirst, renderRest, renderWhole } from './stream/frames.ts';
import { createFrameQueue, type FrameQueue } from './stream/queue.ts';

/** Throws the error of a run that failed. */
export async function answerWhole(run: Run, call: ReadyCall, ports: ExecutionPorts): Promise<ServedAnswer> {
  const view = await viewOfEnd(run, call, runCall(call));
  return endRun(run, toOutcome(view, call, renderRun, ports), ports);
}

/** An ordinary answer until the first text or five seconds, then a stream. Throws the error of a run that failed before. */
export async function answerStreamed(
  run: Run,
  call: ReadyCall,
  timeout: AbortSignal,
  ports: ExecutionPorts,
): Promise<ServedAnswer> {
  const stream = startStream(run, call, ports);
  const isOpening = ports.transferMode === 'STREAM' && (await opensInTime(stream, ports));
  if (!isOpening) {
    const view = await viewOfEnd(run, call, stream.running);
    return endRun(run, toOutcome(view, call, renderWhole, ports), ports);
  }
  try {
    // An early timeout has ended the request: a stream would be its second answer.
    timeout.throwIfAborted();
    const answer = stream.open();
    const ended = endStream(run, call, stream, ports);
    return { answer: () => answer, finish: () => ended };
  } catch (thrown) {
    // A stream without a line could be lost without a trace. The run goes on, unread: it is accounted for, and answered with an error.
    stream.queue.body.destroy();
    run.result = await stream.running;
    throw thrown;
  }
}

/** A streamed answer whose run is under way. */
type RunningStream = ReturnType<typeof startStream>;

/** Runs the flow; its pieces go to the queue as they come where the flow lets them. `open` throws where standard output is gone. */
function startStream(
  run: Readonly<Run>,
  call: ReadyCall,
  ports: Pick<ExecutionPorts, 'clock' | 'lines' | 'transferMode'>,
) {
  const mode = modeOf(call, ports);
  const queue = createFrameQueue(ports.clock);
  const pieces = encodePieces(call, queue);
  const running = runCall(call, mode === 'live' ? { sink: pieces.sink } : {});
  const open = () => {
    // Each attempt has written one, before its model was asked.
    if (run.attempts.length === 0) writeOpenLine(run, ports);
    return { ...renderFirst(mode, call), body: queue.body };
  };
  return { ...pieces, queue, running, open };
}

/** An answer from the cache, and one that cannot be sent in pieces, is whole whatever its flow allows. */
function modeOf(
  { lookup, version, guards, invocation }: ReadyCall,
  { transferMode }: Pick<ExecutionPorts, 'transferMode'>,
): ReturnType<typeof streamModeOf> {
  if (transferMode === 'BUFFERED' || lookup.found !== undefined) return 'whole';
  const { schema, json } = invocation.conversation;
  const isJson = schema !== undefined || json === true;
  // JSON is inspected by its values, which are there when it has ended.
  return guards !== undefined && (isJson || !guards.canStream) ? 'whole' : streamModeOf(version.flow);
}

/** Max. time that no byte leaves: until then a failure is an ordinary answer. */
const OPEN_AFTER_MS = 5_000;

/** False when the run ends before the first text, within the time that nothing leaves. */
async function opensInTime(
  { running, begun }: RunningStream,
  { clock }: Pick<ExecutionPorts, 'clock'>,
): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<true>();
  const stop = clock.timer(OPEN_AFTER_MS, () => resolve(true));
  try {
    return await Promise.race([begun.then(() => true), running.then(() => false), late]);
  } finally {
    stop();
  }
}

/**
 * Ends the request before the last event is queued: its line is written, and its key stored or given up. Waits for no reader: a slow one
 * keeps nothing from being stored. Never rejects.
 */
async function endStream(
  run: Run,
  call: ReadyCall,
  stream: RunningStream,
  ports: ExecutionPorts,
): Promise<void> {
  let rest = '';
  let outcome: Outcome;
  try {
    const view = await viewOfEnd(run, call, stream.running);
    rest = renderRest(restoreView(view, call), stream);
    // The caller has its pieces: the whole answer is rendered for the idempotency key alone.
    const answer = () => renderWhole(keptView(view, call));
    outcome = { kind: 'run', answer, hasReaderLeft: stream.queue.body.destroyed };
  } catch (thrown) {
    outcome = { kind: 'error', error: toServiceError(thrown) };
  }
  const { answer, error, finish } = await endRun(run, outcome, ports);
  try {
    // The encoder's `result` or `error`: nothing else says how the run ended. Where the line is lost, numbers of `rest` are skipped.
    stream.queue.end(error === undefined ? rest : stream.encoder.error(answer()));
  } catch {
    cut(stream.queue);
  }
  await finish();
}

/** Breaks the stream off, as its reader notices: an end without a last event could pass for that of a whole answer. */
function cut({ body, end }: FrameQueue): void {
  // Nobody may listen, and an error that nobody hears would end the process.
  body.once('error', () => undefined);
  body.destroy(new Error('the stream has no last event'));
  // A body that waits for a frame is destroyed once it has one.
  end('');
}

/** Waits for the run. Throws its error where it failed; by then the record has its result. */
async function viewOfEnd(run: Run, call: ReadyCall, running: ReturnType<typeof runCall>): Promise<RunView> {
  run.result = await running;
  return viewOf(call, run.result);
}

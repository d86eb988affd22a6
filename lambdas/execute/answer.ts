// Answers a call, from the cache or by a run of its flow: whole, or as a stream that ends by itself.
//
// A stream's last event says how its run ended. `core/flow/stream-attempt.ts` makes an error of an answer that its provider did not
// finish; `endStream` sends the result only when the whole answer has left and the log line is written.

import type { APIGatewayProxyResult } from 'aws-lambda';
import { toProxyResult } from '../../adapters/apigateway/proxy-answer.ts';
import { ServiceError, toServiceError } from '../../core/contract/service-error.ts';
import type { Answer } from '../../core/surfaces/surface.ts';
import { utf8Bytes } from '../../core/text/utf8.ts';
import { endRun } from './end/end-run.ts';
import type { ExecutionPorts, Outcome, ReadyCall, Run, ServedAnswer } from './run.ts';
import { runCall } from './steps/flow.ts';
import { keptView, type RunView, renderRun, restoreView, viewOf } from './steps/render-run.ts';
import { renderRest, renderWhole } from './stream/frames.ts';
import { type RunningStream, startStream } from './stream/start.ts';

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
    const outcome = toOutcome(view, call, renderWhole, ports);
    return endRun(run, outcome, ports);
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

/** Ends the request before the last event leaves. Waits for no reader: a slow one keeps nothing from being stored. Never rejects. */
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
    // From here on it is read for its idempotency key alone.
    const isCut = stream.queue.body.destroyed;
    outcome = { kind: 'run', answer: () => renderWhole(keptView(view, call)), isCut };
  } catch (thrown) {
    outcome = { kind: 'error', error: toServiceError(thrown) };
  }
  const { answer, error, finish } = await endRun(run, outcome, ports);
  stream.queue.end(error === undefined ? rest : stream.encoder.error(answer()));
  await finish();
}

/** Waits for the run. Throws its error where it failed; by then the record has its result. */
async function viewOfEnd(run: Run, call: ReadyCall, running: ReturnType<typeof runCall>): Promise<RunView> {
  run.result = await running;
  return viewOf(call, run.result);
}

/** Throws while the log can still say so, where Lambda would not carry the answer. */
function toOutcome(
  view: RunView,
  call: ReadyCall,
  render: (view: RunView) => Answer,
  { transferMode }: Pick<ExecutionPorts, 'transferMode'>,
): Outcome {
  const answer = render(restoreView(view, call));
  if (transferMode === 'BUFFERED') rejectTooLarge(toProxyResult(answer));
  return {
    kind: 'run',
    answer: () => answer,
    ...(call.guards === undefined ? {} : { stored: () => render(keptView(view, call)) }),
  };
}

/** Max. size of the result of a function that is not streamed, in bytes (AWS Lambda quotas, invocation payload, synchronous). */
const MAX_BYTES = 6 * 1024 * 1024;

/**
 * Throws 500 `internal`: Lambda would put an error of its own in the place of such a result, and the log would hold a success
 * that nobody got.
 */
export function rejectTooLarge(result: APIGatewayProxyResult): void {
  // Escaped as JSON, a character takes six bytes at most.
  if (result.body.length * 6 < MAX_BYTES / 2) return;
  const bytes = utf8Bytes(JSON.stringify(result));
  if (bytes <= MAX_BYTES) return;
  throw new ServiceError('internal', {
    reason: `the answer takes ${bytes} bytes, more than BUFFERED transfer carries`,
  });
}

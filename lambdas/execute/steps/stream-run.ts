// Answers with server-sent events: an ordinary answer until the first text or five seconds, then a stream that ends in a result or an error.
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { toProxyResult } from '../../../adapters/apigateway/proxy-answer.ts';
import { type ServiceError, toServiceError } from '../../../core/contract/service-error.ts';
import { keep, runSoFar } from '../bind.ts';
import type { ClaimPorts } from '../claims.ts';
import type { ExecutedRun, LookedUpRun, PartialRun } from '../run.ts';
import { renderRejection } from './answer-errors.ts';
import { endWith } from './idempotency.ts';
import { recordOpenStream, recordRun } from './record-line.ts';
import { release } from './response-cache.ts';
import { isOpenFirst, type Streaming, type StreamPorts, startStream } from './start-stream.ts';
import { encoderOf, headOf, lastFrames, renderWhole } from './stream-frames.ts';

/** What comes after the answer; never throws. */
export type Finish = (run: PartialRun | undefined) => Promise<void>;

/** Throws the error of a run that failed before its stream was opened. */
export async function streamRun(
  run: LookedUpRun,
  event: APIGatewayProxyEvent,
  finish: Finish,
  ports: StreamPorts & ClaimPorts,
): Promise<APIGatewayProxyResult> {
  const opened = Promise.withResolvers<'opened'>();
  const streaming = startStream(
    run,
    event,
    {
      encoder: encoderOf(run),
      onText: () => opened.resolve('opened'),
    },
    ports,
  );
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

/** Never throws. The line is written before the last event leaves; nothing after it waits for a slow reader. */
async function end(
  streaming: Streaming,
  event: APIGatewayProxyEvent,
  ports: StreamPorts & ClaimPorts,
): Promise<void> {
  const { encoder, queue } = streaming;
  let last: string;
  try {
    const executed = await streaming.running;
    keep(event, executed);
    release(executed, ports.clock);
    const { frames, rejection } = endOf(executed, streaming);
    recordRun(event, ports, rejection);
    last = frames;
    await endWith(
      executed,
      () => ({ answer: rejection ? renderRejection(rejection, executed) : renderWhole(executed), rejection }),
      ports,
    );
  } catch (thrown) {
    const rejection = toServiceError(thrown);
    const answer = renderRejection(rejection, runSoFar(event));
    last = encoder.error(answer);
    await endWith(runSoFar(event), () => ({ answer, rejection }), ports);
  }
  queue.end(last);
}

function endOf(
  run: ExecutedRun,
  streaming: Streaming,
): { readonly frames: string; readonly rejection: ServiceError | undefined } {
  try {
    return { frames: lastFrames(run, streaming), rejection: undefined };
  } catch (thrown) {
    const rejection = toServiceError(thrown);
    return { frames: streaming.encoder.error(renderRejection(rejection, run)), rejection };
  }
}

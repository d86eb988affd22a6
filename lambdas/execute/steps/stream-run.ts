// Answers with server-sent events: an ordinary answer until the first text or five seconds, then a stream that ends in a result or an error.
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { toProxyResult } from '../../../adapters/apigateway/proxy-answer.ts';
import type { Answer } from '../../../core/contract/error-body.ts';
import { ServiceError, toServiceError } from '../../../core/contract/service-error.ts';
import { renderStreamHead } from '../../../core/contract/stream-events.ts';
import { SURFACES } from '../../../core/contract/surface.ts';
import { keep, runSoFar } from '../bind.ts';
import type { ClaimPorts, Ended } from '../claims.ts';
import { type ExecutedRun, type LookedUpRun, modelCallsOf, type PartialRun } from '../run.ts';
import { renderRefusal } from './answer-errors.ts';
import { detailOf, resultOf } from './execute.ts';
import { endWith } from './idempotency.ts';
import { recordOpenStream, recordRun } from './record-line.ts';
import { release } from './response-cache.ts';
import { isOpenFirst, type Streaming, type StreamPorts, startStream } from './start-stream.ts';

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
      encoder: SURFACES[run.request.surface].createEncoder(detailOf(run, [])),
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
    const { frames, refusal } = endOf(executed, streaming);
    recordRun(event, ports, refusal);
    last = frames;
    await endWith(executed, () => toEnded(executed, refusal), ports);
  } catch (thrown) {
    const refusal = toServiceError(thrown);
    const answer = renderRefusal(refusal, runSoFar(event));
    last = encoder.error(answer);
    await endWith(runSoFar(event), () => ({ answer, refusal }), ports);
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

/** What the same request is answered with when it comes again: the whole stream at once, or the refusal as an ordinary answer. */
function toEnded(run: ExecutedRun, refusal: ServiceError | undefined): Ended {
  if (refusal !== undefined) return { answer: renderRefusal(refusal, run), refusal };
  const encoder = SURFACES[run.request.surface].createEncoder(detailOf(run, []));
  const body = lastFrames(run, { encoder, sent: { length: 0, toolCalls: new Set() } });
  return { answer: { ...headOf(run, 'whole'), body }, refusal };
}

/** What the caller does not have yet, and the result. Throws the error of a run that failed. */
function lastFrames(run: ExecutedRun, { encoder, sent }: Pick<Streaming, 'encoder' | 'sent'>): string {
  const result = resultOf(run);
  const { output: text = '', toolCalls = [] } = result;
  if (sent.length > 0 && sent.length !== text.length) {
    throw new ServiceError('internal', { reason: 'the text that was sent is not the output' });
  }
  const left = toolCalls.filter(({ id }) => !sent.toolCalls.has(id));
  return [
    sent.length === 0 && text !== '' ? encoder.text(text) : '',
    ...left.map((call) => encoder.toolCall(call)),
    encoder.result(result, detailOf(run, modelCallsOf(run)).receipt),
  ].join('');
}

function headOf(run: LookedUpRun, mode: Streaming['mode']): Pick<Answer, 'status' | 'headers'> {
  const { surface, executionId } = run.request;
  const { receipt, rateLimit } = detailOf(run, []);
  const head = { executionId, cache: run.lookup.result, maySeeReceipt: receipt !== undefined, rateLimit };
  return renderStreamHead(mode, { ...head, named: surface === 'openai' });
}

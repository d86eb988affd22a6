// Starts a run whose answer goes to a queue of frames.
import type { AnswerSink } from '../../../core/flow/stream-attempt.ts';
import { type StreamMode, streamModeOf } from '../../../core/flow/stream-mode.ts';
import { surfaceOf } from '../../../core/surfaces/registry.ts';
import type { StreamEncoder } from '../../../core/surfaces/surface.ts';
import type { ExecutionPorts, ReadyCall, Run, ServedAnswer } from '../run.ts';
import { writeOpenLine } from '../steps/attempts.ts';
import { runCall } from '../steps/flow.ts';
import { canRender, detailOf } from '../steps/render-run.ts';
import { renderHead, type SentParts } from './frames.ts';
import { createFrameQueue, type FrameQueue } from './queue.ts';

/** A streamed answer whose run is under way. */
export interface RunningStream {
  readonly encoder: StreamEncoder;
  readonly queue: FrameQueue;
  readonly sent: SentParts;
  readonly running: ReturnType<typeof runCall>;
  /** Resolves with the first part of the answer. */
  readonly begun: Promise<void>;
  /** The stream for the caller, once its run has a line. Throws where standard output is gone. */
  open(): ReturnType<ServedAnswer['answer']>;
}

type StreamPorts = Pick<ExecutionPorts, 'clock' | 'lines' | 'transferMode'>;

/** Runs the flow; its text goes to the queue as it comes where the flow lets it. */
export function startStream(run: Readonly<Run>, call: ReadyCall, ports: StreamPorts): RunningStream {
  const mode = modeOf(call, ports);
  const surface = surfaceOf(call.request.surface);
  const detail = detailOf(call);
  const encoder = surface.createEncoder(detail);
  const queue = createFrameQueue(ports.clock);
  const sent: SentParts = { length: 0, toolCalls: new Set() };
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const pushSome = async (frame = ''): Promise<void> => {
    if (frame === '') return;
    begin();
    await queue.push(frame);
  };
  const sink: AnswerSink = {
    text(text) {
      sent.length += text.length;
      return pushSome(encoder.text(text));
    },
    async toolCall(toolCall) {
      // The run ends with an error of its own.
      if (!canRender(toolCall, surface)) return;
      sent.toolCalls.add(toolCall.id);
      await pushSome(encoder.toolCall(toolCall));
    },
    usage: (usage) => encoder.usage?.(usage),
    reasoning: (reasoning) => pushSome(encoder.reasoning?.(reasoning)),
    reasoningText: (text) => pushSome(encoder.reasoningText?.(text)),
    passed: (event) => pushSome(encoder.passed?.(event)),
  };
  const restoring = call.guards?.restoreSink(sink) ?? sink;
  const running = runCall(call, mode === 'live' ? { sink: restoring } : {});
  const open = () => {
    const rateLimit = call.budget.rateLimit();
    const leftOut = call.leftOut.names();
    const head = renderHead(mode, { surface, detail: { ...detail, leftOut, rateLimit } }, call.lookup.result);
    // Each attempt has written one, before its model was asked.
    if (run.attempts.length === 0) writeOpenLine(run, ports);
    return { ...head, body: queue.body };
  };
  return { encoder, queue, sent, running, begun, open };
}

/** An answer from the cache, and one that cannot be sent in pieces, is whole whatever its flow allows. */
function modeOf(
  { lookup, version, guards, invocation }: ReadyCall,
  { transferMode }: StreamPorts,
): StreamMode {
  if (transferMode === 'BUFFERED' || lookup.found !== undefined) return 'whole';
  const { schema, json } = invocation.conversation;
  const isJson = schema !== undefined || json === true;
  // JSON is inspected by its values, which are there when it has ended.
  return guards !== undefined && (isJson || !guards.canStream) ? 'whole' : streamModeOf(version.flow);
}

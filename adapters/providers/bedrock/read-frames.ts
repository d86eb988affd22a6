// Reads the events of ConverseStream (docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html).

import type { ModelEvent, TokenUsage } from '../../../core/ports/providers.ts';
import { memberOf, textMemberOf } from '../../../core/text/json.ts';
import { type Assembly, createAssembly } from '../streams/assembly.ts';
import { BrokenStream, parseEventJson } from '../streams/broken-stream.ts';
import type { AnswerReader } from '../streams/read-answer.ts';
import type { Frame } from './frame-decoder.ts';
import { toFinish, toUsage, UNREADABLE } from './response.ts';

/** The answer so far. */
interface ReaderState {
  readonly assembly: Assembly;
  usage: TokenUsage | undefined;
  hasMetadata: boolean;
  hasBegun: boolean;
  stopReason: string | undefined;
}

const NONE: readonly ModelEvent[] = [];

/**
 * An answer is whole with `messageStop`. Its usage comes in `metadata`, usually after it: if the body ends in between, the usage is
 * unknown.
 */
export function createConverseReader(): AnswerReader<Frame> {
  const state: ReaderState = {
    assembly: createAssembly(),
    usage: undefined,
    hasMetadata: false,
    hasBegun: false,
    stopReason: undefined,
  };
  return {
    read(frame) {
      rejectError(frame);
      return HANDLERS.get(frame.headers.get(':event-type'))?.(toJson(frame), state) ?? NONE;
    },
    end: () => end(state),
    usage: () => state.usage,
  };
}

type Handler = (event: unknown, state: ReaderState) => readonly ModelEvent[];

const HANDLERS: ReadonlyMap<string | undefined, Handler> = new Map<string | undefined, Handler>([
  ['messageStart', startMessage],
  ['contentBlockStart', startBlock],
  ['contentBlockDelta', addDelta],
  [
    'contentBlockStop',
    (event, { assembly }) => [
      ...assembly.endThought(indexOf(event), 'bedrock'),
      ...assembly.endCall(indexOf(event)),
    ],
  ],
  ['messageStop', stopMessage],
  ['metadata', addMetadata],
]);

function startMessage(_event: unknown, state: ReaderState): readonly ModelEvent[] {
  // An upstream that is asked again in mid-answer begins anew.
  if (state.hasBegun) throw new BrokenStream('the message begins again');
  state.hasBegun = true;
  return NONE;
}

/** Else an answer might be called whole that went on. */
function continueMessage(state: ReaderState): void {
  if (state.stopReason !== undefined) throw new BrokenStream('the answer goes on after messageStop');
  state.hasBegun = true;
}

function startBlock(event: unknown, state: ReaderState): readonly ModelEvent[] {
  continueMessage(state);
  const { assembly } = state;
  const use = memberOf(memberOf(event, 'start'), 'toolUse') ?? undefined;
  if (use === undefined) return NONE;
  const name = textMemberOf(use, 'name');
  if (!name) throw new BrokenStream('a tool call has no name');
  assembly.beginCall(indexOf(event), { id: textMemberOf(use, 'toolUseId'), name });
  return NONE;
}

/** Citations are no part of the answer. */
function addDelta(event: unknown, state: ReaderState): readonly ModelEvent[] {
  continueMessage(state);
  const { assembly } = state;
  const delta = memberOf(event, 'delta');
  const reasoning = memberOf(delta, 'reasoningContent') ?? undefined;
  if (reasoning !== undefined) {
    assembly.addThought(indexOf(event), {
      text: textMemberOf(reasoning, 'text'),
      signature: textMemberOf(reasoning, 'signature'),
      redacted: textMemberOf(reasoning, 'redactedContent'),
    });
  }
  const input = textMemberOf(memberOf(delta, 'toolUse'), 'input');
  if (input !== undefined) assembly.addArguments(indexOf(event), input);
  return assembly.addText(textMemberOf(delta, 'text') ?? '');
}

function stopMessage(event: unknown, state: ReaderState): readonly ModelEvent[] {
  const reason = textMemberOf(event, 'stopReason');
  if (reason === undefined) throw new BrokenStream('messageStop has no reason');
  if (state.stopReason !== undefined) throw new BrokenStream('the message ends twice');
  state.stopReason = reason;
  return state.hasMetadata ? end(state) : NONE;
}

function addMetadata(event: unknown, state: ReaderState): readonly ModelEvent[] {
  state.usage = toUsage(memberOf(event, 'usage'));
  state.hasMetadata = true;
  return state.stopReason === undefined ? NONE : end(state);
}

function end({ assembly, stopReason, usage }: ReaderState): readonly ModelEvent[] {
  if (stopReason === undefined) throw new BrokenStream('the stream ended without messageStop');
  if (UNREADABLE.has(stopReason)) {
    throw new BrokenStream('the service cannot read the answer of its model', {}, true);
  }
  // The API names no version but the model id of the request.
  return assembly.end({ finish: toFinish(stopReason), usage, modelVersion: undefined });
}

/** The API defines exceptions; errors are those of the stream itself. */
function rejectError(frame: Frame): void {
  const { headers } = frame;
  const type = headers.get(':message-type');
  if (type === 'event') return;
  const what = `a message of the type ${type === 'exception' || type === 'error' ? type : 'unknown'}`;
  if (type === 'exception') {
    const message = textMemberOf(toJson(frame), 'message');
    throw new BrokenStream(what, { code: headers.get(':exception-type'), message });
  }
  throw new BrokenStream(what, { code: headers.get(':error-code'), message: headers.get(':error-message') });
}

function toJson({ payload }: Frame): unknown {
  return parseEventJson(Buffer.from(payload).toString());
}

function indexOf(event: unknown): number {
  const index = memberOf(event, 'contentBlockIndex');
  if (typeof index !== 'number') throw new BrokenStream('an event of a block has no index');
  return index;
}

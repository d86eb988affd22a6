// Reads the events of ConverseStream (docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html).

import type { ModelEvent, TokenUsage } from '../../../core/ports/providers.ts';
import { memberOf, textMemberOf } from '../../../core/text/json.ts';
import { type Assembly, createAssembly } from '../streams/assembly.ts';
import { BrokenStream, parseEventJson } from '../streams/broken-stream.ts';
import type { AnswerReader } from '../streams/read-answer.ts';
import type { Frame } from './frame-decoder.ts';
import { toFinish, toUsage, UNREADABLE } from './response.ts';

/** What was read so far. */
interface Reading {
  readonly assembly: Assembly;
  usage: TokenUsage | undefined;
  hasMetadata: boolean;
  stopReason: string | undefined;
}

const NONE: readonly ModelEvent[] = [];

/**
 * Whole is an answer with `messageStop`. Its usage comes in `metadata`, after it as a rule: a body that ends in between is an answer
 * whose usage is unknown.
 */
export function createConverseReader(): AnswerReader<Frame> {
  const reading: Reading = {
    assembly: createAssembly(),
    usage: undefined,
    hasMetadata: false,
    stopReason: undefined,
  };
  return {
    read(frame) {
      rejectError(frame);
      return HANDLERS.get(frame.headers.get(':event-type'))?.(toJson(frame), reading) ?? NONE;
    },
    end: () => end(reading),
    usage: () => reading.usage,
  };
}

type Handler = (event: unknown, reading: Reading) => readonly ModelEvent[];

const HANDLERS: ReadonlyMap<string | undefined, Handler> = new Map<string | undefined, Handler>([
  ['contentBlockStart', startBlock],
  ['contentBlockDelta', addDelta],
  ['contentBlockStop', (event, { assembly }) => assembly.endCall(indexOf(event))],
  ['messageStop', stopMessage],
  ['metadata', addMetadata],
]);

function startBlock(event: unknown, { assembly }: Reading): readonly ModelEvent[] {
  const use = memberOf(memberOf(event, 'start'), 'toolUse') ?? undefined;
  if (use === undefined) return NONE;
  const name = textMemberOf(use, 'name');
  if (!name) throw new BrokenStream('a tool call has no name');
  assembly.beginCall(indexOf(event), { id: textMemberOf(use, 'toolUseId'), name });
  return NONE;
}

/** Reasoning and citations are no part of the answer. */
function addDelta(event: unknown, { assembly, stopReason }: Reading): readonly ModelEvent[] {
  // Else an answer might be called whole that went on.
  if (stopReason !== undefined) throw new BrokenStream('the answer goes on after messageStop');
  const delta = memberOf(event, 'delta');
  const input = textMemberOf(memberOf(delta, 'toolUse'), 'input');
  if (input !== undefined) assembly.addArguments(indexOf(event), input);
  return assembly.addText(textMemberOf(delta, 'text') ?? '');
}

function stopMessage(event: unknown, reading: Reading): readonly ModelEvent[] {
  const reason = textMemberOf(event, 'stopReason');
  if (reason === undefined) throw new BrokenStream('messageStop has no reason');
  if (UNREADABLE.has(reason)) throw new BrokenStream('the service cannot read the answer of its model');
  reading.stopReason = reason;
  return reading.hasMetadata ? end(reading) : NONE;
}

function addMetadata(event: unknown, reading: Reading): readonly ModelEvent[] {
  reading.usage = toUsage(memberOf(event, 'usage'));
  reading.hasMetadata = true;
  return reading.stopReason === undefined ? NONE : end(reading);
}

function end({ assembly, stopReason, usage }: Reading): readonly ModelEvent[] {
  if (stopReason === undefined) throw new BrokenStream('the stream ended without messageStop');
  // The API names no version: the id in the request is it.
  return assembly.end({ finish: toFinish(stopReason), usage, modelVersion: undefined });
}

/** An exception is one that the API names; an error is of the stream itself. */
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

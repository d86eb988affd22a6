// Reads the events of a streamed message (platform.claude.com/docs/en/build-with-claude/streaming).
import type { ModelEvent, TokenUsage } from '../../../core/ports/providers.ts';
import { isDeeper, MAX_BODY_DEPTH } from '../../../core/text/depth.ts';
import { type JsonObject, memberOf, textMemberOf, toJsonObject } from '../../../core/text/json.ts';
import { toModelVersion } from '../post-json.ts';
import { type Assembly, createAssembly } from '../streams/assembly.ts';
import { BrokenStream, parseEventJson } from '../streams/broken-stream.ts';
import type { AnswerReader } from '../streams/read-answer.ts';
import type { ServerSentEvent } from '../streams/sse-decoder.ts';
import { explanationOf } from './errors.ts';
import { createMessageCopy, type MessageCopy, markUnknown } from './passed.ts';
import { thoughtPieceOf, toFinish, toUsage } from './response.ts';

/** The answer so far. */
interface ReaderState {
  readonly assembly: Assembly;
  /** Indexes of the blocks that call the vendor's own tools. */
  readonly vendorCalls: Set<number>;
  counts: Readonly<Record<string, unknown>>;
  hasOutputCount: boolean;
  hasBegun: boolean;
  stopReason: string | undefined;
  modelVersion: string | undefined;
  /** Present where the message is passed on. */
  readonly copy: MessageCopy | undefined;
}

const NONE: readonly ModelEvent[] = [];

/** An answer is whole with a stop reason and `message_stop` after it. Events of other types are ignored, as the API demands. */
export function createMessageReader(isPassed = false): AnswerReader<ServerSentEvent> {
  const state: ReaderState = {
    assembly: createAssembly(),
    vendorCalls: new Set(),
    counts: {},
    hasOutputCount: false,
    hasBegun: false,
    stopReason: undefined,
    modelVersion: undefined,
    copy: isPassed ? createMessageCopy() : undefined,
  };
  return {
    read({ event: name, data }) {
      const event = parseEventJson(data);
      // The event's name is its type; some endpoints leave out one of them.
      const type = memberOf(event, 'type') ?? name;
      const known = HANDLERS.get(type)?.(event, state) ?? NONE;
      return state.copy === undefined ? known : passOn({ ...toJsonObject(event), type }, known, state);
    },
    end() {
      throw new BrokenStream('the stream ended without message_stop');
    },
    usage: () => usageOf(state),
  };
}

/** A message that is passed on is written as it is. */
function tooDeep(): BrokenStream {
  return new BrokenStream('a message is nested too deep', {}, true);
}

/** An event behind all that is known of it: a call that is none of the request ends the answer before its block does. */
function passOn(event: JsonObject, known: readonly ModelEvent[], state: ReaderState): readonly ModelEvent[] {
  const { type } = event;
  if (isDeeper(event, MAX_BODY_DEPTH)) throw tooDeep();
  if (type === 'ping' || type === 'message_stop') return known;
  state.copy?.add(event);
  const before = known.length === 0 ? [{ type: 'progress', usage: usageOf(state) } as const] : known;
  return [...before, { type: 'passed', event, isPiece: type === 'content_block_delta' }];
}

function usageOf({ counts, copy }: ReaderState): TokenUsage | undefined {
  const usage = toUsage(counts);
  return copy === undefined ? usage : markUnknown(usage, counts);
}

type Handler = (event: unknown, state: ReaderState) => readonly ModelEvent[];

const HANDLERS: ReadonlyMap<unknown, Handler> = new Map<unknown, Handler>([
  ['message_start', startMessage],
  ['content_block_start', startBlock],
  ['content_block_delta', addDelta],
  [
    'content_block_stop',
    (event, { assembly }) => [
      ...assembly.endThought(indexOf(event), 'anthropic'),
      ...assembly.endCall(indexOf(event)),
    ],
  ],
  ['message_delta', addMessageDelta],
  ['message_stop', stopMessage],
  [
    'error',
    (event) => {
      throw new BrokenStream('the provider reported an error', explanationOf(event));
    },
  ],
]);

function startMessage(event: unknown, state: ReaderState): readonly ModelEvent[] {
  // An upstream that is asked again in mid-answer begins anew.
  if (state.hasBegun) throw new BrokenStream('the message begins again');
  state.hasBegun = true;
  const message = memberOf(event, 'message');
  state.modelVersion = toModelVersion(memberOf(message, 'model'));
  state.counts = maxCounts(state.counts, memberOf(message, 'usage'));
  return NONE;
}

/** Some endpoints send the whole block at its start. */
function startBlock(event: unknown, state: ReaderState): readonly ModelEvent[] {
  const { assembly, vendorCalls } = state;
  continueMessage(state);
  const block = memberOf(event, 'content_block');
  const type = memberOf(block, 'type');
  if (type === 'text') return assembly.addText(textMemberOf(block, 'text') ?? '');
  if (type === 'thinking' || type === 'redacted_thinking') {
    assembly.addThought(indexOf(event), thoughtPieceOf(block));
  }
  if (type === 'server_tool_use') vendorCalls.add(indexOf(event));
  if (type !== 'tool_use') return NONE;
  const name = textMemberOf(block, 'name');
  if (!name) throw new BrokenStream('a tool call has no name');
  assembly.beginCall(indexOf(event), {
    id: textMemberOf(block, 'id'),
    name,
    input: memberOf(block, 'input'),
  });
  return NONE;
}

/** Citations and input of the vendor's own tools are no part of the answer. */
function addDelta(event: unknown, state: ReaderState): readonly ModelEvent[] {
  const { assembly, vendorCalls } = state;
  continueMessage(state);
  const delta = memberOf(event, 'delta');
  const type = memberOf(delta, 'type');
  if (type === 'text_delta') return assembly.addText(textMemberOf(delta, 'text') ?? '');
  if (type === 'thinking_delta' || type === 'signature_delta') {
    assembly.addThought(indexOf(event), thoughtPieceOf(delta));
  }
  if (type !== 'input_json_delta' || vendorCalls.has(indexOf(event))) return NONE;
  assembly.addArguments(indexOf(event), textMemberOf(delta, 'partial_json') ?? '');
  return NONE;
}

/** Some endpoints leave out `message_start`: what comes first begins the message as well. */
function continueMessage(state: ReaderState): void {
  if (state.stopReason !== undefined) throw new BrokenStream('the message goes on after its stop reason');
  state.hasBegun = true;
}

/** The counts are those of the whole message so far. */
function addMessageDelta(event: unknown, state: ReaderState): readonly ModelEvent[] {
  const usage = memberOf(event, 'usage');
  state.counts = maxCounts(state.counts, usage);
  state.hasOutputCount ||= typeof memberOf(usage, 'output_tokens') === 'number';
  state.stopReason = textMemberOf(memberOf(event, 'delta'), 'stop_reason') || state.stopReason;
  return NONE;
}

function stopMessage(_event: unknown, state: ReaderState): readonly ModelEvent[] {
  const { assembly, stopReason, hasOutputCount, modelVersion, copy } = state;
  if (stopReason === undefined) throw new BrokenStream('the message ended without a stop reason');
  const usage = hasOutputCount ? usageOf(state) : undefined;
  const passed = copy === undefined ? {} : { passed: copy.message() };
  if (isDeeper(passed, MAX_BODY_DEPTH)) throw tooDeep();
  return assembly.end({ finish: toFinish(stopReason), usage, modelVersion, ...passed });
}

function indexOf(event: unknown): number {
  const index = memberOf(event, 'index');
  if (typeof index !== 'number') throw new BrokenStream('an event of a block has no index');
  return index;
}

/** The higher of each count: some endpoints send 0 at the beginning or at the end. */
function maxCounts(before: unknown, after: unknown): Readonly<Record<string, unknown>> {
  const names = [...Object.keys(Object(before)), ...Object.keys(Object(after))];
  return Object.fromEntries(
    names.map((name) => {
      const [one, other] = [memberOf(before, name), memberOf(after, name)];
      if (typeof other === 'object' && other !== null) return [name, maxCounts(one, other)];
      const isMore = typeof other === 'number' && !(typeof one === 'number' && one > other);
      return [name, isMore ? other : one];
    }),
  );
}

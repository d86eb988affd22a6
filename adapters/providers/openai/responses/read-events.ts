// Reads the events of a streamed response (platform.openai.com/docs/api-reference/responses-streaming).
import type { ModelEvent, TokenUsage } from '../../../../core/ports/providers.ts';
import { memberOf, textMemberOf } from '../../../../core/text/json.ts';
import { toModelVersion } from '../../post-json.ts';
import { type Assembly, createAssembly } from '../../streams/assembly.ts';
import { BrokenStream, parseEventJson } from '../../streams/broken-stream.ts';
import type { AnswerReader } from '../../streams/read-answer.ts';
import type { ServerSentEvent } from '../../streams/sse-decoder.ts';
import { explanationOf, finishOf, hasRejected, textOfItem, thoughtPieceOf, toUsage } from './response.ts';

/** The answer so far. */
interface ReaderState {
  readonly assembly: Assembly;
  /** Indexes of messages of which pieces came. */
  readonly pieced: Set<unknown>;
  rejected: boolean;
  hasBegun: boolean;
  usage: TokenUsage | undefined;
}

const NONE: readonly ModelEvent[] = [];

/**
 * An answer is whole with `response.completed` or `response.incomplete`. Calls and thoughts are read when they are done: their pieces say
 * nothing that a caller may have before.
 */
export function createResponseReader(): AnswerReader<ServerSentEvent> {
  const state: ReaderState = {
    assembly: createAssembly(),
    pieced: new Set(),
    rejected: false,
    hasBegun: false,
    usage: undefined,
  };
  return {
    read({ event: name, data }) {
      const event = parseEventJson(data);
      return HANDLERS.get(memberOf(event, 'type') ?? name)?.(event, state) ?? NONE;
    },
    end() {
      throw new BrokenStream('the stream ended without response.completed');
    },
    usage: () => state.usage,
  };
}

type Handler = (event: unknown, state: ReaderState) => readonly ModelEvent[];

const HANDLERS: ReadonlyMap<unknown, Handler> = new Map<unknown, Handler>([
  ['response.created', begin],
  ['response.output_text.delta', addText],
  ['response.refusal.delta', addText],
  ['response.output_item.done', endItem],
  ['response.completed', end],
  ['response.incomplete', end],
  ['response.failed', (event) => fail(memberOf(event, 'response'))],
  ['error', fail],
]);

function begin(_event: unknown, state: ReaderState): readonly ModelEvent[] {
  // An upstream that is asked again in mid-answer begins anew.
  if (state.hasBegun) throw new BrokenStream('the response begins again');
  state.hasBegun = true;
  return NONE;
}

function addText(event: unknown, state: ReaderState): readonly ModelEvent[] {
  state.pieced.add(memberOf(event, 'output_index'));
  return state.assembly.addText(textMemberOf(event, 'delta') ?? '');
}

/** Some servers send a message in one piece. */
function endItem(event: unknown, state: ReaderState): readonly ModelEvent[] {
  const { assembly, pieced } = state;
  const item = memberOf(event, 'item');
  const index = memberOf(event, 'output_index');
  const key = typeof index === 'number' ? index : pieced.size;
  switch (memberOf(item, 'type')) {
    case 'message':
      state.rejected ||= hasRejected(item);
      return pieced.has(index) ? NONE : assembly.addText(textOfItem(item));
    case 'function_call': {
      const name = textMemberOf(item, 'name');
      if (!name) throw new BrokenStream('a tool call has no name');
      assembly.beginCall(key, { id: textMemberOf(item, 'call_id'), name });
      assembly.addArguments(key, textMemberOf(item, 'arguments') ?? '');
      return assembly.endCall(key);
    }
    case 'reasoning':
      assembly.addThought(key, thoughtPieceOf(item));
      return assembly.endThought(key, 'openai');
    default:
      return NONE;
  }
}

function end(event: unknown, state: ReaderState): readonly ModelEvent[] {
  const response = memberOf(event, 'response');
  state.usage = toUsage(memberOf(response, 'usage'));
  return state.assembly.end({
    finish: finishOf(response, state.rejected),
    usage: state.usage,
    modelVersion: toModelVersion(memberOf(response, 'model')),
  });
}

function fail(said: unknown): never {
  throw new BrokenStream('the provider reported an error', explanationOf(said));
}

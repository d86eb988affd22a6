// Puts the pieces of a streamed answer together: whole characters and whole tool calls, of bounded length.
import type { Thought } from '../../../core/conversation/conversation.ts';
import { parseArguments } from '../../../core/conversation/tool-arguments.ts';
import type { ModelEvent, ModelResult } from '../../../core/ports/providers.ts';
import { isDeeper, MAX_VALUE_DEPTH } from '../../../core/text/depth.ts';
import { toJsonObject } from '../../../core/text/json.ts';
import { type ThoughtPiece, toThought } from '../thoughts.ts';
import { createCallIds } from '../tool-arguments.ts';
import { BrokenStream } from './broken-stream.ts';

/** Characters of text and arguments together; a million output tokens are about 5 MB, and a whole answer may have 8 MiB. */
const MAX_ANSWER_LENGTH = 8 * 1024 * 1024;

/** Tool calls of one answer; OpenAI allows 128 tools. */
const MAX_CALLS = 128;

/** An answer that is being read. Throws `BrokenStream` for pieces that fit no answer. */
export interface Assembly {
  /** Keeps half of a surrogate pair at the end of a piece for the next one. */
  addText(piece: string): readonly ModelEvent[];
  /**
   * Begins the call that further fragments name by `key`. A call without an id gets one, since its result must name it. `input` holds
   * its arguments where no fragment follows.
   */
  beginCall(
    key: number,
    call: { readonly id: string | undefined; readonly name: string; readonly input?: unknown },
  ): void;
  /** The id of a call that has begun and not ended; undefined for any other. */
  callId(key: number): string | undefined;
  /** Throws for a call that has not begun. */
  addArguments(key: number, fragment: string): void;
  /** Begins a thought, or adds to the one of that key. Its bytes stay as they are: its signature is of these. */
  addThought(key: number, piece: ThoughtPiece): void;
  /** The whole thought; nothing for a key without one. */
  endThought(key: number, origin: Thought['origin']): readonly ModelEvent[];
  /** The whole call; nothing for a key without a call. Throws for arguments that are nested too deep. */
  endCall(key: number): readonly ModelEvent[];
  /** The rest of the answer: calls that have not ended, in the order of their beginning, and its end. */
  end(outcome: Pick<ModelResult, 'finish' | 'usage' | 'modelVersion' | 'passed'>): readonly ModelEvent[];
}

interface OpenCall {
  /** As the provider gave it. */
  readonly id: string | undefined;
  readonly name: string;
  readonly input: unknown;
  readonly fragments: string[];
}

export function createAssembly(): Assembly {
  const open = new Map<number, OpenCall>();
  const toId = createCallIds();
  let heldSurrogate = '';
  let length = 0;
  let calls = 0;

  function count(piece: string): void {
    length += piece.length;
    if (length > MAX_ANSWER_LENGTH) throw new BrokenStream('the answer is too long');
  }

  function endCall(key: number): readonly ModelEvent[] {
    const call = open.get(key);
    if (call === undefined) return [];
    open.delete(key);
    const { id, name, input, fragments } = call;
    const text = fragments.join('').toWellFormed();
    const options = (text === '' ? toJsonObject(input) : undefined) ?? parseArguments(text);
    if (isDeeper(options, MAX_VALUE_DEPTH)) throw new BrokenStream('arguments are nested too deep', {}, true);
    return [{ type: 'toolCall', call: { id: toId(id), name, arguments: options } }];
  }

  return {
    addText(piece) {
      count(piece);
      const text = heldSurrogate + piece;
      heldSurrogate = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : '';
      return toText(heldSurrogate === '' ? text : text.slice(0, -1));
    },
    beginCall(key, { id, name, input }) {
      calls += 1;
      if (calls > MAX_CALLS) throw new BrokenStream('the answer has too many tool calls');
      if (open.has(key)) throw new BrokenStream('a tool call begins before the one in its place has ended');
      open.set(key, { id, name, input, fragments: [] });
    },
    callId: (key) => open.get(key)?.id,
    addArguments(key, fragment) {
      const call = open.get(key);
      if (call === undefined) throw new BrokenStream('there are arguments of no tool call');
      count(fragment);
      call.fragments.push(fragment);
    },
    ...createThoughts(count),
    endCall,
    end({ finish, ...rest }) {
      return [
        ...toText(heldSurrogate),
        ...[...open.keys()].flatMap(endCall),
        { type: 'end', finish: calls > 0 ? 'toolCalls' : finish, ...rest },
      ];
    },
  };
}

function join(before: string | undefined, more: string | undefined): string | undefined {
  return before === undefined ? more : before + (more ?? '');
}

/** Thoughts by their key, until they are whole. */
function createThoughts(count: (piece: string) => void): Pick<Assembly, 'addThought' | 'endThought'> {
  const thoughts = new Map<number, ThoughtPiece>();
  return {
    addThought(key, piece) {
      const before = thoughts.get(key) ?? {};
      count(Object.values(piece).join(''));
      thoughts.set(key, {
        text: join(before.text, piece.text),
        signature: join(before.signature, piece.signature),
        redacted: join(before.redacted, piece.redacted),
      });
    },
    endThought(key, origin) {
      const thought = toThought(origin, thoughts.get(key) ?? {});
      thoughts.delete(key);
      return thought === undefined ? [] : [{ type: 'thought', thought }];
    },
  };
}

/** A lone half of a surrogate pair becomes U+FFFD, as in every encoding to UTF-8. */
function toText(text: string): readonly ModelEvent[] {
  return text === '' ? [] : [{ type: 'text', text: text.toWellFormed() }];
}

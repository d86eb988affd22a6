// Reads the events of a streamed message (platform.claude.com/docs/en/build-with-claude/streaming).

import { memberOf, textMemberOf } from '../../../core/contract/json.ts';
import type { ModelEvent } from '../../../core/ports/providers.ts';
import { toModelVersion } from '../post-json.ts';
import { createAssembly } from '../streams/assembly.ts';
import { BrokenStream, parseEventJson } from '../streams/broken-stream.ts';
import type { AnswerReader } from '../streams/read-answer.ts';
import type { ServerSentEvent } from '../streams/sse-decoder.ts';
import { explanationOf } from './errors.ts';
import { toFinish, toUsage } from './response.ts';

const NONE: readonly ModelEvent[] = [];

/** Whole is an answer with a stop reason and `message_stop` after it. Events of other types are passed over, as the API asks for. */
export function createMessageReader(): AnswerReader<ServerSentEvent> {
  const assembly = createAssembly();
  /** Indexes of the blocks that call the vendor's own tools. */
  const vendorsCalls = new Set<number>();
  let counts: unknown = {};
  let hasOutputCount = false;
  let stopReason: string | undefined;
  let modelVersion: string | undefined;

  function start(event: unknown): readonly ModelEvent[] {
    const message = memberOf(event, 'message');
    modelVersion = toModelVersion(memberOf(message, 'model'));
    counts = mostOf(counts, memberOf(message, 'usage'));
    return NONE;
  }

  /** Some endpoints give a block whole at its start. */
  function startBlock(event: unknown): readonly ModelEvent[] {
    const block = memberOf(event, 'content_block');
    if (memberOf(block, 'type') === 'server_tool_use') vendorsCalls.add(indexOf(event));
    if (memberOf(block, 'type') === 'text') return assembly.addText(textMemberOf(block, 'text') ?? '');
    if (memberOf(block, 'type') !== 'tool_use') return NONE;
    const [key, name] = [indexOf(event), textMemberOf(block, 'name')];
    if (!name) throw new BrokenStream('a tool call has no name');
    assembly.beginCall(key, { id: textMemberOf(block, 'id'), name, given: memberOf(block, 'input') });
    return NONE;
  }

  /** Thinking, signatures and citations are no part of the answer, and neither is the input of the vendor's own tools. */
  function addDelta(event: unknown): readonly ModelEvent[] {
    const delta = memberOf(event, 'delta');
    switch (memberOf(delta, 'type')) {
      case 'text_delta':
        return assembly.addText(textMemberOf(delta, 'text') ?? '');
      case 'input_json_delta':
        if (!vendorsCalls.has(indexOf(event))) {
          assembly.addArguments(indexOf(event), textMemberOf(delta, 'partial_json') ?? '');
        }
        return NONE;
      default:
        return NONE;
    }
  }

  /** Counts are of the whole message so far. */
  function addMessageDelta(event: unknown): readonly ModelEvent[] {
    const usage = memberOf(event, 'usage');
    counts = mostOf(counts, usage);
    hasOutputCount ||= typeof memberOf(usage, 'output_tokens') === 'number';
    stopReason = textMemberOf(memberOf(event, 'delta'), 'stop_reason') || stopReason;
    return NONE;
  }

  function stop(): readonly ModelEvent[] {
    if (stopReason === undefined) throw new BrokenStream('the message ended without a stop reason');
    const usage = hasOutputCount ? toUsage(counts) : undefined;
    return assembly.end({ finish: toFinish(stopReason), usage, modelVersion });
  }

  return {
    read({ event: name, data }) {
      const event = parseEventJson(data);
      // The SDKs go by the name, which is the type; some endpoints leave out the one or the other.
      switch (memberOf(event, 'type') ?? name) {
        case 'message_start':
          return start(event);
        case 'content_block_start':
          return startBlock(event);
        case 'content_block_delta':
          return addDelta(event);
        case 'content_block_stop':
          return assembly.endCall(indexOf(event));
        case 'message_delta':
          return addMessageDelta(event);
        case 'message_stop':
          return stop();
        case 'error':
          throw new BrokenStream('the provider reported an error', explanationOf(event));
        default:
          return NONE;
      }
    },
    end() {
      throw new BrokenStream('the stream ended without message_stop');
    },
    usage: () => toUsage(counts),
  };
}

function indexOf(event: unknown): number {
  const index = memberOf(event, 'index');
  if (typeof index !== 'number') throw new BrokenStream('an event of a block has no index');
  return index;
}

/** Later counts take the place of earlier ones and never fall; some endpoints leave them at 0 where they began, or end. */
function mostOf(before: unknown, after: unknown): Readonly<Record<string, unknown>> {
  const names = [...Object.keys(Object(before)), ...Object.keys(Object(after))];
  return Object.fromEntries(
    names.map((name) => {
      const [one, other] = [memberOf(before, name), memberOf(after, name)];
      const isMore = typeof other === 'number' && !(typeof one === 'number' && one > other);
      return [name, isMore ? other : one];
    }),
  );
}

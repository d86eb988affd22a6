// Reads the chunks of a streamed chat completion (platform.openai.com/docs/api-reference/chat/streaming) of any compatible endpoint.

import type { ModelEvent, TokenUsage } from '../../../core/ports/providers.ts';
import { memberOf, textMemberOf } from '../../../core/text/json.ts';
import { toModelVersion } from '../post-json.ts';
import { type Assembly, createAssembly } from '../streams/assembly.ts';
import { BrokenStream, parseEventJson } from '../streams/broken-stream.ts';
import type { AnswerReader } from '../streams/read-answer.ts';
import type { ServerSentEvent } from '../streams/sse-decoder.ts';
import { explanationOf } from './errors.ts';
import { reasoningTextOf, toFinish, toText, toUsage } from './response.ts';

const DONE = '[DONE]';

/** The finish reason of some gateways for an answer that broke off. */
const FAILED = 'error';

/**
 * An answer is whole with a finish reason after its last text, and then `[DONE]` or the end of the body. Servers leave out `[DONE]`, or
 * send it after a broken stream; none of them invents a finish reason.
 */
export function createCompletionReader(): AnswerReader<ServerSentEvent> {
  const assembly = createAssembly();
  const addToolCalls = createToolCallReader(assembly);
  const rejectOther = createChunkOrder();
  let finish: string | undefined;
  let usage: TokenUsage | undefined;
  let modelVersion: string | undefined;
  /** True where the model refused to fill a schema, which it says in a member of its own before it ends with `stop`. */
  let rejected = false;

  function end(): readonly ModelEvent[] {
    if (finish === undefined) throw new BrokenStream('the stream ended without a finish reason');
    if (finish === FAILED) throw new BrokenStream('the answer ended by an error');
    const reason = rejected ? 'content_filter' : finish;
    return assembly.end({ finish: toFinish(reason), usage, modelVersion });
  }

  return {
    read({ event, data }) {
      if (data.startsWith(DONE)) return end();
      if (data === '') return [];
      const chunk = parseEventJson(data);
      rejectError(event, chunk);
      usage = toUsage(memberOf(chunk, 'usage')) ?? usage;
      modelVersion = toModelVersion(textMemberOf(chunk, 'model') || undefined) ?? modelVersion;
      const choice = firstChoiceOf(chunk);
      const delta = memberOf(choice, 'delta');
      const text = textOf(delta);
      const thinking = reasoningTextOf(delta);
      rejectOther(chunk, choice);
      rejected ||= Boolean(textMemberOf(delta, 'refusal'));
      const hasCalls = addToolCalls(memberOf(delta, 'tool_calls'));
      if (finish !== undefined && (hasCalls || text !== '')) {
        throw new BrokenStream('the answer goes on after its finish reason');
      }
      finish = textMemberOf(choice, 'finish_reason') || finish;
      if (thinking !== '') assembly.addThought(0, { text: thinking });
      const hasEnded = text !== '' || hasCalls || finish !== undefined;
      return [...(hasEnded ? assembly.endThought(0, 'openai') : []), ...assembly.addText(text)];
    },
    end,
    usage: () => usage,
  };
}

/**
 * Throws for a chunk of another answer than the first one: an upstream that is asked again in mid-answer begins anew. All chunks of an answer
 * have its id; of servers that give none, most say the role once.
 */
function createChunkOrder(): (chunk: unknown, choice: unknown) => void {
  let id: string | undefined;
  let hasRoleOnce = false;
  return (chunk, choice) => {
    // The first chunk of Azure OpenAI has an empty id and no choice, and usage comes without a choice, too.
    if (choice === undefined) return;
    const own = textMemberOf(chunk, 'id') || undefined;
    id ??= own;
    if (own !== undefined && own !== id) throw new BrokenStream('a chunk of another answer');
    const delta = memberOf(choice, 'delta');
    const hasRole = Boolean(textMemberOf(delta, 'role'));
    const isMiddle = !textMemberOf(choice, 'finish_reason');
    if (id === undefined && hasRoleOnce && hasRole && isMiddle)
      throw new BrokenStream('the answer begins again');
    hasRoleOnce ||= !hasRole && Boolean(textMemberOf(delta, 'content'));
  };
}

/** An error is the member `error`, an event of that name, or an object of that type (vLLM). */
function rejectError(event: string | undefined, chunk: unknown): void {
  if (typeof chunk !== 'object' || chunk === null) throw new BrokenStream('an event is no object');
  const error = memberOf(chunk, 'error') ?? undefined;
  const isError = error !== undefined || event === 'error' || memberOf(chunk, 'object') === 'error';
  if (isError) throw new BrokenStream('the provider reported an error', explanationOf(chunk));
}

/** Undefined for the chunk with the usage, and for the first chunk of Azure OpenAI. */
function firstChoiceOf(chunk: unknown): unknown {
  const choices = memberOf(chunk, 'choices');
  if (!Array.isArray(choices)) return undefined;
  return choices.find((choice: unknown) => (memberOf(choice, 'index') ?? 0) === 0);
}

function textOf(delta: unknown): string {
  const refusal = textMemberOf(delta, 'refusal');
  const text = toText(memberOf(delta, 'content') || null, refusal);
  if (text === undefined) throw new BrokenStream('a delta has no text as its content');
  return text;
}

/**
 * Collects fragments of calls by their index; returns true where there was one. Some servers repeat id and name in every fragment, leave
 * out the index of whole calls, or give every call the index 0: another id with a name is another call.
 */
function createToolCallReader(assembly: Assembly): (fragments: unknown) => boolean {
  /** By index, the key of the call that its fragments belong to now. */
  const keys = new Map<unknown, number>();
  let begun = 0;
  return (fragments) => {
    if (!Array.isArray(fragments)) return false;
    for (const fragment of fragments as readonly unknown[]) {
      const index = memberOf(fragment, 'index') ?? undefined;
      const called = memberOf(fragment, 'function');
      const [id, name] = [textMemberOf(fragment, 'id') || undefined, textMemberOf(called, 'name')];
      let key = keys.get(index);
      const isOther = key === undefined || (id !== undefined && id !== assembly.callId(key));
      if (isOther && name) {
        key = begun;
        begun += 1;
        keys.set(index, key);
        assembly.beginCall(key, { id, name });
      }
      if (key === undefined) throw new BrokenStream('a tool call has no name');
      assembly.addArguments(key, textMemberOf(called, 'arguments') ?? '');
    }
    return fragments.length > 0;
  };
}

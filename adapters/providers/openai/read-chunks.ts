// Reads the chunks of a streamed chat completion (platform.openai.com/docs/api-reference/chat/streaming) of any compatible endpoint.

import type { ModelEvent, TokenUsage } from '../../../core/ports/providers.ts';
import { memberOf, textMemberOf } from '../../../core/text/json.ts';

import { toModelVersion } from '../post-json.ts';
import { type Assembly, createAssembly } from '../streams/assembly.ts';
import { BrokenStream, parseEventJson } from '../streams/broken-stream.ts';
import type { AnswerReader } from '../streams/read-answer.ts';
import type { ServerSentEvent } from '../streams/sse-decoder.ts';
import { explanationOf } from './errors.ts';
import { toFinish, toText, toUsage } from './response.ts';

const DONE = '[DONE]';

/** What some gateways give as the reason of an answer that broke off. */
const FAILED = 'error';

/**
 * Whole is an answer with a finish reason after its last text, and with `[DONE]` or the end of the body after that: servers leave out the one or
 * send the other for a stream that broke off, and the reason is what none of them invents.
 */
export function createCompletionReader(): AnswerReader<ServerSentEvent> {
  const assembly = createAssembly();
  const addToolCalls = createToolCallReader(assembly);
  let finish: string | undefined;
  let usage: TokenUsage | undefined;
  let modelVersion: string | undefined;
  /** A model that refuses to fill a schema says so in a member of its own, and ends with `stop`. */
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
      rejected ||= Boolean(textMemberOf(delta, 'refusal'));
      // What follows a finish reason makes it another answer, which is whole with a reason of its own.
      if (addToolCalls(memberOf(delta, 'tool_calls')) || text !== '') finish = undefined;
      finish = textMemberOf(choice, 'finish_reason') || finish;
      return assembly.addText(text);
    },
    end,
    usage: () => usage,
  };
}

/** Errors come as the member `error`, as an event of that name, or as an object that is one (vLLM). */
function rejectError(event: string | undefined, chunk: unknown): void {
  if (typeof chunk !== 'object' || chunk === null) throw new BrokenStream('an event is no object');
  const error = memberOf(chunk, 'error') ?? undefined;
  const isError = error !== undefined || event === 'error' || memberOf(chunk, 'object') === 'error';
  if (isError) throw new BrokenStream('the provider reported an error', explanationOf(chunk));
}

/** Exactly one answer is asked for. The chunk with the usage has none, and neither has the first one of Azure OpenAI. */
function firstChoiceOf(chunk: unknown): unknown {
  const choices = memberOf(chunk, 'choices');
  if (!Array.isArray(choices)) return undefined;
  return choices.find((choice: unknown) => (memberOf(choice, 'index') ?? 0) === 0);
}

/** Reasoning (`reasoning_content`, `reasoning`) is no part of the answer. */
function textOf(delta: unknown): string {
  const refusal = textMemberOf(delta, 'refusal');
  const text = toText(memberOf(delta, 'content') || null, refusal);
  if (text === undefined) throw new BrokenStream('a delta has no text as its content');
  return text;
}

/**
 * Collects fragments of calls by their index; true where there was one. Servers repeat id and name in every fragment, leave out the index where they
 * send whole calls, or give every call the index 0: another id with a name is another call.
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

// Shows guards what a model answers: whole, or before each piece of it leaves.
import { ServiceError } from '../contract/service-error.ts';
import type { ToolCall } from '../conversation/conversation.ts';
import type { AttemptSink } from '../flow/stream-attempt.ts';
import type { AnswerBlock, ModelResult } from '../ports/providers.ts';
import type { ActiveGuard } from './active-guards.ts';
import { cleanCall } from './calls/call-ids.ts';
import type { Place } from './find-counts.ts';
import type { Inspector } from './hold-back.ts';
import { createHoldBack } from './hold-back.ts';
import { type InspectPlace, inspectCall } from './inspect-conversation.ts';
import { createReplace, type GuardState, inspectTexts, toCuts, withoutOwn } from './inspect-texts.ts';
import { mapJsonText } from './map-json.ts';
import type { Piece } from './split.ts';

const OUTPUT: Place = { stage: 'output' };
const TOOL_CALLS: Place = { stage: 'toolCalls' };

/** How the texts of an answer are inspected, and by whom. */
export interface AnswerInspector extends Pick<GuardState, 'guards'> {
  readonly inspect: InspectPlace;
}

/** The answer of a model with what the guards leave of it. `isJson`: its text is JSON, and stays JSON. */
export function inspectAnswer(result: ModelResult, isJson: boolean, answer: AnswerInspector): ModelResult {
  const { inspect } = answer;
  const inspectText = (text: string) =>
    isJson ? inspectJson(text, inspect) : (inspect(OUTPUT, [text])[0] ?? '');
  const callOf = (call: ToolCall) => inspectCall(call, TOOL_CALLS, inspect);
  const { toolCalls, blocks } = result;
  if (blocks === undefined) {
    const calls = toolCalls === undefined ? {} : { toolCalls: toolCalls.map(callOf) };
    return { ...result, text: inspectText(result.text), ...calls };
  }
  const texts = inspect(
    OUTPUT,
    blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])),
  );
  let next = 0;
  const inspected = blocks.flatMap((block): readonly AnswerBlock[] => {
    if (block.type === 'toolCall') return [{ ...block, call: callOf(block.call) }];
    if (block.type === 'thought') return inspectThought(block, answer);
    const text = isJson ? inspectJson(block.text, inspect) : (texts[next] ?? '');
    next += 1;
    return [{ ...block, text }];
  });
  return {
    ...result,
    text: inspected.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    ...(toolCalls === undefined
      ? {}
      : { toolCalls: inspected.flatMap((block) => (block.type === 'toolCall' ? [block.call] : [])) }),
    blocks: inspected,
  };
}

function inspectJson(text: string, inspect: InspectPlace): string {
  return mapJsonText(text, (one) => inspect(OUTPUT, [one])[0] ?? '');
}

/** A thought with a signature cannot be changed: it stays here. One that nobody can read stays here, too, where a guard wants to see all. */
function inspectThought(
  block: Extract<AnswerBlock, { type: 'thought' }>,
  { guards, inspect }: AnswerInspector,
): readonly AnswerBlock[] {
  const { text, payload } = block.thought;
  if (text === undefined) return guards.some(wantsAll) ? [] : [block];
  const [inspected = ''] = inspect(OUTPUT, [text]);
  if (inspected === text) return [block];
  return payload === undefined ? [{ ...block, thought: { ...block.thought, text: inspected } }] : [];
}

function wantsAll({ rejectsUnseen, stages }: ActiveGuard): boolean {
  return rejectsUnseen && stages.has('output');
}

/** True where each guard that acts on a text can tell what may leave before its end. */
export function canStream(guards: readonly ActiveGuard[]): boolean {
  return findWaiting(guards).length === 0;
}

/** The guards that must see the end of an answer before any of it leaves. */
export function findWaiting(guards: readonly ActiveGuard[]): readonly ActiveGuard[] {
  return guards.filter((guard) => (actsOnText(guard) || actsOnCalls(guard)) && guard.openFrom === undefined);
}

/** A call that does not fit its schema ends the answer, and the text before it. */
function actsOnCalls({ action, stages, fits }: ActiveGuard): boolean {
  return action !== 'flag' && fits?.tool !== undefined && stages.has('toolCalls');
}

function actsOnText({ action, stages }: ActiveGuard): boolean {
  return action !== 'flag' && stages.has('output');
}

type Item = () => Promise<void>;

/**
 * The same sink behind the guards. Throws `guard_blocked` before anything of what is blocked has left. Counts nothing: the whole answer is
 * inspected when it is there.
 */
export function guardSink(sink: AttemptSink, whole: GuardState): AttemptSink {
  const state: GuardState = {
    ...whole,
    counts: { add: () => undefined, list: () => [] },
    block() {
      throw new ServiceError('guard_blocked');
    },
  };
  const guards = state.guards.filter(actsOnText);
  const replace = createReplace(state.placeholders);
  const inspect: Inspector = {
    cutsOf: (text, from) =>
      guards.flatMap((guard) => toCuts(guard, withoutOwn(guard.find(text, from), text, state.placeholders))),
    openFrom: (text, from) =>
      Math.min(text.length, ...guards.map(({ openFrom }) => openFrom?.(text, from) ?? 0)),
  };
  const held = createHoldBack<Item>(inspect, (cut, value) => {
    if (cut.action === 'block') throw new ServiceError('guard_blocked');
    return replace(cut, value);
  });
  const send = async (released: readonly Piece<Item>[]): Promise<void> => {
    for (const one of released) {
      if ('item' in one) await one.item();
      else await sink.text(one.text);
    }
  };
  const inspectTo = (place: Place, texts: readonly string[]) => inspectTexts(state, place, texts);
  return {
    ...sink,
    text: async (text) => send(held.push(text)),
    async toolCall(call) {
      const inspected = cleanCall(inspectCall(call, TOOL_CALLS, inspectTo), state.callIds);
      await send(held.put(() => sink.toolCall(inspected)));
    },
    async thought(thought) {
      const [block] = inspectThought(
        { type: 'thought', thought },
        { guards: state.guards, inspect: inspectTo },
      );
      if (block?.type !== 'thought') return;
      await send(held.put(async () => sink.thought?.(block.thought)));
    },
    async end() {
      await send(held.end());
      await sink.end?.();
    },
  };
}

// Shows guards what a model answers, whole.
import type { ToolCall } from '../conversation/conversation.ts';
import type { AnswerBlock, ModelResult } from '../ports/providers.ts';
import type { ActiveGuard } from './active-guards.ts';
import type { Place } from './find-counts.ts';
import { type InspectPlace, inspectCall } from './inspect-conversation.ts';
import type { GuardState } from './inspect-texts.ts';
import { mapJsonText } from './map-json.ts';

const OUTPUT: Place = { stage: 'output' };
export const TOOL_CALLS: Place = { stage: 'toolCalls' };

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
export function inspectThought(
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

export function actsOnText({ action, stages }: ActiveGuard): boolean {
  return action !== 'flag' && stages.has('output');
}

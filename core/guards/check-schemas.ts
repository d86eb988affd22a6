// Checks answers by the guards of type `schema`: the text, or the arguments of a tool.

import type { ValidateJson } from '../ports/platform.ts';
import type { ModelResult } from '../ports/providers.ts';
import { withDoubles } from '../text/exact-json.ts';
import { parseJson } from '../text/json.ts';
import type { ActiveGuard } from './active-guards.ts';
import type { Place } from './find-counts.ts';
import type { TextState } from './inspect-texts.ts';

/** A find has no place in a text: all of it is what does not fit. */
const MISMATCH = [{ entity: 'mismatch', start: 0, end: 0 }];

/** Counts what does not fit, and blocks where a guard does. An answer that cannot be checked does not fit. */
export async function checkSchemas(
  answer: Pick<ModelResult, 'text' | 'toolCalls'>,
  state: TextState,
): Promise<void> {
  for (const guard of state.guards) {
    for (const place of await mismatchesOf(guard, answer, state.validateJson)) {
      state.counts.add(guard, place, MISMATCH, '');
      if (guard.action === 'block') state.block(guard, place);
    }
  }
}

/** A text that is empty beside calls of tools is no answer yet. */
async function mismatchesOf(
  { fits, stages }: ActiveGuard,
  { text, toolCalls = [] }: Pick<ModelResult, 'text' | 'toolCalls'>,
  validateJson: ValidateJson,
): Promise<readonly Place[]> {
  if (fits === undefined) return [];
  const { schema, tool } = fits;
  const isWrong = async (value: unknown) =>
    value === undefined || (await validateJson(schema, value, () => undefined)) !== undefined;
  if (tool === undefined) {
    const isAnswer = stages.has('output') && (text !== '' || toolCalls.length === 0);
    return isAnswer && (await isWrong(parseJson(text))) ? [{ stage: 'output' }] : [];
  }
  if (!stages.has('toolCalls')) return [];
  const calls = toolCalls.filter(({ name }) => name === tool);
  const wrong = await Promise.all(calls.map((call) => isWrong(withDoubles(call.arguments))));
  return wrong.flatMap((one): readonly Place[] => (one ? [{ stage: 'toolCalls' }] : []));
}

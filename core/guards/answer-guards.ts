// The guards of a request over what models answer: whole, or piece by piece.
import type { AnswerGuards } from '../flow/step.ts';
import { type Block, strictest } from './block.ts';
import { cleanAnswer } from './calls/call-ids.ts';
import { checkSchemas } from './check-schemas.ts';
import { inspectAnswer } from './inspect-answer.ts';
import type { InspectPlace } from './inspect-conversation.ts';
import { type GuardState, inspectTexts } from './inspect-texts.ts';
import { guardSink } from './stream/guard-sink.ts';

/** The memory of a request with what is done where a guard blocks. */
export type StateWith = (block: GuardState['block']) => GuardState;

export function answersWith(stateWith: StateWith): AnswerGuards {
  const isFound = (words: string) =>
    stateWith(() => undefined).guards.some(
      (guard) => guard.action !== 'flag' && guard.find(words).length > 0,
    );
  return {
    async inspect(result, isJson) {
      const blocks: (Block & { readonly name: string })[] = [];
      const state = stateWith(({ name, text }, place) => blocks.push({ name, text, place }));
      const inspect: InspectPlace = (place, texts) => inspectTexts(state, place, texts);
      await checkSchemas(result, state);
      const shown = inspectAnswer(result, isJson, { guards: state.guards, inspect });
      const inspected = cleanAnswer(shown, state.callIds);
      const blocked = strictest(blocks);
      return { result: inspected, ...(blocked === undefined ? {} : { blocked: { text: blocked.text } }) };
    },
    watch(sink) {
      const state = stateWith(() => undefined);
      return guardSink(sink, state);
    },
    withholds: isFound,
    withholdsName: isFound,
  };
}

/** An answer that was kept, as the guards leave it now; undefined where one blocks it. */
export async function inspectKept(output: string, stateWith: StateWith): Promise<string | undefined> {
  let isBlocked = false;
  const state = stateWith(() => {
    isBlocked = true;
  });
  await checkSchemas({ text: output }, state);
  const [inspected] = inspectTexts(state, { stage: 'output' }, [output]);
  return isBlocked ? undefined : inspected;
}

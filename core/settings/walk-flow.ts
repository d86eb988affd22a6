// Walks through the steps of a flow, branches included, without running it.
import { type Flow, MAX_DEPTH, type Step } from './flow-schema.ts';
import type { Path } from './path.ts';

/** A step with its path from the flow, such as `[0, 'callModel']`; for a list that is nested too deep, its path alone. */
export interface PlacedStep {
  readonly step: Step | undefined;
  readonly path: Path;
}

/** Every step, in the order in which it is written. */
export function* walkFlow(list: Flow, path: Path = [], depth = 0): Generator<PlacedStep> {
  if (depth > MAX_DEPTH) {
    yield { step: undefined, path };
    return;
  }
  for (const [index, step] of list.entries()) {
    yield { step, path: [...path, index] };
    for (const branch of branchesOf(step)) {
      yield* walkFlow(branch.list, [...path, index, ...branch.path], depth + 1);
    }
  }
}

/** True where an answer is by a schema of the operator. */
export function hasOutputSchema(flow: Flow): boolean {
  return [...walkFlow(flow)].some(
    ({ step }) => step !== undefined && 'callModel' in step && step.callModel.outputSchema !== undefined,
  );
}

function branchesOf(step: Step): readonly { readonly path: Path; readonly list: Flow }[] {
  return Object.entries(step).flatMap(([name, settings]) =>
    ['then', 'else', 'a', 'b'].flatMap((branch) => {
      const list: unknown = (settings as Readonly<Record<string, unknown>>)[branch];
      return Array.isArray(list) ? [{ path: [name, branch], list: list as Flow }] : [];
    }),
  );
}

/** The texts of a step in which placeholders are filled in, each with its path within the step. */
export function textsOf(step: Step): readonly { readonly text: string; readonly at: Path }[] {
  if ('systemInstructions' in step) {
    const settings = step.systemInstructions;
    if (typeof settings === 'string') return [{ text: settings, at: ['systemInstructions'] }];
    return 'text' in settings ? [{ text: settings.text, at: ['systemInstructions', 'text'] }] : [];
  }
  if ('callModel' in step) {
    const { prompt } = step.callModel;
    return prompt === undefined ? [] : [{ text: prompt, at: ['callModel', 'prompt'] }];
  }
  if ('serveOutput' in step) return [{ text: step.serveOutput.text ?? '', at: ['serveOutput', 'text'] }];
  if ('stop' in step) return [{ text: step.stop.text ?? '', at: ['stop', 'text'] }];
  return [];
}

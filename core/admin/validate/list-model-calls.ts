// Lists the model calls of a flow with what each attempt reserves at least, for judging limits before anything runs.

import { renderTemplate, type TemplateValues } from '../../flow/template.ts';
import { mostTokens } from '../../flow/usage.ts';
import type { TokenUsage } from '../../ports/providers.ts';
import type { CallModel, Flow } from '../../settings/flow-schema.ts';
import { findPaths } from '../find-paths.ts';

/** One model that a step may ask; the path begins at the flow and leads to what names the model. */
export interface CallTarget {
  readonly path: readonly (string | number)[];
  readonly provider: string;
  readonly model: string;
}

/** One `callModel` step: its own model first, then its fallbacks. */
export interface ListedCall {
  /** From the flow to the settings of the step, such as `[0, 'callModel']`. */
  readonly path: readonly (string | number)[];
  readonly targets: readonly CallTarget[];
  /** What an attempt reserves when every placeholder is empty and there are no instructions: no attempt reserves less. */
  readonly least: TokenUsage;
}

const NOTHING: TemplateValues = { input: '', output: '', username: '', 'execution.id': '', now: '' };

/** Every model call, those in branches included. */
export function listModelCalls(flow: Flow): readonly ListedCall[] {
  return findPaths(flow, ['**', 'callModel']).map(({ path, value }) => {
    const { provider, model, fallbacks, prompt, maxTokens } = value as CallModel;
    return {
      path,
      targets: [
        { path, provider, model },
        ...fallbacks.map((one, index) => ({ path: [...path, 'fallbacks', index], ...one })),
      ],
      least: mostTokens({ system: undefined, prompt: renderTemplate(prompt, NOTHING), maxTokens }),
    };
  });
}

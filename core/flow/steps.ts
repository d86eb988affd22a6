// The steps that are built, by name. A step that is not here ends a run as `configuration`.
import { runCallModel } from './call-model.ts';
import { runIfInputContains, runIfOutputContains } from './contains.ts';
import { runRandomizedSplit } from './randomized-split.ts';
import { runServeOutput } from './serve-output.ts';
import type { RunStep, SettingsOf, StepName } from './step.ts';
import { runStop } from './stop.ts';
import { runSystemInstructions } from './system-instructions.ts';

/** Steps by name; one that is missing is not built. */
export type StepTable = { readonly [Name in StepName]?: RunStep<SettingsOf<Name>> };

export const STEPS: StepTable = {
  systemInstructions: runSystemInstructions,
  callModel: runCallModel,
  ifInputContains: runIfInputContains,
  ifOutputContains: runIfOutputContains,
  randomizedSplit: runRandomizedSplit,
  serveOutput: runServeOutput,
  stop: runStop,
};

// The steps of a flow by name, and the small ones themselves. A step that is not in the table ends a run as `configuration`.
import { lazy } from '../async/lazy.ts';
import { ServiceError } from '../contract/service-error.ts';
import type { RandomizedSplit } from '../settings/flow-schema.ts';
import { BUCKETS } from '../text/subject-bucket.ts';
import { runCallModel } from './call-model.ts';
import { runIfInputContains, runIfOutputContains } from './contains.ts';
import { inspectText } from './guards/inspect-outcome.ts';
import {
  type FlowCaller,
  type RunStep,
  type SettingsOf,
  type StepContext,
  type StepName,
  type StepOutcome,
  servedOutput,
} from './step.ts';
import { branchAt, isSticky, stickyBranchOf } from './sticky-branch.ts';
import { rejectBeyondLimit, renderTemplate } from './template.ts';

/** Most flows make no vectors, and every cold start would load the step. */
const loadEmbed = lazy(() => import('./embeddings/embed.ts'));

/** Separates appended system texts. */
const PARAGRAPH = '\n\n';

/** Sets or extends the system text of later model calls. Placeholders are filled in now, so that `{{output}}` is from earlier calls. */
const runSystemInstructions: RunStep<SettingsOf<'systemInstructions'>> = (settings, context) => {
  const input = typeof settings === 'string' ? { text: settings, append: false } : settings;
  if (!('text' in input)) {
    throw new ServiceError('configuration', {
      reason: 'systemInstructions names a file that was not read in',
    });
  }
  const text = renderTemplate(input.text, context.values);
  const before = context.state.system;
  const system = input.append && before !== undefined ? before + PARAGRAPH + text : text;
  rejectBeyondLimit(system.length);
  return { state: { system }, trace: { output: text, decision: input.append ? 'append' : 'set' } };
};

/** Branches at random, for each request anew or for each subject once. */
const runRandomizedSplit: RunStep<RandomizedSplit> = (split, { caller, ports }) => {
  const branch = isSticky(split)
    ? stickyBranchOf(split, requireCaller(caller))
    : branchAt(split, Math.floor(ports.random.fraction() * BUCKETS));
  return { trace: { decision: branch }, next: split[branch] };
};

function requireCaller(caller: FlowCaller | undefined): FlowCaller {
  if (caller !== undefined) return caller;
  throw new ServiceError('configuration', { reason: 'a split by stickyBy needs a caller' });
}

/** Ends the run with the latest model output (empty without a model call) or with a text of its own. */
const runServeOutput: RunStep<SettingsOf<'serveOutput'>> = (settings, context) => {
  if (settings.text === undefined) {
    const end = servedOutput(context.state);
    return { trace: { output: context.state.output ?? '' }, end };
  }
  return endWith(renderTemplate(settings.text, context.values), false, context);
};

/** Ends the run early, with a text or without output. */
const runStop: RunStep<SettingsOf<'stop'>> = (settings, context) => {
  if (settings.text === undefined)
    return { trace: {}, end: { kind: 'done', output: undefined, stopped: true } };
  return endWith(renderTemplate(settings.text, context.values), true, context);
};

/** Placeholders may hold what no guard has looked at on its way in. */
async function endWith(text: string, stopped: boolean, { ports }: StepContext): Promise<StepOutcome> {
  const { output, isBlocked } = await inspectText(text, ports.guards);
  const trace = output === undefined ? {} : { output };
  return { trace, end: { kind: 'done', output, stopped: stopped || isBlocked } };
}

export type StepTable = { readonly [Name in StepName]?: RunStep<SettingsOf<Name>> };

export const STEPS: StepTable = {
  systemInstructions: runSystemInstructions,
  callModel: runCallModel,
  embed: async (settings, context) => (await loadEmbed()).runEmbed(settings, context),
  ifInputContains: runIfInputContains,
  ifOutputContains: runIfOutputContains,
  randomizedSplit: runRandomizedSplit,
  serveOutput: runServeOutput,
  stop: runStop,
};

// The least that the first attempt of any run of a flow reserves: known before a body is read.
import type { Spending } from '../limits/budget.ts';
import type { TokenUsage } from '../ports/providers.ts';
import { primaryTargets } from '../settings/call-targets.ts';
import { type CallModel, type Flow, type Step, takesMaxTokens } from '../settings/flow-schema.ts';
import type { FlowPorts } from './step.ts';
import { TOKENS_PER_MESSAGE } from './usage-totals.ts';

/** A model call that a run may make first, with the tokens that its first attempt reserves at least. */
interface FirstCall {
  readonly provider: string;
  readonly model: string;
  readonly least: TokenUsage;
}

/** All paths through a list of steps, each up to its first model call. */
interface Paths {
  readonly calls: readonly FirstCall[];
  /** Some path ends the run without a model call. */
  readonly mayEnd: boolean;
  /** Some path reaches the end of the list without a model call. */
  readonly mayGoOn: boolean;
}

// By the parsed flow, which lives as long as its version is kept in memory.
const known = new WeakMap<Flow, Paths>();

/**
 * No run's `estimateFirstAttempt` is below it, whatever the body and the random numbers are. Undefined where a run may reserve nothing;
 * its cost is null where a model has no price.
 */
export function leastFirstAttempt(flow: Flow, costOf: FlowPorts['costOf']): Spending | undefined {
  const { calls, mayEnd, mayGoOn } = known.get(flow) ?? findPaths(flow);
  known.set(flow, { calls, mayEnd, mayGoOn });
  if (mayEnd || mayGoOn) return undefined;
  const costs = calls.flatMap(({ provider, model, least }) => costOf(provider, model, least) ?? []);
  return {
    tokens: Math.min(...calls.map(({ least }) => least.input + least.output)),
    costMicrodollars: costs.length < calls.length ? null : Math.min(...costs),
  };
}

function findPaths(steps: Flow): Paths {
  const calls: FirstCall[] = [];
  let mayEnd = false;
  for (const step of steps) {
    if ('callModel' in step)
      return { calls: [...calls, ...toFirstCalls(step.callModel)], mayEnd, mayGoOn: false };
    if ('systemInstructions' in step) continue;
    const branches = branchesOf(step)?.map(findPaths);
    // The run ends here, or the step is one that nobody knows.
    if (branches === undefined) return { calls, mayEnd: true, mayGoOn: false };
    calls.push(...branches.flatMap((branch) => branch.calls));
    mayEnd ||= branches.some((branch) => branch.mayEnd);
    if (!branches.some(({ mayGoOn }) => mayGoOn)) return { calls, mayEnd, mayGoOn: false };
  }
  return { calls, mayEnd, mayGoOn: true };
}

/** The lists of which a step runs one: conditions and chance may take either. Undefined for a step without branches. */
function branchesOf(step: Step): readonly Flow[] | undefined {
  if ('randomizedSplit' in step) return [step.randomizedSplit.a ?? [], step.randomizedSplit.b ?? []];
  if ('ifInputContains' in step) return [step.ifInputContains.then ?? [], step.ifInputContains.else ?? []];
  if ('ifOutputContains' in step) return [step.ifOutputContains.then ?? [], step.ifOutputContains.else ?? []];
  return undefined;
}

/** Chance may take any target. One message of no bytes. A caller may lower `maxTokens` where the step lets it. */
function toFirstCalls(call: CallModel): readonly FirstCall[] {
  const output = takesMaxTokens(call) ? 1 : call.maxTokens;
  const least = { input: TOKENS_PER_MESSAGE, output };
  return primaryTargets(call).map(({ provider, model }) => ({ provider, model, least }));
}

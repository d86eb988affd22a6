// Decides from a flow, before it runs, whether its text may be sent while the model writes it.
import type { CallModel, Flow, Step } from '../settings/flow-schema.ts';

/** `live`: text is sent as the model writes it. `whole`: it is sent at once, when the run has ended. */
export type StreamMode = 'live' | 'whole';

/** The effect of a list of steps on the output before it, over all branches. */
interface Effect {
  /** The output is served as it is. */
  readonly keeps: boolean;
  /** The output is never served. */
  readonly replaces: boolean;
}

/** The end of the list serves the output. */
const SERVES: Effect = { keeps: true, replaces: false };
const REPLACES: Effect = { keeps: false, replaces: true };

type Visit = (call: CallModel, after: Effect) => void;

// By the parsed flow, which lives as long as its version is kept in memory.
const known = new WeakMap<Flow, StreamMode>();

/**
 * `whole` when a later step could change, stop or replace a text that may still be served, and when an answer must fit the step's own
 * schema, since one that does not fit is requested again.
 */
export function streamModeOf(flow: Flow): StreamMode {
  const before = known.get(flow);
  if (before !== undefined) return before;
  let mode: StreamMode = 'live';
  findEffect(flow, SERVES, (call, after) => {
    if (!after.replaces && !isLive(call, after)) mode = 'whole';
  });
  known.set(flow, mode);
  return mode;
}

/** True for a call whose text is served unchanged, whatever later steps decide. */
export function servesText(call: CallModel, rest: readonly Step[]): boolean {
  return isLive(
    call,
    findEffect(rest, SERVES, () => undefined),
  );
}

function isLive({ outputSchema }: CallModel, after: Effect): boolean {
  return after.keeps && outputSchema === undefined;
}

/** From the last step to the first, so that each one knows the effect of those after it. */
function findEffect(steps: readonly Step[], end: Effect, visit: Visit): Effect {
  return steps.reduceRight((after, step) => findStepEffect(step, after, visit), end);
}

function findStepEffect(step: Step, after: Effect, visit: Visit): Effect {
  if ('callModel' in step) {
    visit(step.callModel, after);
    return REPLACES;
  }
  if ('stop' in step || 'embed' in step) return REPLACES;
  if ('serveOutput' in step) return step.serveOutput.text === undefined ? SERVES : REPLACES;
  if ('systemInstructions' in step) return after;
  const effects = branchesOf(step).map((branch) => findEffect(branch ?? [], after, visit));
  return {
    keeps: effects.every(({ keeps }) => keeps),
    replaces: effects.every(({ replaces }) => replaces),
  };
}

type Branching = Extract<
  Step,
  { ifInputContains: unknown } | { ifOutputContains: unknown } | { randomizedSplit: unknown }
>;

function branchesOf(step: Branching): readonly (readonly Step[] | undefined)[] {
  if ('randomizedSplit' in step) return [step.randomizedSplit.a, step.randomizedSplit.b];
  const condition = 'ifInputContains' in step ? step.ifInputContains : step.ifOutputContains;
  return [condition.then, condition.else];
}

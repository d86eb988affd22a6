// Whether a flow's text may leave while the model writes it: decided from the flow alone, before it runs.
import type { CallModel, Flow, Step } from '../settings/flow-schema.ts';

/** `live`: text leaves as the model writes it. `whole`: it leaves at once, when it is known to be what is served. */
export type StreamMode = 'live' | 'whole';

/** What running a list of steps does to the output that it begins with, on every way through it. */
interface Effect {
  /** The output is served as it is. */
  readonly keeps: boolean;
  /** The output is never served. */
  readonly replaces: boolean;
}

/** Of the end of the list, which serves the output. */
const SERVES: Effect = { keeps: true, replaces: false };
const REPLACES: Effect = { keeps: false, replaces: true };

type Visit = (call: CallModel, after: Effect) => void;

// By the parsed flow, which lives as long as its version is kept in memory.
const known = new WeakMap<Flow, StreamMode>();

/**
 * `whole` where a later step could change, stop or replace a text that may still be served, and where an answer has to fit the step's
 * own schema, since one that does not is asked for again.
 */
export function streamModeOf(flow: Flow): StreamMode {
  const before = known.get(flow);
  if (before !== undefined) return before;
  let mode: StreamMode = 'live';
  effectOf(flow, SERVES, (call, after) => {
    if (!after.replaces && !isLive(call, after)) mode = 'whole';
  });
  known.set(flow, mode);
  return mode;
}

/** True for a call whose text is served as it is, whatever the steps after it decide. */
export function servesText(call: CallModel, rest: readonly Step[]): boolean {
  return isLive(
    call,
    effectOf(rest, SERVES, () => undefined),
  );
}

function isLive({ outputSchema }: CallModel, after: Effect): boolean {
  return after.keeps && outputSchema === undefined;
}

/** From the last step to the first, so that each one knows what comes after it. */
function effectOf(steps: readonly Step[], end: Effect, visit: Visit): Effect {
  return steps.reduceRight((after, step) => effectOfStep(step, after, visit), end);
}

function effectOfStep(step: Step, after: Effect, visit: Visit): Effect {
  if ('callModel' in step) {
    visit(step.callModel, after);
    return REPLACES;
  }
  if ('stop' in step) return REPLACES;
  if ('serveOutput' in step) return step.serveOutput.text === undefined ? SERVES : REPLACES;
  if ('systemInstructions' in step) return after;
  const effects = branchesOf(step).map((branch) => effectOf(branch ?? [], after, visit));
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

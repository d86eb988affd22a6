// What of a flow decides on caching its answers.
import type { Flow, Step } from '../settings/flow-schema.ts';
import { placeholdersOf } from '../settings/placeholders.ts';
import { textsOf, walkFlow } from '../settings/walk-flow.ts';

/** The traits of one flow. */
export interface FlowTraits {
  /** It says `{{now}}` or `{{execution.id}}`: every run is another. Or it is nested too deep to be looked through: it might say so. */
  readonly changes: boolean;
  /** It says `{{username}}`: every user's answer is another. */
  readonly personal: boolean;
  /** The names of the providers that it may call, each once, in the order of the flow. */
  readonly providers: readonly string[];
}

/** Placeholders with another value in every run. */
export const CHANGING: ReadonlySet<string> = new Set(['now', 'execution.id']);

// By the parsed flow, which lives as long as its version is kept in memory.
const known = new WeakMap<Flow, FlowTraits>();

/** The traits; found once for each flow. */
export function traitsOf(flow: Flow): FlowTraits {
  const traits = known.get(flow) ?? findTraits(flow);
  known.set(flow, traits);
  return traits;
}

function findTraits(flow: Flow): FlowTraits {
  const placed = [...walkFlow(flow)];
  const steps = placed.flatMap(({ step }) => step ?? []);
  const placeholders = new Set(
    steps.flatMap((step) => textsOf(step).flatMap(({ text }) => placeholdersOf(text))),
  );
  return {
    changes: steps.length < placed.length || [...placeholders].some((name) => CHANGING.has(name)),
    personal: placeholders.has('username'),
    providers: [...new Set(steps.flatMap(providersOf))],
  };
}

function providersOf(step: Step): string[] {
  if (!('callModel' in step)) return [];
  const { provider, fallbacks } = step.callModel;
  return [provider, ...fallbacks.map((fallback) => fallback.provider)];
}

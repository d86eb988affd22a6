// The traits of a flow that decide on caching its answers.
import { allTargets } from '../settings/call-targets.ts';
import type { Flow, Step } from '../settings/flow-schema.ts';
import { placeholdersOf } from '../settings/placeholders.ts';
import { textsOf, walkFlow } from '../settings/walk-flow.ts';

export interface FlowTraits {
  /** It contains `{{now}}` or `{{execution.id}}`, which differ in every run; or it is nested too deep to be searched for them. */
  readonly changes: boolean;
  /** It contains `{{username}}`, so that answers differ between users. */
  readonly personal: boolean;
  /** The names of the providers that it may call, each once, in the order of the flow. */
  readonly providers: readonly string[];
}

/** Placeholders that differ in every run. */
export const CHANGING: ReadonlySet<string> = new Set(['now', 'execution.id']);

// By the parsed flow, which lives as long as its version is kept in memory.
const known = new WeakMap<Flow, FlowTraits>();

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
  if ('embed' in step) return [step.embed, ...step.embed.fallbacks].map(({ provider }) => provider);
  if (!('callModel' in step)) return [];
  return allTargets(step.callModel).map(({ provider }) => provider);
}

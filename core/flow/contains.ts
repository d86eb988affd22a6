// The steps `ifInputContains` and `ifOutputContains`, which branch on patterns in a text.

import { lazy } from '../async/lazy.ts';
import { ServiceError } from '../contract/service-error.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { Condition, Flow, InputCondition } from '../settings/flow-schema.ts';
import { walkFlow } from '../settings/walk-flow.ts';
import type { Deadline } from '../time/deadline.ts';
import { textsOfInput } from './condition-texts.ts';
import type { Matches } from './pattern.ts';
import type { RunStep, StepContext, StepOutcome } from './step.ts';
import { TimedText } from './timed-text.ts';

/** Maximum length of a text, in UTF-16 units. Checking only a part would let the rest pass. */
const MAX_MATCHED_LENGTH = 1_000_000;

/** The engine would be a third of the code loaded at start, and most flows have no condition. */
const loadPatterns = lazy(() => import('./pattern.ts'));

/** Matched patterns in the trace. */
const MAX_TRACED = 10;
const MAX_TRACED_LENGTH = 100;

/** Branches on the caller's input: the whole conversation, or the last message of the user. */
export const runIfInputContains: RunStep<InputCondition> = (settings, context) =>
  branch(settings, textsOfInput(context.conversation, settings.in), context);

/** Branches on the latest model output; before the first one it is empty. */
export const runIfOutputContains: RunStep<Condition> = (settings, context) =>
  branch(settings, [context.state.output ?? ''], context);

async function branch(
  settings: Condition,
  texts: readonly string[],
  { deadline }: StepContext,
): Promise<StepOutcome> {
  if (texts.some(({ length }) => length > MAX_MATCHED_LENGTH)) {
    throw new ServiceError('input_too_large', {
      reason: `a condition looks at most at ${MAX_MATCHED_LENGTH} characters`,
    });
  }
  const patterns = await patternsOf(settings);
  const matched = patterns.filter(createCheck(texts, deadline)).map(({ pattern }) => pattern);
  const holds = matched.length > 0;
  return {
    trace: { decision: holds ? 'then' : 'else', ...(holds ? { matched: toTraced(matched) } : {}) },
    next: holds ? settings.then : settings.else,
  };
}

/**
 * The outcomes of a flow's conditions on the input, without running it: one character for each `ifInputContains`, in the order in which
 * they are written, also those that a run would not reach; `1` where it matches. Throws `ServiceError` like the step itself.
 */
export async function inputOutcomes(
  flow: Flow,
  conversation: Conversation,
  deadline: Deadline,
): Promise<string> {
  const conditions = [...walkFlow(flow)].flatMap(({ step }) =>
    step !== undefined && 'ifInputContains' in step ? [step.ifInputContains] : [],
  );
  let outcomes = '';
  for (const condition of conditions) {
    const patterns = await patternsOf(condition);
    const texts = textsOfInput(conversation, condition.in);
    outcomes += patterns.some(createCheck(texts, deadline)) ? '1' : '0';
  }
  return outcomes;
}

/** Throws `ServiceError` `deadline_exceeded` between two patterns, and within one, when the deadline has passed. */
function createCheck(texts: readonly string[], deadline: Deadline): (pattern: CompiledPattern) => boolean {
  const checkTime = (): void => {
    if (deadline.remainingMs() === 0) throw new ServiceError('deadline_exceeded');
  };
  const timed = texts.map((text) => new TimedText(text, checkTime));
  return ({ matches }) =>
    timed.some((text) => {
      checkTime();
      return matches(text);
    });
}

interface CompiledPattern {
  readonly pattern: string;
  readonly matches: Matches;
}

// By the parsed step, which lives as long as its version is kept in memory.
const compiled = new WeakMap<Condition, readonly CompiledPattern[]>();

async function patternsOf(settings: Condition): Promise<readonly CompiledPattern[]> {
  const known = compiled.get(settings);
  if (known !== undefined) return known;
  const engine = await loadPatterns();
  const patterns = settings.any.map((pattern) => ({
    pattern,
    matches: compileStored(pattern, settings, engine),
  }));
  compiled.set(settings, patterns);
  return patterns;
}

/** `apply` rejects patterns that do not compile; only a store that was edited by hand has one. */
function compileStored(
  pattern: string,
  settings: Condition,
  { compilePattern, PatternError }: typeof import('./pattern.ts'),
): Matches {
  try {
    return compilePattern(pattern, settings);
  } catch (cause) {
    if (!(cause instanceof PatternError)) throw cause;
    throw new ServiceError('configuration', { reason: `a pattern of a condition ${cause.message}`, cause });
  }
}

function toTraced(matched: readonly string[]): string[] {
  const listed = matched.slice(0, MAX_TRACED).map((pattern) => pattern.slice(0, MAX_TRACED_LENGTH));
  const left = matched.length - listed.length;
  return left === 0 ? listed : [...listed, `and ${left} more`];
}

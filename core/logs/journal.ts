// Decides which entries a request writes: its own, unless a flood is being counted, and the counts that have become due.
import type { ErrorCode } from '../contract/error-codes.ts';
import { type EntryFacts, outcomeOf } from './build-entry.ts';
import { createRejectionBudget, type RejectionBudget } from './refusal-budget.ts';

/** One per execution environment. */
export interface Journal {
  /** The entries to write now, each with the facts it is made of. */
  record(facts: EntryFacts): readonly EntryFacts[];
  /** The counts that have become due, for a request that writes no entry itself. */
  due(timeMs: number): readonly EntryFacts[];
}

/** Answers of requests that may have begun to run. Any other error without a run ended the request before it, which callers can cause at will. */
const MAY_HAVE_RUN: ReadonlySet<ErrorCode> = new Set([
  'internal',
  'deadline_exceeded',
  'upstream_unavailable',
]);

/** A journal over the refusal budget of this environment. */
export function createJournal(budget: RejectionBudget<EntryFacts> = createRejectionBudget()): Journal {
  const due = (timeMs: number) => budget.drain(timeMs).map(({ last, count }) => ({ ...last, count }));
  return {
    due,
    record(facts) {
      const counts = due(facts.timeMs);
      if (!isCounted(facts)) return [...counts, facts];
      // Whoever is refused must not fill the log with text; and a text kept here could come out under another neuron's settings.
      const counted = { ...facts, input: undefined };
      // Failures have a budget of their own, and replays have: a flood of refusals must not hide them.
      const subject = `${facts.subject.neuronId} ${outcomeOf(facts.code, false)}`;
      const verdict = budget.admit(subject, facts.timeMs, counted, facts.code ?? 'replay');
      return verdict === 'counted' ? counts : [...counts, counted];
    },
  };
}

/** A run that was refused on its way has used tokens: it is never one of many. */
function isCounted({ code, run, input, replay }: EntryFacts): boolean {
  // No limit counts them, so that callers can cause them at will.
  if (replay !== undefined) return true;
  if (code === undefined || run !== undefined) return false;
  // Without an input, the body had not even been read.
  return input === undefined || !MAY_HAVE_RUN.has(code);
}

// Decides which entries a request writes: its own, unless a flood is being counted, and the counts that are due.
import type { ErrorCode } from '../contract/error-codes.ts';
import { type EntryFacts, outcomeOf } from './build-entry.ts';
import { createRejectionBudget, type RejectionBudget } from './rejection-budget.ts';

/** A count that waited longer for the next request has the time of that. */
const MAX_WAIT_MS = 30 * 60_000;

/** One per execution environment. */
export interface Journal {
  /** The facts of the entries to write now. */
  record(facts: EntryFacts): readonly EntryFacts[];
  /** The counts that are due, for a request without an entry. */
  due(timeMs: number): readonly EntryFacts[];
}

/** Errors of requests that may have begun to run. Callers can cause every other error without a run at will. */
const MAY_HAVE_RUN: ReadonlySet<ErrorCode> = new Set([
  'internal',
  'deadline_exceeded',
  'upstream_unavailable',
]);

export function createJournal(budget: RejectionBudget<EntryFacts> = createRejectionBudget()): Journal {
  const due = (timeMs: number) =>
    budget.drain(timeMs).map(({ last, count }) => ({
      ...last,
      count,
      // An entry that is put long after its time is a sign of tampering, and AWS may freeze an environment for hours.
      timeMs: timeMs - last.timeMs > MAX_WAIT_MS ? timeMs : last.timeMs,
    }));
  return {
    due,
    record(facts) {
      const counts = due(facts.timeMs);
      if (!isCounted(facts)) return [...counts, facts];
      // Rejected requests must not fill the log with text, and a text kept here could be written under another neuron's settings.
      const counted = { ...facts, input: undefined };
      // Failures, replays and lists of models have budgets of their own: a flood of one must not hide the others.
      const kind = facts.code ?? (facts.replay === undefined ? 'models' : 'replay');
      const group =
        facts.code === undefined && facts.replay === undefined ? kind : outcomeOf(facts.code, false);
      // One count for each side of a rollout: the last request names it.
      const sided = `${kind} ${facts.side?.rollout.arm ?? ''}`;
      const verdict = budget.admit(`${facts.subject.neuronId} ${group}`, facts.timeMs, counted, sided);
      return verdict === 'counted' ? counts : [...counts, counted];
    },
  };
}

/** True for requests that a flood is made of. A run that was rejected on its way has used tokens and is never counted in one. */
function isCounted({ code, run, input, replay }: EntryFacts): boolean {
  // No limit counts replays, so that callers can cause them at will.
  if (replay !== undefined) return true;
  if (run !== undefined) return false;
  // Nor the list of models, which runs nothing.
  if (code === undefined) return true;
  // Without an input, not even the body was read.
  return input === undefined || !MAY_HAVE_RUN.has(code);
}

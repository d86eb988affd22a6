// Decides which entries a request writes: its own, unless a flood is being counted, and the counts that have become due.
import { type ErrorCode, statusOf } from '../contract/error-codes.ts';
import type { EntryFacts } from './build-entry.ts';
import { createRefusalBudget, type RefusalBudget } from './refusal-budget.ts';

/** One per execution environment. */
export interface Journal {
  /** The entries to write now, each with the facts it is made of. */
  record(facts: EntryFacts): readonly EntryFacts[];
}

/** Statuses that a caller can cause at will and at no cost. */
const COUNTED_STATUSES: readonly number[] = [401, 403, 429];

/** A journal over the refusal budget of this environment. */
export function createJournal(budget: RefusalBudget<EntryFacts> = createRefusalBudget()): Journal {
  return {
    record(facts) {
      const due = budget.drain(facts.timeMs).map(({ last, count }) => ({ ...last, count }));
      return isCounted(facts.code) && budget.admit(facts.subject.neuronId, facts.timeMs, facts) === 'counted'
        ? due
        : [...due, facts];
    },
  };
}

function isCounted(code: ErrorCode | undefined): boolean {
  return code !== undefined && COUNTED_STATUSES.includes(statusOf(code));
}

// Decides which entries a request writes: its own, unless a flood is being counted, and the counts that have become due.
import { statusOf } from '../contract/error-codes.ts';
import type { EntryFacts } from './build-entry.ts';
import { createRefusalBudget, type RefusalBudget } from './refusal-budget.ts';

/** One per execution environment. */
export interface Journal {
  /** The entries to write now, each with the facts it is made of. */
  record(facts: EntryFacts): readonly EntryFacts[];
  /** The counts that have become due, for a request that writes no entry itself. */
  due(timeMs: number): readonly EntryFacts[];
}

/** Statuses that a caller can cause at will and at no cost. */
const COUNTED_STATUSES: readonly number[] = [401, 403, 429];

/** A journal over the refusal budget of this environment. */
export function createJournal(budget: RefusalBudget<EntryFacts> = createRefusalBudget()): Journal {
  const due = (timeMs: number) => budget.drain(timeMs).map(({ last, count }) => ({ ...last, count }));
  return {
    due,
    record(facts) {
      const counts = due(facts.timeMs);
      if (!isCounted(facts)) return [...counts, facts];
      // One entry for many has the text of none; and a text kept here could come out under another neuron's settings.
      const counted = { ...facts, input: undefined };
      const verdict = budget.admit(facts.subject.neuronId, facts.timeMs, counted);
      return verdict === 'counted' ? counts : [...counts, facts];
    },
  };
}

/** A run that was refused on its way has used tokens: it is never one of many. */
function isCounted({ code, run }: EntryFacts): boolean {
  return code !== undefined && run === undefined && COUNTED_STATUSES.includes(statusOf(code));
}

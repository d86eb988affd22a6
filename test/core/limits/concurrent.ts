// Runs that begin and end, for tests of runs at once.
import { budgetOf, type ContextParts, limited, NOW, type SpiedCounters } from './limited.ts';

/** A run that is admitted at this time; it may take a minute. */
export async function start(
  counters: SpiedCounters,
  request: Parameters<typeof limited>[0],
  timeMs = NOW,
  context: ContextParts = {},
) {
  const budget = budgetOf(limited({ timeMs, runEndsAtMs: timeMs + 60_000, ...request }), counters, context);
  await budget.admit(undefined);
  return budget;
}

export async function end(counters: SpiedCounters, budget: Awaited<ReturnType<typeof start>>): Promise<void> {
  for (const settlement of budget.close()) await counters.settle(settlement);
}

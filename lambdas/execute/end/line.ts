// Writes the log line that an entry can be restored from, before the last byte of the answer leaves.
import { toServiceError } from '../../../core/contract/service-error.ts';
import type { Budget } from '../../../core/limits/budget.ts';
import { buildEntry, type EntryFacts } from '../../../core/logs/build-entry.ts';
import { type LineLimits, renderLine } from '../../../core/logs/line.ts';
import type { Settlement } from '../../../core/ports/counters.ts';
import type { ExecutionPorts, Outcome, Run } from '../run.ts';
import { toFacts } from '../steps/facts.ts';

/** Errors of requests for a neuron that does not exist, by its own URL or by a name. */
const UNKNOWN_NEURON: ReadonlySet<string | undefined> = new Set(['not_found', 'model_not_found']);

/** Requests for something else than a run. */
const REASONS: Readonly<Partial<Record<Outcome['kind'], string>>> = {
  models: 'the list of models',
  count: 'a count of tokens',
  feedback: 'feedback',
};

type LinePorts = Pick<ExecutionPorts, 'stage' | 'clock' | 'lines' | 'journal' | 'unknownNeurons'>;

interface RecordedRequest {
  readonly outcome: Outcome;
  /** To be put after the answer. */
  readonly entries: readonly EntryFacts[];
}

/** Never throws. A run whose line cannot be written ends with an error; every other answer leaves all the same. */
export function recordLine(
  run: Readonly<Run>,
  outcome: Outcome,
  settlements: readonly Settlement[],
  ports: LinePorts,
): RecordedRequest {
  let entries: readonly EntryFacts[] = [];
  try {
    entries = toEntries(run, outcome, settlements, ports);
    for (const entry of entries) writeLine(entry, ports);
    return { outcome, entries };
  } catch (thrown) {
    // Standard output is gone. The entry is still put after the answer.
    if (outcome.kind !== 'run') return { outcome, entries };
    const failed = recordLine(run, { kind: 'error', error: toServiceError(thrown) }, settlements, ports);
    // The journal gives a count once.
    const counts = entries.filter(({ executionId }) => executionId !== run.request.executionId);
    return { ...failed, entries: [...counts, ...failed.entries] };
  }
}

/** None for a neuron that does not exist, and for most of many errors alike. */
function toEntries(
  run: Readonly<Run>,
  outcome: Outcome,
  settlements: readonly Settlement[],
  { stage, clock, lines, journal, unknownNeurons }: LinePorts,
): readonly EntryFacts[] {
  const error = outcome.kind === 'error' ? outcome.error : undefined;
  const { executionId, timeMs } = run.request;
  const facts = toFacts(run, clock.monotonicMs(), error, settlements.length);
  if (facts === undefined) {
    if (UNKNOWN_NEURON.has(error?.code)) unknownNeurons.count(executionId, timeMs, { stage, lines });
    return [];
  }
  unknownNeurons.report(timeMs, { stage, lines });
  const original = outcome.kind === 'replay' ? outcome.original : {};
  const reason = REASONS[outcome.kind];
  const listed = reason === undefined ? {} : { reason, ...(outcome.kind === 'feedback' && { status: 201 }) };
  const limits = run.budget && toLineLimits(run.budget, settlements);
  return journal.record({ ...facts, ...listed, ...original, limits });
}

/** Undefined for most requests: their line stays as short as their limits are few. The place of a run is no amount: its lease ends by itself. */
function toLineLimits(budget: Budget, settlements: readonly Settlement[]): LineLimits | undefined {
  const amounts = settlements.filter(({ lease, ended }) => lease === undefined && ended === undefined);
  const limits = { settle: amounts, ...budget.incidents() };
  const isQuiet = limits.reservationsExceeded === 0 && limits.countersUnavailable === 0;
  return isQuiet && limits.settle.length === 0 ? undefined : limits;
}

function writeLine(facts: EntryFacts, { stage, lines }: Pick<LinePorts, 'stage' | 'lines'>): void {
  const entry = buildEntry(facts, () => undefined);
  lines.write(renderLine(entry, { stage, limits: facts.limits }));
}

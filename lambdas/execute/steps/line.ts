// The two lines of a request. Before each attempt of a model call one stands for its run: whatever ends the function afterwards, what may
// have been paid is in it. At its end one takes its place, before the last byte of the answer leaves. `neuron logs restore`
// (cli/logs/restore) makes an entry that was lost of the second, and without a second of the first.
import type { LoggedModelCall } from '../../../core/contract/log-entry.ts';
import { ServiceError, toServiceError } from '../../../core/contract/service-error.ts';
import { pathsOfOmissions } from '../../../core/flow/request/member-paths.ts';
import type { Budget } from '../../../core/limits/budget.ts';
import { buildEntry, type EntryFacts } from '../../../core/logs/build-entry.ts';
import { type LineLimits, renderLine, renderOpenLine } from '../../../core/logs/line.ts';
import type { Settlement } from '../../../core/ports/counters.ts';
import type { AdmittedCall, ExecutionPorts, Outcome, Run } from '../run.ts';
import { toFacts } from './facts.ts';

type AttemptPorts = Pick<ExecutionPorts, 'clock' | 'lines'>;

/**
 * The same call; each of its attempts, embeddings included, is on the record and in a line before the model is asked. A run that goes on
 * after its request has ended is in no log any more: it calls no further model.
 */
export function recordAttempts(run: Run, call: AdmittedCall, ports: AttemptPorts): AdmittedCall {
  const { flowPorts } = call;
  return {
    ...call,
    flowPorts: {
      ...flowPorts,
      leaveOut: (omissions, ofCaller) => call.leftOut.add(pathsOfOmissions(omissions, ofCaller)),
      onAttempt(attempt: LoggedModelCall) {
        rejectEnded(run);
        run.attempts.push(attempt);
        writeOpenLine(run, ports);
      },
    },
  };
}

/** 503 `deadline_exceeded` for a run that goes on after its request has ended. */
export function rejectEnded({ ended }: Readonly<Run>): void {
  if (ended !== undefined) throw new ServiceError('deadline_exceeded');
}

/** From a run's deadline to the end of its function, which is given that time for what follows (`lib/constructs/compute/timeouts.ts`). */
const MAX_END_MS = 30_000;

/** Why an entry stands for a run whose end nobody saw. */
const INTERRUPTED = 'interrupted: the function ended before its run did';

/**
 * Writes the line that stands for a run until it has ended: the entry that it has when the function is lost, with every attempt at the
 * most that it can have used. Throws where standard output is gone.
 */
export function writeOpenLine(run: Readonly<Run>, { clock, lines }: AttemptPorts): void {
  const nowMs = clock.monotonicMs();
  const facts = toFacts(run, nowMs, new ServiceError('internal', { reason: INTERRUPTED }));
  if (facts === undefined) return;
  const { request, startedMs, deadline } = run;
  const remainingMs = deadline?.remainingMs() ?? 0;
  const endsByMs = request.timeMs + (nowMs - startedMs) + remainingMs + MAX_END_MS;
  lines.write(
    renderOpenLine(
      buildEntry(facts, () => undefined),
      endsByMs,
    ),
  );
}

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

/** Undefined for most requests: their line stays as short as their limits are few. The place among runs at once is no amount: its lease ends by itself. */
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

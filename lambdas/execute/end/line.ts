// Writes the log line that an entry can be restored from, before the last byte of the answer leaves.
import { ServiceError, toServiceError } from '../../../core/contract/service-error.ts';
import { buildEntry, type EntryFacts } from '../../../core/logs/build-entry.ts';
import { renderLine, renderOpenLine } from '../../../core/logs/line.ts';
import type { Settlement } from '../../../core/ports/counters.ts';
import type { ExecutionPorts } from '../compose.ts';
import { modelCallsOf, type Outcome, type ReadyCall, type Run } from '../run.ts';
import { toFacts, toLineLimits } from './facts.ts';

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
    return recordLine(run, { kind: 'error', error: toServiceError(thrown) }, settlements, ports);
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
  const facts = toFacts(run, clock.monotonicMs(), error);
  if (facts === undefined) {
    if (error?.code === 'not_found') unknownNeurons.count(executionId, timeMs, { stage, lines });
    return [];
  }
  unknownNeurons.report(timeMs, { stage, lines });
  const original = outcome.kind === 'replay' ? outcome.original : {};
  const limits = run.budget && toLineLimits(run.budget, settlements);
  return journal.record({ ...facts, ...original, limits });
}

function writeLine(facts: EntryFacts, { stage, lines }: Pick<LinePorts, 'stage' | 'lines'>): void {
  const entry = buildEntry(facts, () => undefined);
  lines.write(renderLine(entry, { stage, limits: facts.limits }));
}

/** From a run's deadline to the end of its function: the function is given 15 s more than the deadline. */
const MAX_END_MS = 30_000;

/** Why an entry stands for a stream whose end nobody saw. */
const INTERRUPTED = 'interrupted: the function ended before its stream did';

/**
 * Writes the line that stands for a stream until it has ended: the entry that it has when the function is lost, with every attempt at
 * the most that it can have used. Throws where standard output is gone.
 */
export function writeOpenLine(
  call: ReadyCall,
  attempts: ReturnType<typeof modelCallsOf>,
  { clock, lines }: Pick<LinePorts, 'clock' | 'lines'>,
): void {
  const nowMs = clock.monotonicMs();
  const lost = new ServiceError('internal', { reason: INTERRUPTED });
  const facts = toFacts(call, nowMs, lost);
  if (facts === undefined) return;
  const { version, lookup } = call;
  const run = {
    version: version.id,
    cache: lookup.result,
    executionStopped: false,
    output: undefined,
    trace: [],
    modelCalls: [...modelCallsOf(call), ...attempts],
  };
  const entry = buildEntry({ ...facts, run }, () => undefined);
  const endsByMs = call.request.timeMs + (nowMs - call.startedMs) + call.deadline.remainingMs() + MAX_END_MS;
  lines.write(renderOpenLine(entry, endsByMs));
}

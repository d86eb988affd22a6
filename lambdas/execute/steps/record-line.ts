// Writes the log line that an entry can be restored from, before the last byte of the answer leaves.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ServiceError, toServiceError } from '../../../core/contract/service-error.ts';
import { buildEntry } from '../../../core/logs/build-entry.ts';
import type { Journal } from '../../../core/logs/journal.ts';
import { renderLine, renderOpenLine } from '../../../core/logs/line.ts';
import type { UnknownNeurons } from '../../../core/logs/unknown-neurons.ts';
import type { LineSink } from '../../../core/ports/platform.ts';
import type { Clock } from '../../../core/time/clock.ts';
import { keep, type Middleware, runSoFar } from '../bind.ts';
import { Answered, type LookedUpRun, modelCallsOf } from '../run.ts';
import { toFacts, toLineLimits } from './entry-facts.ts';

/** What writing the line needs. */
export interface RecordPorts {
  readonly stage: string;
  readonly clock: Clock;
  readonly lines: LineSink;
  readonly journal: Journal;
  readonly unknownNeurons: UnknownNeurons;
}

/** After a run a line that cannot be written fails the request; after an error the answer leaves all the same. */
export function recordLine(ports: RecordPorts): Middleware {
  return {
    after({ event }) {
      // A stream writes its line at its own end.
      if (runSoFar(event)?.streaming === undefined) recordRun(event, ports);
    },
    onError({ event, error }) {
      try {
        if (error instanceof Answered) recordRun(event, ports, undefined, error.repeats);
        else recordRun(event, ports, toServiceError(error));
      } catch {
        // Standard output is gone. The entry is still put after the answer.
      }
    },
  };
}

/** Writes the line of a run as it stands, and keeps its entry to be put after the answer. Throws where standard output is gone. */
export function recordRun(
  event: APIGatewayProxyEvent,
  { stage, clock, lines, journal, unknownNeurons }: RecordPorts,
  error?: ServiceError,
  repeats?: Answered['repeats'],
): void {
  const run = runSoFar(event);
  const facts = run === undefined ? undefined : toFacts(run, clock.monotonicMs(), error);
  if (run === undefined) return;
  const { executionId, timeMs } = run.request;
  if (facts === undefined) {
    if (error?.code === 'not_found') unknownNeurons.count(executionId, timeMs, { stage, lines });
    return;
  }
  unknownNeurons.report(timeMs, { stage, lines });
  const { budget } = run;
  const entries = journal.record({ ...facts, ...repeats, limits: budget && toLineLimits(budget) });
  keep(event, { ...run, entries });
  for (const entry of entries)
    lines.write(
      renderLine(
        buildEntry(entry, () => undefined),
        { stage, limits: entry.limits },
      ),
    );
}

/** From a run's deadline to the end of its function: the function is given 15 s more than the deadline. */
const MAX_END_MS = 30_000;

/** Why an entry stands for a stream whose end nobody saw. */
const INTERRUPTED = 'interrupted: the function ended before its stream did';

/**
 * Writes the line that stands for a stream until it has ended: the entry that it has when the function is lost, with every attempt at
 * the most that it can have used. Throws where standard output is gone.
 */
export function recordOpenStream(
  run: LookedUpRun,
  attempts: ReturnType<typeof modelCallsOf>,
  { clock, lines }: Pick<RecordPorts, 'clock' | 'lines'>,
): void {
  const nowMs = clock.monotonicMs();
  const lost = new ServiceError('internal', { reason: INTERRUPTED });
  const facts = toFacts(run, nowMs, lost);
  if (facts === undefined) return;
  const { version, lookup } = run;
  const begun = {
    version: version.id,
    cache: lookup.result,
    executionStopped: false,
    output: undefined,
    trace: [],
    modelCalls: [...modelCallsOf(run), ...attempts],
  };
  const entry = buildEntry({ ...facts, run: begun }, () => undefined);
  const endsByMs = run.request.timeMs + (nowMs - run.startedMs) + run.deadline.remainingMs() + MAX_END_MS;
  lines.write(renderOpenLine(entry, endsByMs));
}

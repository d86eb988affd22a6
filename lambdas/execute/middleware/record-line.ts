// Writes the line that stands for the log entry, before the last byte of the answer leaves.
import { toRefusal } from '../../../core/contract/refusal.ts';
import { buildEntry, type EntryFacts } from '../../../core/logs/build-entry.ts';
import type { Journal } from '../../../core/logs/journal.ts';
import { renderLine } from '../../../core/logs/line.ts';
import type { Clock, LineSink } from '../../../core/ports/platform.ts';
import type { Run } from '../run.ts';
import { maybeRunOf, runOf, type Step } from './record.ts';

/** What recording needs. */
export interface RecordPorts {
  readonly stage: string;
  readonly clock: Clock;
  readonly lines: LineSink;
  readonly journal: Journal;
}

/** After a run a line that cannot be written fails the request; after a refusal the answer leaves all the same. */
export function recordLine({ stage, clock, lines, journal }: RecordPorts): Step {
  const record = (run: Run, refusal?: ReturnType<typeof toRefusal>): void => {
    const facts = toFacts(run, clock.now(), refusal);
    if (facts === undefined) return;
    run.entries = journal.record(facts);
    for (const entry of run.entries)
      lines.write(
        renderLine(
          buildEntry(entry, () => undefined),
          { stage },
        ),
      );
  };
  return {
    after: (request) => record(runOf(request.event)),
    onError(request) {
      const run = maybeRunOf(request.event);
      try {
        if (run !== undefined) record(run, toRefusal(request.error));
      } catch {
        // Standard output is gone. The entry is still put after the answer.
      }
    },
  };
}

/** Nothing for a neuron that does not exist: such calls are in the access log only. */
function toFacts(
  run: Run,
  nowMs: number,
  refusal: ReturnType<typeof toRefusal> | undefined,
): EntryFacts | undefined {
  const { request, subject, admission, result, version } = run;
  if (subject === undefined) return undefined;
  return {
    executionId: request.executionId,
    timeMs: request.timeMs,
    subject,
    caller: {
      sourceIp: request.sourceIp,
      refererHost: request.refererHost,
      username: admission?.username,
      keyId: admission?.keyId,
      authentication: admission?.authentication,
    },
    code: refusal?.code,
    reason: refusal?.reason,
    latencyMs: nowMs - run.startedAtMs,
    input: run.invocation?.input,
    run:
      result === undefined || version === undefined
        ? undefined
        : {
            version: version.id,
            cache: 'off',
            executionStopped: result.kind === 'done' && result.stopped,
            output: result.kind === 'done' ? result.output : undefined,
            trace: result.trace,
            modelCalls: result.modelCalls,
          },
  };
}

// Records each attempt of a model call before the model is asked: whatever ends the function afterwards, a line is left of what was paid.
import type { LoggedModelCall } from '../../../core/contract/log-entry.ts';
import { ServiceError } from '../../../core/contract/service-error.ts';
import { pathsOfOmissions } from '../../../core/flow/request/member-paths.ts';
import { buildEntry } from '../../../core/logs/build-entry.ts';
import { renderOpenLine } from '../../../core/logs/line.ts';
import type { AdmittedCall, ExecutionPorts, Run } from '../run.ts';
import { toFacts } from './facts.ts';

type AttemptPorts = Pick<ExecutionPorts, 'clock' | 'lines'>;

/**
 * The same call; each of its attempts, embeddings included, is on the record and in a line before the model is asked. A run that goes on
 * after its request has ended is in no log any more, and its budget is closed: it reserves nothing and calls no further model.
 */
export function recordAttempts(run: Run, call: AdmittedCall, ports: AttemptPorts): AdmittedCall {
  const { flowPorts } = call;
  return {
    ...call,
    flowPorts: {
      ...flowPorts,
      async reserve(estimate) {
        rejectEnded(run);
        return flowPorts.reserve(estimate);
      },
      leaveOut: (omissions, ofCaller) => call.leftOut.add(pathsOfOmissions(omissions, ofCaller)),
      onAttempt(attempt: LoggedModelCall) {
        rejectEnded(run);
        run.attempts.push(attempt);
        writeOpenLine(run, ports);
      },
    },
  };
}

function rejectEnded({ ended }: Readonly<Run>): void {
  if (ended !== undefined) throw new ServiceError('deadline_exceeded');
}

/** From a run's deadline to the end of its function: the function is given 15 s more than the deadline. */
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

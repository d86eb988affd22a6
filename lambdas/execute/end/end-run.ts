// The one end of every request, whole, streamed, replayed, rejected or timed out: the work before its answer, and the work after.
import { once } from '../../../core/async/once.ts';
import { waitAtMost } from '../../../core/async/race.ts';
import { type ServiceError, toServiceError } from '../../../core/contract/service-error.ts';
import { surfaceOf } from '../../../core/surfaces/registry.ts';
import type { Answer } from '../../../core/surfaces/surface.ts';
import { endLease } from '../idempotency/index.ts';
import type { EndedRun, ExecutionPorts, Outcome, Run } from '../run.ts';
import { releaseFollowers } from '../steps/shared-answer.ts';
import { cacheAnswer, putEntries, recordUse, settle } from './finish.ts';
import { withLateFinds } from './late-finds.ts';
import { recordLine } from './line.ts';
import { repeatInShadow } from './shadow/index.ts';

/** Ends a request once: a second call, such as that of a run that comes late, gives what the first one came to. Never rejects. */
export function endRun(run: Run, outcome: Outcome, ports: ExecutionPorts): Promise<EndedRun> {
  // A copy: steps that go on after an early timeout change the record for nobody.
  run.ended ??= end({ ...run }, outcome, ports).catch((defect: unknown) => {
    // Even then the caller gets an answer, and a stream its last event.
    const error = toServiceError(defect);
    return { answer: () => renderError(error, run), error, finish: async () => undefined };
  });
  return run.ended;
}

async function end(run: Readonly<Run>, reached: Outcome, ports: ExecutionPorts): Promise<EndedRun> {
  const settlements = run.budget?.close() ?? [];
  const { outcome, entries } = recordLine(run, reached, settlements, ports);
  const error = outcome.kind === 'error' ? outcome.error : undefined;
  const answer = outcome.kind === 'error' ? () => renderError(outcome.error, run) : outcome.answer;
  const stored = (outcome.kind === 'run' && outcome.stored) || answer;
  await endLease(run, { answer: stored, error }, ports);
  releaseFollowers(run, ports);
  const ended: EndedRun = {
    answer,
    error,
    finish: once(async () => {
      run.deadline?.end();
      await settle(settlements, ports);
      await putEntries(await withLateFinds(run, entries, ports), run.settings, ports);
      await cacheAnswer(run, ports);
      await recordUse(run, ports);
      await repeatInShadow(run, outcome, ports);
    }),
  };
  return hidesNeuron(run, error) ? levelTime(ended, run, ports) : ended;
}

/** In the form of the request's surface. Cannot throw. */
function renderError({ code, retryAfterMs, detail, param }: ServiceError, run: Readonly<Run>): Answer {
  const { request, budget, invocation } = run;
  return surfaceOf(request.surface).renderError(code, {
    retryAfterMs,
    executionId: request.executionId,
    rateLimit: budget?.rateLimit(),
    invocation,
    unparsed: request.unparsed,
    text: detail,
    param,
  });
}

/** The answer leaves at a multiple of this time after its request. */
const STEP_MS = 50;

/** Max. time that it waits for the entry of a rejected call: for a name that nobody has there is none. */
const MAX_FINISH_MS = 300;

/** True for an answer behind which there may be a neuron that its caller must not know of. */
export function hidesNeuron({ request }: Pick<Run, 'request'>, error: ServiceError | undefined): boolean {
  return request.ofOrganization !== undefined && error?.code === 'model_not_found';
}

/** The same end, later: settings that are parsed, and an entry that is written, take longer than none. Never rejects. */
export async function levelTime(
  ended: EndedRun,
  { startedMs }: Pick<Run, 'startedMs'>,
  { clock }: Pick<ExecutionPorts, 'clock'>,
): Promise<EndedRun> {
  const finished = ended.finish();
  await waitAtMost(clock, MAX_FINISH_MS, finished);
  const elapsedMs = clock.monotonicMs() - startedMs;
  await clock.sleep(STEP_MS - (elapsedMs % STEP_MS));
  return { ...ended, finish: () => finished };
}

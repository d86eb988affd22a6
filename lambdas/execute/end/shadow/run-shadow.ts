// Repeats a run with the version of a shadow: the same request, guards of its own, a budget of its own, and an entry that nobody called for.
import { toServiceError } from '../../../../core/contract/service-error.ts';
import type { OpenSettings } from '../../../../core/settings/usable-settings.ts';
import type { ExecutionPorts, Outcome, Run } from '../../run.ts';
import { sendSettlements } from '../finish.ts';
import { apartOf, openShadow, openShadowBudget } from './open-shadow.ts';
import { record } from './record.ts';
import { isRepeatable } from './repeatable.ts';
import { takeSteps } from './take-steps.ts';

/** With less there is no time for an answer. */
const MIN_MS = 1_000;
/** Errors that say nothing about the version, where nothing was spent. */
const WITHOUT_ROOM: readonly string[] = [
  'rate_limited',
  'usage_limit_exceeded',
  'overloaded',
  'dependency_unavailable',
];

/** Throws where neither line nor entry can be written. A run for which there is no room in the budget leaves no entry. */
export async function runShadow(done: Readonly<Run>, outcome: Outcome, ports: ExecutionPorts): Promise<void> {
  if (!isRepeatable(done, outcome, ports)) return;
  const { settings, admission } = done;
  const shadow = settings?.shadow;
  const limitMs = timeFor(done, ports);
  if (shadow === undefined || settings === undefined || admission === undefined || limitMs < MIN_MS) return;
  const apart = apartOf(ports);
  const run = openShadow(done, shadow, limitMs, apart);
  const known = { ...run, admission, settings: settings as OpenSettings };
  const budget = openShadowBudget(run.request.timeMs, shadow, settings, apart);
  const error = await takeSteps(run, known, budget, apart).catch(toServiceError);
  run.deadline.end();
  const settlements = budget.close();
  await sendSettlements(settlements, ports);
  const isUntouched = run.attempts.length === 0 && run.result === undefined;
  if (error !== undefined && isUntouched && WITHOUT_ROOM.includes(error.code)) return;
  await record(run, error, settlements.length, apart);
}

/** As long as the neuron may take, and as is left of the function's time; none where the run itself took most of it. */
function timeFor({ settings, startedMs }: Readonly<Run>, { clock, maxDeadlineMs }: ExecutionPorts): number {
  const tookMs = clock.monotonicMs() - startedMs;
  const leftMs = maxDeadlineMs - tookMs;
  return leftMs < tookMs ? 0 : Math.min(settings?.neuron.deadline ?? 0, leftMs);
}

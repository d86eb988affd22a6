// Opens the parts of a copy of a run that are its own: a record, a deadline, a budget and circuits.
import { type Budget, openBudget } from '../../../../core/limits/budget.ts';
import { shadowCounter } from '../../../../core/rollouts/shadow-budget.ts';
import type { Shadow } from '../../../../core/settings/stored-settings.ts';
import { renderSettingsVersion, type UsableSettings } from '../../../../core/settings/usable-settings.ts';
import { startDeadline } from '../../../../core/time/deadline.ts';
import type { ExecutionPorts, Run } from '../../run.ts';

export type ShadowRun = Run & { readonly deadline: NonNullable<Run['deadline']> };

/** Circuits of its own: a version that fails opens none for callers. */
export function apartOf(ports: ExecutionPorts): ExecutionPorts {
  const { circuits } = ports;
  return { ...ports, circuits: { within: (neuronId) => circuits.within(`${neuronId} shadow`) } };
}

export function openShadow(
  { request, subject, tags }: Readonly<Run>,
  { id }: Shadow,
  limitMs: number,
  { clock }: ExecutionPorts,
): ShadowRun {
  // The caller's trace ends with its answer.
  const { traceparent: _ofCaller, ...rest } = request;
  const { executionId } = request;
  return {
    request: { ...rest, executionId: `${executionId}#shadow` },
    startedMs: clock.monotonicMs(),
    subject,
    ...(tags === undefined ? {} : { tags }),
    attempts: [],
    deadline: startDeadline(clock, limitMs),
    shadow: { id, of: executionId },
  };
}

/** Fails closed: without its counter nothing is spent. */
export function openShadowBudget(
  timeMs: number,
  shadow: Shadow,
  { version }: UsableSettings,
  { counters, exhaustionCache, clock, random, maxDeadlineMs }: ExecutionPorts,
): Budget {
  return openBudget([shadowCounter(shadow, timeMs)], {
    counters,
    exhaustionCache,
    clock,
    random,
    timeMs,
    settingsVersion: renderSettingsVersion(version),
    retentionMs: maxDeadlineMs + COUNTER_RETENTION_MS,
    failOpen: false,
  });
}

/** As for other counters; `status` shows what was spent until then. */
const COUNTER_RETENTION_MS = 30 * 86_400_000;

// Metrics of guards: those of a line, and those of guards that answer when the line is written.
import type { LogEntry, LoggedGuard } from '../contract/log-entry.ts';
import type { MetricValues } from '../contract/metrics.ts';

interface GuardedRequest {
  readonly code?: LogEntry['code'] | undefined;
  readonly guards?: LogEntry['guards'] | undefined;
}

type GuardMetric = 'guardBlocked' | 'guardFlagged' | 'guardUnavailable';

/** Each 0 or 1. A service that only flags may still be asked: it has not failed. */
export function guardMetricsOf({
  code,
  guards = [],
}: GuardedRequest): Required<Pick<MetricValues, GuardMetric>> {
  const hasFinds = (action: string) => guards.some((one) => one.action === action && one.finds.length > 0);
  const isUnjudged = guards.some((one) => one.notJudged !== undefined && !isUnderWay(one));
  return {
    guardBlocked: Number(code === 'guard_blocked' || hasFinds('block')),
    guardFlagged: Number(hasFinds('flag')),
    guardUnavailable: Number(code === 'guard_unavailable' || isUnjudged),
  };
}

function isUnderWay({ action, notJudged }: LoggedGuard): boolean {
  return action === 'flag' && notJudged === 'unfinished';
}

/** The metrics that count a request now, and did not when its line was written. */
export function lateGuardMetrics(
  before: GuardedRequest,
  guards: readonly LoggedGuard[],
): readonly ('guardFlagged' | 'guardUnavailable')[] {
  const counted = guardMetricsOf(before);
  const now = guardMetricsOf({ code: before.code, guards });
  return (['guardFlagged', 'guardUnavailable'] as const).filter((key) => now[key] > counted[key]);
}

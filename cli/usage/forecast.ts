// Extrapolates the usage of a month, and compares it with the limits of the month.
import type { KeyLimit } from '../../core/settings/usage-limits.ts';
import type { Days, Forecast, LimitForecast, RequestUsage } from '../json/usage.ts';

const DAY_MS = 86_400_000;

/** Undefined for all but the current month, and on its first day, which says too little about the rest. */
export function forecastMonth(
  used: RequestUsage,
  { fromDay, toDay }: Days,
  nowMs: number,
): Forecast | undefined {
  const startMs = Date.parse(fromDay);
  const endMs = Date.parse(toDay) + DAY_MS;
  const elapsedMs = nowMs - startMs;
  if (!isMonth({ fromDay, toDay }) || elapsedMs < DAY_MS || nowMs >= endMs) return undefined;
  const atEnd = (amount: number): number => Math.round((amount / elapsedMs) * (endMs - startMs));
  return {
    fromDays: Math.round((elapsedMs / DAY_MS) * 10) / 10,
    toDay,
    requests: atEnd(used.requests),
    tokensInput: atEnd(used.tokensInput),
    tokensOutput: atEnd(used.tokensOutput),
    costMicrodollars: atEnd(used.costMicrodollars),
  };
}

/** Limits of the same period as the days: a month with a forecast, or a day without one. */
export function compareLimits(
  limits: readonly KeyLimit[],
  used: RequestUsage,
  days: Days,
  nowMs: number,
): readonly LimitForecast[] {
  const shown = periodOf(days);
  const forecast = forecastMonth(used, days, nowMs);
  return limits
    .filter(({ period }) => period === shown)
    .map(({ metric, limit, period }) => {
      const amount = amountOf(metric, used);
      // Limits do not count rejected requests, but the forecast of requests does: so the amount of the limit is extrapolated.
      const atEnd = forecast && forecastMonth({ ...used, requests: amount }, days, nowMs);
      return {
        metric,
        limit,
        period,
        used: amount,
        forecast: atEnd === undefined ? null : forecastOf(metric, atEnd),
      };
    });
}

/** Undefined for days that are neither one day nor a month. */
export function periodOf(days: Days): KeyLimit['period'] | undefined {
  return isMonth(days) ? 'month' : days.fromDay === days.toDay ? 'day' : undefined;
}

function isMonth({ fromDay, toDay }: Days): boolean {
  return fromDay.endsWith('-01') && fromDay.slice(0, 7) === toDay.slice(0, 7) && fromDay !== toDay;
}

/** The amount that a limit counts: admitted requests, all tokens, or cost. */
function amountOf(metric: KeyLimit['metric'], used: RequestUsage): number {
  if (metric === 'cost') return used.costMicrodollars;
  return metric === 'tokens' ? used.tokensInput + used.tokensOutput : used.requests - used.refused;
}

function forecastOf(metric: KeyLimit['metric'], forecast: Forecast): number {
  if (metric === 'cost') return forecast.costMicrodollars;
  return metric === 'tokens' ? forecast.tokensInput + forecast.tokensOutput : forecast.requests;
}

// The limits of an API key in the authorizer context: one short text in ASCII, such as `cost:50000000:month,requests:1000:day`.
import { storedUsageLimitSchema, type UsageLimit } from '../../core/settings/usage-limits.ts';

/** At most about 150 characters, since a key has few limits. */
export function renderKeyLimits(limits: readonly UsageLimit[]): string {
  return limits.map(({ metric, limit, period }) => `${metric}:${limit}:${period}`).join(',');
}

/** Undefined where the key has no limits. */
export function parseKeyLimits(text: string | undefined): readonly UsageLimit[] | undefined | 'malformed' {
  if (text === undefined) return undefined;
  const limits = text.split(',').map((one) => {
    const [metric, limit = '', period, ...others] = one.split(':');
    const isWhole = others.length === 0 && /^\d+$/.test(limit);
    return storedUsageLimitSchema.safeParse(isWhole ? { metric, limit: Number(limit), period } : undefined);
  });
  return limits.every(({ success }) => success) ? limits.flatMap(({ data }) => data ?? []) : 'malformed';
}

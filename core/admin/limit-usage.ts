// The current use of every limit of a neuron or an organization, for operators. Reads counters and never writes.

import type { LimitScope } from '../limits/counter-key.ts';
import { countsAt } from '../limits/leases.ts';
import {
  type LimitedCaller,
  type LimitedCounter,
  type LimitedRequest,
  planCounters,
} from '../limits/plan-counters.ts';
import type { LimitPeriod } from '../limits/window.ts';
import type { CounterState, CounterStore, LimitMetric } from '../ports/counters.ts';
import { conditionId, type TokenCondition } from '../settings/access-schema.ts';
import type { RateLimit } from '../settings/neuron-schema.ts';
import type { Organization } from '../settings/organization-schema.ts';
import { sum } from '../text/numbers.ts';

/** The use of one rule in its current window, or of runs at once now. Cost is in microdollars. */
export interface LimitUsage {
  readonly metric: LimitMetric;
  readonly scope: LimitScope;
  /** The callers that it is for; undefined for all. */
  readonly when?: TokenCondition | undefined;
  /** Undefined for runs at once. */
  readonly period: LimitPeriod | undefined;
  readonly limit: number;
  /** `used` and `held` are undefined for a rule that counts per user or address, when the query names none. Runs at once are used. */
  readonly used: number | undefined;
  readonly held: number | undefined;
  /** The end of the window, in milliseconds since the Unix epoch; undefined for runs at once. */
  readonly resetsAtMs: number | undefined;
}

/** Whose counters to read for rules that count per user or address. */
export interface LimitUsageSubject {
  readonly username?: string | undefined;
  readonly keyId?: string | undefined;
  readonly sourceIp?: string | undefined;
}

/** The rules to read, and for whom. */
export interface LimitUsageQuery
  extends Pick<
    LimitedRequest,
    'neuronId' | 'organizationId' | 'timeMs' | 'shards' | 'defaultConcurrency' | 'keyLimits'
  > {
  readonly rateLimits: readonly RateLimit[];
  readonly usageLimits: Organization['usageLimits'];
  readonly subject: LimitUsageSubject;
}

/** Every rule, in the order in which requests reserve from their counters. Throws `CounterFailure`. */
export async function readLimitUsage(
  query: LimitUsageQuery,
  counters: Pick<CounterStore, 'read'>,
): Promise<readonly LimitUsage[]> {
  const planned = planCounters({
    ...query,
    caller: { ...toCaller(query.subject), conditions: conditionsOf(query.rateLimits) },
    takesKeys: false,
    runEndsAtMs: query.timeMs,
  });
  const states = await counters.read(
    planned.flatMap((one) => (isNamed(one, query.subject) ? keysOf(one) : [])),
  );
  return planned.flatMap((counter) => {
    const named = isNamed(counter, query.subject);
    const { scope, when, period, window } = counter;
    return counter.limits.map(({ metric, limit }) => {
      const counts = keysOf(counter).map((key) => countOf(states.get(key), metric, query.timeMs));
      return {
        metric,
        scope,
        ...(when === undefined ? {} : { when }),
        period,
        limit,
        used: named ? sum(counts.map(({ used }) => used)) : undefined,
        held: named ? sum(counts.map(({ held }) => held)) : undefined,
        resetsAtMs: period === undefined ? undefined : window.endMs,
      };
    });
  });
}

/** Each rule is shown with its own counter, as if the caller's token fulfilled its condition. */
function conditionsOf(rateLimits: readonly RateLimit[]): readonly string[] {
  return rateLimits.flatMap(({ when }) => (when === undefined ? [] : [conditionId(when)]));
}

function countOf(state: CounterState | undefined, metric: LimitMetric, timeMs: number) {
  const { taken, held } = (state && countsAt(state, timeMs)[metric]) ?? { taken: 0, held: 0 };
  return metric === 'concurrent' ? { used: taken, held: 0 } : { used: taken - held, held };
}

function keysOf({ items }: LimitedCounter): readonly string[] {
  return items.map(({ key }) => key);
}

function isNamed({ scope }: LimitedCounter, { username, keyId, sourceIp }: LimitUsageSubject): boolean {
  if (scope === 'user') return username !== undefined || keyId !== undefined;
  return scope !== 'ip' || sourceIp !== undefined;
}

function toCaller({ username, keyId, sourceIp = '' }: LimitUsageSubject): LimitedCaller {
  return { authentication: keyId === undefined ? 'jwt' : 'apiKey', username, keyId, sourceIp };
}

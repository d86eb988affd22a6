// What is used, held and left of every rule of a neuron or an organization now, for operators. Reads counters and changes none.

import type { LimitScope } from '../limits/counter-name.ts';
import {
  type LimitedCaller,
  type LimitedCounter,
  type LimitedRequest,
  planCounters,
} from '../limits/plan-counters.ts';
import type { Period } from '../limits/window.ts';
import type { CounterStore, Metric } from '../ports/counters.ts';
import type { RateLimit } from '../settings/neuron-schema.ts';
import type { Organization } from '../settings/organization-schema.ts';

/** One rule in its current window. Cost is in microdollars. */
export interface RuleUse {
  readonly metric: Metric;
  readonly scope: LimitScope;
  readonly period: Period;
  readonly limit: number;
  /** Used and held are undefined for a rule that counts each subject by itself, where none was named. */
  readonly used: number | undefined;
  readonly held: number | undefined;
  /** The end of the window, in milliseconds since the Unix epoch. */
  readonly resetsAtMs: number;
}

/** Whose counters to look at, where a rule counts each user or address by itself. */
export interface ShownSubject {
  readonly username?: string | undefined;
  readonly keyId?: string | undefined;
  readonly sourceIp?: string | undefined;
}

/** What to look at. */
export interface ShownLimits
  extends Pick<LimitedRequest, 'neuronId' | 'organizationId' | 'timeMs' | 'shards'> {
  readonly rateLimits: readonly RateLimit[];
  readonly usageLimits: Organization['usageLimits'];
  readonly subject: ShownSubject;
}

/** Every rule in the order in which requests are asked by them. Throws `CounterFailure`. */
export async function showUse(
  shown: ShownLimits,
  counters: Pick<CounterStore, 'read'>,
): Promise<readonly RuleUse[]> {
  const planned = planCounters({ ...shown, caller: toCaller(shown.subject) });
  const states = await counters.read(
    planned.flatMap((one) => (isNamed(one, shown.subject) ? keysOf(one) : [])),
  );
  return planned.flatMap((counter) =>
    counter.limits.map(({ metric, limit }) => {
      const counts = keysOf(counter).map((key) => states.get(key)?.counts[metric] ?? { taken: 0, held: 0 });
      const held = sum(counts.map((count) => count.held));
      const named = isNamed(counter, shown.subject);
      return {
        ...{ metric, scope: counter.scope, period: counter.period, limit },
        used: named ? sum(counts.map(({ taken }) => taken)) - held : undefined,
        held: named ? held : undefined,
        resetsAtMs: counter.window.endMs,
      };
    }),
  );
}

function keysOf({ items }: LimitedCounter): readonly string[] {
  return items.map(({ key }) => key);
}

function isNamed({ scope }: LimitedCounter, { username, keyId, sourceIp }: ShownSubject): boolean {
  if (scope === 'user') return username !== undefined || keyId !== undefined;
  return scope !== 'ip' || sourceIp !== undefined;
}

function toCaller({ username, keyId, sourceIp = '' }: ShownSubject): LimitedCaller {
  return { authentication: keyId === undefined ? 'jwt' : 'apiKey', username, keyId, sourceIp };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

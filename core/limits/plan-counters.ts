// Turns the rules that hold for a request into the counters that it has to ask, in the order in which it asks them.

import type { Authentication } from '../contract/log-entry.ts';
import type { Metric } from '../ports/counters.ts';
import type { RateLimit } from '../settings/neuron-schema.ts';
import type { Organization } from '../settings/organization-schema.ts';
import { counterKey, type LimitScope, type LimitSubject, shardKey } from './counter-name.ts';
import { type Period, type Window, windowAt } from './window.ts';

/** The most of one metric; cost in microdollars. */
export interface MetricLimit {
  readonly metric: Metric;
  readonly limit: number;
}

/** One item of the counters table. */
export interface CounterItem {
  readonly key: string;
  /** One per metric, in the order of the rules. */
  readonly limits: readonly MetricLimit[];
}

/** A counter: one item, or several shards that share its limit. */
export interface LimitedCounter {
  readonly scope: LimitScope;
  readonly period: Period;
  readonly window: Window;
  /** One per metric, in the order of the rules. */
  readonly limits: readonly MetricLimit[];
  readonly items: readonly CounterItem[];
}

/** Who calls, as far as limits care. */
export interface LimitedCaller {
  readonly authentication: Authentication;
  readonly username: string | undefined;
  readonly keyId: string | undefined;
  readonly sourceIp: string;
}

/** What decides on the counters of a request. */
export interface LimitedRequest {
  readonly neuronId: string;
  readonly organizationId: string;
  readonly rateLimits: readonly RateLimit[];
  readonly usageLimits: Organization['usageLimits'];
  readonly caller: LimitedCaller;
  /** When API Gateway received it, in milliseconds since the Unix epoch. */
  readonly timeMs: number;
  /** Shards of each `total` counter of requests, from the stage. */
  readonly shards: number;
}

interface Rule extends MetricLimit {
  readonly ownerId: string;
  readonly scope: LimitScope;
  readonly period: Period;
}

/** Narrowest first. */
const SCOPES: readonly LimitScope[] = ['user', 'ip', 'total', 'organization'];

/** The counters of a request, narrowest scope first, within a scope in the order of the rules. Rules of one scope and period share one. */
export function planCounters(request: LimitedRequest): readonly LimitedCounter[] {
  const rules = rulesOf(request);
  const inOrder = SCOPES.flatMap((scope) => rules.filter((rule) => rule.scope === scope));
  const groups = Map.groupBy(
    inOrder,
    (rule) => `${rule.scope} ${rule.period} ${shardsOf(rule, request.shards)}`,
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [toCounter(first, group, request)];
  });
}

function rulesOf({ neuronId, organizationId, rateLimits, usageLimits }: LimitedRequest): readonly Rule[] {
  return [
    ...rateLimits.map((rule) => ({ ...rule, ownerId: neuronId })),
    ...usageLimits.map((rule) => ({ ...rule, ownerId: organizationId, scope: 'organization' as const })),
  ];
}

/** Only requests of everyone come fast enough to outrun one item, and only they are taken one at a time. */
function shardsOf({ scope, metric }: Rule, shards: number): number {
  return scope === 'total' && metric === 'requests' ? shards : 1;
}

function toCounter(first: Rule, group: readonly Rule[], request: LimitedRequest): LimitedCounter {
  const { ownerId, scope, period } = first;
  const identity = { ownerId, scope, period, subject: subjectOf(scope, request.caller) };
  const limits = smallestOfEach(group);
  const shards = shardsOf(first, request.shards);
  const key = counterKey(identity, request.timeMs);
  const items =
    shards === 1
      ? [{ key, limits }]
      : Array.from({ length: shards }, (_, shard) => ({
          key: shardKey(key, shard),
          limits: limits.map(({ metric, limit }) => ({ metric, limit: shareOf(limit, shard, shards) })),
        }));
  return { scope, period, window: windowAt(period, request.timeMs), limits, items };
}

/** Nobody escapes a rule for users: callers without a name count together. */
function subjectOf(
  scope: LimitScope,
  { authentication, username, keyId, sourceIp }: LimitedCaller,
): LimitSubject {
  if (scope === 'ip') return { kind: 'address', name: sourceIp };
  if (scope !== 'user') return { kind: 'everyone' };
  if (authentication === 'apiKey' && keyId !== undefined) return { kind: 'keyId', name: keyId };
  if (authentication === 'jwt' && username !== undefined) return { kind: 'username', name: username };
  return { kind: 'unnamed' };
}

/** Two rules of one metric count the same, so the smaller limit is the one that holds. */
function smallestOfEach(group: readonly Rule[]): readonly MetricLimit[] {
  return [...Map.groupBy(group, ({ metric }) => metric)].map(([metric, rules]) => ({
    metric,
    limit: Math.min(...rules.map(({ limit }) => limit)),
  }));
}

/** Equal shares that add up to the limit: the first shards take what does not divide. */
export function shareOf(limit: number, shard: number, shards: number): number {
  return Math.floor(limit / shards) + (shard < limit % shards ? 1 : 0);
}

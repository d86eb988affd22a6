// The counters that limit a request, in the order in which it reserves from them.

import { isEndUsernameOf } from '../contract/end-username.ts';
import type { Authentication } from '../contract/log-entry.ts';
import type { LimitMetric } from '../ports/counters.ts';
import { conditionId, type TokenCondition } from '../settings/access-schema.ts';
import type { RateLimit } from '../settings/neuron-schema.ts';
import type { Organization } from '../settings/organization-schema.ts';
import type { KeyLimit } from '../settings/usage-limits.ts';
import { counterKey, type LimitScope, type LimitSubject, shardKey } from './counter-key.ts';
import { leaseEndMs } from './leases.ts';
import { type LimitPeriod, type Window, windowAt } from './window.ts';

/** The limit of one metric; cost in microdollars. */
interface MetricLimit {
  readonly metric: LimitMetric;
  readonly limit: number;
}

/** One item of the counters table. */
export interface CounterItem {
  readonly key: string;
  /** One per metric, in the order of the rules. A shard's limits are its share. */
  readonly limits: readonly MetricLimit[];
}

/** A counter: one item, or several shards that share the limit. */
export interface LimitedCounter {
  readonly scope: LimitScope;
  /** The callers that it counts; undefined for all. */
  readonly when?: TokenCondition | undefined;
  /** Undefined for runs at once. */
  readonly period: LimitPeriod | undefined;
  /** For runs at once: from the request until the end of its lease. */
  readonly window: Window;
  /** One per metric, in the order of the rules. */
  readonly limits: readonly MetricLimit[];
  readonly items: readonly CounterItem[];
  /** True when no later counter can deny a request that this one has counted. */
  readonly isLast: boolean;
}

/** The members of a caller that select counters. */
export interface LimitedCaller {
  readonly authentication: Authentication;
  readonly username: string | undefined;
  readonly keyId: string | undefined;
  readonly sourceIp: string;
  /** Ids of the conditions on claims that the caller's token fulfils. */
  readonly conditions?: readonly string[] | undefined;
}

/** The facts that select the counters of a request. */
export interface LimitedRequest {
  readonly neuronId: string;
  readonly organizationId: string;
  readonly rateLimits: readonly RateLimit[];
  readonly usageLimits: Organization['usageLimits'];
  /** The stage's limit of runs at once for organizations without one of their own. */
  readonly defaultConcurrency: number | undefined;
  /** True when API keys, which may have limits, can call the neuron. */
  readonly takesKeys: boolean;
  /** The limits of the caller's own key. */
  readonly keyLimits: readonly KeyLimit[];
  readonly caller: LimitedCaller;
  /** When API Gateway received the request, in milliseconds since the Unix epoch. */
  readonly timeMs: number;
  /** The run's deadline, in milliseconds since the Unix epoch. */
  readonly runEndsAtMs: number;
  /** The stage's number of shards for each counter of `total` requests. */
  readonly shards: number;
}

interface Rule extends MetricLimit {
  readonly ownerId: string;
  readonly scope: LimitScope;
  readonly period: LimitPeriod | undefined;
  readonly when: TokenCondition | undefined;
}

/** Narrowest first. */
const SCOPES: readonly LimitScope[] = ['user', 'ip', 'total', 'key', 'organization'];

/** Narrowest scope first, and within a scope in the order of the rules. Rules with the same scope and period share one counter. */
export function planCounters(request: LimitedRequest): readonly LimitedCounter[] {
  const rules = rulesOf(request);
  const inOrder = SCOPES.flatMap((scope) => rules.filter((rule) => rule.scope === scope));
  const groups = Map.groupBy(
    inOrder,
    ({ scope, period, when, ...rule }) =>
      `${scope} ${period} ${when && conditionId(when)} ${shardsOf({ ...rule, scope }, request.shards)}`,
  );
  const counters = [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [toCounter(first, group, request)];
  });
  const last = counters.at(-1);
  return counters.map((counter) => ({ ...counter, isLast: counter === last && endsList(counter, request) }));
}

/** The limits of another caller's key would come after those of the neuron. */
function endsList({ scope }: Pick<Rule, 'scope'>, { takesKeys }: LimitedRequest): boolean {
  return !takesKeys || scope === 'key' || scope === 'organization';
}

function rulesOf(request: LimitedRequest): readonly Rule[] {
  const { neuronId, organizationId, rateLimits, keyLimits } = request;
  const { keyId, conditions = [] } = request.caller;
  return [
    ...rateLimits
      .filter(({ when }) => when === undefined || conditions.includes(conditionId(when)))
      .map((rule) => toRule(rule, { ownerId: neuronId, scope: rule.scope })),
    ...(keyId === undefined ? [] : keyLimits.map((rule) => toRule(rule, { ownerId: keyId, scope: 'key' }))),
    ...organizationLimits(request).map((rule) =>
      toRule(rule, { ownerId: organizationId, scope: 'organization' }),
    ),
  ];
}

/** An organization's own limit replaces the default of the stage, whether it is smaller or larger. */
function organizationLimits({
  usageLimits,
  defaultConcurrency,
}: LimitedRequest): Organization['usageLimits'] {
  if (defaultConcurrency === undefined || usageLimits.some(({ metric }) => metric === 'concurrent'))
    return usageLimits;
  return [...usageLimits, { metric: 'concurrent', limit: defaultConcurrency }];
}

function toRule(
  rule: RateLimit | KeyLimit | Organization['usageLimits'][number],
  owner: Pick<Rule, 'ownerId' | 'scope'>,
): Rule {
  const period = rule.metric === 'concurrent' ? undefined : rule.period;
  const when = 'when' in rule ? rule.when : undefined;
  return { metric: rule.metric, limit: rule.limit, period, when, ...owner };
}

/**
 * Only counters of `total` requests are sharded. Those of users and addresses are spread over their subjects, and a reservation of
 * tokens or cost might not fit into one shard.
 */
function shardsOf({ scope, metric }: Pick<Rule, 'scope' | 'metric'>, shards: number): number {
  return scope === 'total' && metric === 'requests' ? shards : 1;
}

function toCounter(
  first: Rule,
  group: readonly Rule[],
  request: LimitedRequest,
): Omit<LimitedCounter, 'isLast'> {
  const { ownerId, scope, period, when } = first;
  const condition = when && conditionId(when);
  const identity = { ownerId, scope, period, subject: subjectOf(scope, request.caller), condition };
  const limits = strictestLimits(group);
  const shards = shardsOf(first, request.shards);
  const key = counterKey(identity, request.timeMs);
  const items =
    shards === 1
      ? [{ key, limits }]
      : Array.from({ length: shards }, (_, shard) => ({
          key: shardKey(key, shard),
          limits: limits.map(({ metric, limit }) => ({ metric, limit: shareOf(limit, shard, shards) })),
        }));
  return { scope, when, period, window: windowOf(period, request), limits, items };
}

function windowOf(period: LimitPeriod | undefined, { timeMs, runEndsAtMs }: LimitedRequest): Window {
  if (period !== undefined) return windowAt(period, timeMs);
  return { startMs: timeMs, endMs: leaseEndMs(runEndsAtMs) };
}

/** Callers without a username or key id share one counter, so that nobody evades a `user` limit. An end user's name has its key in it. */
function subjectOf(
  scope: LimitScope,
  { authentication, username, keyId, sourceIp }: LimitedCaller,
): LimitSubject {
  if (scope === 'ip') return { kind: 'address', name: sourceIp };
  if (scope !== 'user') return { kind: 'everyone' };
  if (authentication === 'apiKey' && keyId !== undefined) {
    return isEndUsernameOf(keyId, username)
      ? { kind: 'username', name: username }
      : { kind: 'keyId', name: keyId };
  }
  if (authentication === 'jwt' && username !== undefined) return { kind: 'username', name: username };
  return { kind: 'unnamed' };
}

/** Two rules for one metric count the same, so the smaller limit decides. */
function strictestLimits(group: readonly Rule[]): readonly MetricLimit[] {
  return [...Map.groupBy(group, ({ metric }) => metric)].map(([metric, rules]) => ({
    metric,
    limit: Math.min(...rules.map(({ limit }) => limit)),
  }));
}

/** The shares add up to the limit; the first shards get the remainder. */
export function shareOf(limit: number, shard: number, shards: number): number {
  return Math.floor(limit / shards) + (shard < limit % shards ? 1 : 0);
}

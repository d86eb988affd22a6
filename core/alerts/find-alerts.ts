// Finds the shares of usage limits that are reached, from the counters of the limits.
import type { LogEntry } from '../contract/log-entry.ts';
import { counterKey } from '../limits/counter-key.ts';
import { windowAt } from '../limits/window.ts';
import type { Alert, WatchedOwner } from '../ports/alerts.ts';
import type { CounterState, CounterStore } from '../ports/counters.ts';
import type { UsageLimit } from '../settings/usage-limits.ts';
import { identifyAlert } from './alert.ts';

/** The members of a log entry that tell whose limits it may have used. */
export type AlertedEntry = Pick<LogEntry, 'organization' | 'organizationId' | 'keyId' | 'timeMs'>;

/** Usage limits with a window. Methods reject as their stores do. */
export interface LimitSource {
  /** An empty list where the organization is unknown, deleted or unusable. */
  organization(slug: string, id: string): Promise<readonly UsageLimit[]>;
  /** An empty list where the organization has no such key. */
  key(organizationId: string, keyId: string): Promise<readonly UsageLimit[]>;
}

export interface FindPorts {
  readonly limits: LimitSource;
  readonly counters: Pick<CounterStore, 'read'>;
}

interface Owner extends WatchedOwner {
  readonly timeMs: number;
}

/** A share of a limit in a window, with the counter of its use. */
interface WatchedShare {
  readonly owner: Owner;
  readonly rule: UsageLimit;
  readonly share: number;
  readonly counter: string;
}

/** The shares that are reached, new or not, and the owners of others. */
interface SharesFound {
  readonly alerts: readonly Alert[];
  /** Each once. */
  readonly open: readonly WatchedOwner[];
}

/**
 * Every share that is reached in the windows of these entries. It depends on the state of the counters and not on the amounts of the
 * entries, so that a share that was missed is found with the next entry.
 */
export async function findAlerts(
  entries: readonly AlertedEntry[],
  nowMs: number,
  { limits, counters }: FindPorts,
): Promise<SharesFound> {
  const watched = await Promise.all(
    ownersOf(entries).map(async (owner) => sharesOf(owner, await limitsOf(owner, limits))),
  );
  const shares = watched.flat();
  const states = await counters.read([...new Set(shares.map(({ counter }) => counter))]);
  const results = shares.map((one) => ({ one, alert: toAlert(one, states.get(one.counter), nowMs) }));
  const alerts = results.flatMap(({ alert }) => alert ?? []);
  const open = results.flatMap(({ one, alert }) => (alert === undefined ? [one.owner] : []));
  return {
    alerts: [...new Map(alerts.map((alert) => [alert.id, alert])).values()],
    open: [...new Map(open.map((owner) => [nameOwner(owner), owner])).values()],
  };
}

/** Equal for the same owner, and for no others. */
export function nameOwner({ organizationId, keyId }: WatchedOwner): string {
  return JSON.stringify([organizationId, keyId]);
}

/** Organizations and keys, each once for a day: no window of a usage limit is shorter. */
function ownersOf(entries: readonly AlertedEntry[]): readonly Owner[] {
  const owners = entries.flatMap(({ organization, organizationId, keyId, timeMs }): Owner[] => [
    { organization, organizationId, keyId: undefined, timeMs },
    ...(keyId === undefined ? [] : [{ organization, organizationId, keyId, timeMs }]),
  ]);
  const name = ({ organizationId, keyId, timeMs }: Owner) =>
    JSON.stringify([organizationId, keyId, windowAt('day', timeMs).startMs]);
  return [...new Map(owners.map((owner) => [name(owner), owner])).values()];
}

function limitsOf(
  { organization, organizationId, keyId }: Owner,
  limits: LimitSource,
): Promise<readonly UsageLimit[]> {
  return keyId === undefined
    ? limits.organization(organization, organizationId)
    : limits.key(organizationId, keyId);
}

function sharesOf(owner: Owner, rules: readonly UsageLimit[]): readonly WatchedShare[] {
  const { organizationId, keyId, timeMs } = owner;
  const scope = keyId === undefined ? 'organization' : 'key';
  return rules.flatMap((rule) => {
    const { period, alertAt = [] } = rule;
    const identity = { ownerId: keyId ?? organizationId, scope, period, subject: EVERYONE } as const;
    const counter = counterKey(identity, timeMs);
    return alertAt.map((share) => ({ owner, rule, share, counter }));
  });
}

const EVERYONE = { kind: 'everyone' } as const;

function toAlert(
  { owner, rule, share }: WatchedShare,
  state: CounterState | undefined,
  nowMs: number,
): Alert | undefined {
  const { metric, period, limit } = rule;
  const { taken, held } = state?.counts[metric] ?? { taken: 0, held: 0 };
  const used = taken - held;
  // A limit of 0 has no shares.
  if (limit === 0 || used * 100 < limit * share) return undefined;
  const { startMs, endMs } = windowAt(period, owner.timeMs);
  const { organization, organizationId, keyId } = owner;
  return identifyAlert({
    organization,
    organizationId,
    keyId,
    metric,
    period,
    windowStartMs: startMs,
    windowEndMs: endMs,
    share,
    limit,
    used,
    atMs: nowMs,
  });
}

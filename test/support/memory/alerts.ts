// The outbox of alerts in memory, with the list for operators, and channels under a test's hand.
import type { Alerts } from '../../../core/alerts/alerts.ts';
import type { AlertDetail } from '../../../core/contract/alert-event.ts';
import type {
  Alert,
  AlertChannel,
  AlertChannelName,
  AlertOutbox,
  AlertReader,
  AlertRecord,
  AlertWatch,
  WatchedOwner,
} from '../../../core/ports/alerts.ts';

/** Nothing runs between a condition and its write, as with a conditional write of DynamoDB. */
export function createMemoryAlerts(): AlertOutbox & AlertReader & AlertWatch {
  const watched = new Map<string, { readonly owner: WatchedOwner; readonly expiresAt: number }>();
  const records = new Map<string, AlertRecord>();
  const pending = new Map<string, { readonly alert: Alert; leasedUntilMs: number }>();
  return {
    async add(alert, leasedUntilMs) {
      if (records.has(alert.id)) return 'known';
      records.set(alert.id, { alert, sentAtMs: {} });
      pending.set(alert.id, { alert, leasedUntilMs });
      return 'added';
    },
    async listDue(nowMs, maximum) {
      const due = [...pending.values()].filter(({ leasedUntilMs }) => leasedUntilMs <= nowMs);
      return due
        .map(({ alert }) => alert)
        .sort((one, other) => one.atMs - other.atMs)
        .slice(0, maximum);
    },
    async lease({ id }, nowMs, leasedUntilMs) {
      const one = pending.get(id);
      if (one === undefined || one.leasedUntilMs > nowMs) return undefined;
      one.leasedUntilMs = leasedUntilMs;
      return records.get(id);
    },
    async markSent({ id }, channel, atMs) {
      const record = records.get(id);
      if (record !== undefined)
        records.set(id, { ...record, sentAtMs: { ...record.sentAtMs, [channel]: atMs } });
    },
    async release({ id }) {
      const one = pending.get(id);
      if (one !== undefined) one.leasedUntilMs = 0;
    },
    async settle({ id }) {
      pending.delete(id);
    },
    async watch(owner, expiresAt) {
      watched.set(`${owner.organizationId} ${owner.keyId}`, { owner, expiresAt });
    },
    async listWatched(nowMs, { maximum, after = '' }) {
      const names = [...watched.keys()].filter((name) => name > after).sort();
      const page = names.slice(0, maximum).flatMap((name) => watched.get(name) ?? []);
      return {
        owners: page.filter(({ expiresAt }) => expiresAt * 1000 > nowMs).map(({ owner }) => owner),
        next: names.length > maximum ? names[maximum - 1] : undefined,
      };
    },
    async *listCurrent(nowMs) {
      for (const { alert } of records.values())
        if (alert.windowStartMs <= nowMs && alert.windowEndMs > nowMs) yield alert;
    },
    async *list(organizationId) {
      yield* [...records.values()].filter(({ alert }) => alert.organizationId === organizationId);
    },
  };
}

/** A channel that keeps what it took. */
export interface MemoryChannel extends AlertChannel {
  readonly taken: readonly AlertDetail[];
  /** What happens to the next sends: `lost` ones were taken all the same. */
  outcome: 'taken' | 'refused' | 'lost';
}

export function createMemoryChannel(name: AlertChannelName): MemoryChannel {
  const taken: AlertDetail[] = [];
  const channel: MemoryChannel = {
    name,
    taken,
    outcome: 'taken',
    async send(detail) {
      // Others run meanwhile, as during a call over the network.
      await new Promise((resolve) => setImmediate(resolve));
      if (channel.outcome === 'refused') throw new TypeError('refused');
      taken.push(detail);
      if (channel.outcome === 'lost') throw new RangeError('no answer');
    },
  };
  return channel;
}

/** Feedback that goes nowhere. */
export const NO_FEEDBACK = { feedbackEvents: { send: async () => {} }, stage: 'test' };

/** Alerts of an organization without limits. */
export const NO_ALERTS: Alerts = {
  raise: async () => ({ count: 0, error: undefined }),
  raiseWatched: async () => ({ count: 0, error: undefined }),
  sendDue: async () => ({ count: 0, error: undefined }),
};

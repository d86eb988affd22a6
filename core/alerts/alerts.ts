// Alerts of usage limits: found with each batch of log entries, recorded once, sent at once and otherwise later.

import { type BoundedMap, createBoundedMap } from '../async/bounded-map.ts';
import type { Alert, AlertRecord, AlertWatch, WatchedOwner } from '../ports/alerts.ts';
import type { Random } from '../ports/platform.ts';
import type { Clock } from '../time/clock.ts';
import { type AlertedEntry, type FindPorts, findAlerts, nameOwner } from './find-alerts.ts';
import { type SendPorts, sendAlerts, type UnsentAlerts } from './send-alerts.ts';

export interface AlertPorts extends FindPorts, SendPorts {
  readonly watch: AlertWatch;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly random: Pick<Random, 'fraction'>;
}

export interface Alerts {
  /**
   * Records and sends the shares that the windows of these entries have reached. Throws when they could not be found or recorded: the
   * entries must then be delivered again, which raises nothing twice.
   */
  raise(entries: readonly AlertedEntry[]): Promise<UnsentAlerts>;
  /** The same for owners whose neurons were called lately: a run may use a limit long before it has an entry. */
  raiseWatched(): Promise<UnsentAlerts>;
  /** Sends recorded alerts that are unsent. Throws when the outbox cannot be read. */
  sendDue(): Promise<UnsentAlerts>;
}

/**
 * Twice the maximum duration of an invocation: when a lease expires, its holder has ended, and clocks that disagree by seconds do not
 * matter.
 */
const LEASE_MS = 120_000;

/** Alerts known to be recorded, so that a share that was reached long ago costs no write with each batch. */
const MAX_KNOWN = 10_000;

/** Alerts sent by one sweep: an invocation has a minute, and a channel that does not answer takes some seconds each. */
const MAX_DUE = 100;

/** Owners checked each minute; more take turns. An owner with an entry is checked with the entry in any case. */
const MAX_WATCHED = 500;
/** An owner is watched for two days after a call; each environment records that once a day. */
const WATCHED_MS = 2 * 86_400_000;
const REWATCH_MS = 86_400_000;
/** A window that has just ended may have been used up to its end. */
const PAST_MS = 120_000;

/** Environments with entries of the same window write the same record. */
const MAX_CONFLICTS = 8;
/** Exponential backoff with full jitter: 0 to 50 ms · 2ⁿ, at most 2 s. */
const BACKOFF_BASE_MS = 50;
const BACKOFF_MAX_MS = 2_000;

async function add(alert: Alert, { outbox, clock, random }: AlertPorts): Promise<'added' | 'known'> {
  for (let conflicts = 0; ; conflicts += 1) {
    const outcome = await outbox.add(alert, clock.now() + LEASE_MS);
    if (outcome !== 'conflict') return outcome;
    if (conflicts === MAX_CONFLICTS) throw new Error('the outbox of alerts had conflicts for too long');
    await clock.sleep(random.fraction() * Math.min(BACKOFF_MAX_MS, BACKOFF_BASE_MS * 2 ** conflicts));
  }
}

interface RaiseResult {
  readonly open: readonly WatchedOwner[];
  readonly unsent: UnsentAlerts;
}

/** Records and sends shares that are reached and not `known` to be recorded. Throws as `raise` does. */
async function raiseFor(
  entries: readonly AlertedEntry[],
  known: BoundedMap<true>,
  ports: AlertPorts,
): Promise<RaiseResult> {
  const { alerts, open } = await findAlerts(entries, ports.clock.now(), ports);
  const added = await Promise.allSettled(
    alerts
      .filter(({ id }) => !known.get(id))
      .map(async (alert): Promise<AlertRecord | undefined> => {
        const outcome = await add(alert, ports);
        known.put(alert.id, true);
        return outcome === 'added' ? { alert, sentAtMs: {} } : undefined;
      }),
  );
  // Even when others failed: no other function sends these before their leases expire.
  const unsent = await sendAlerts(
    added.flatMap((one) => (one.status === 'fulfilled' ? (one.value ?? []) : [])),
    ports,
  );
  const failed = added.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return { open, unsent };
}

/** Records owners to watch, each once a day. */
function createWatching({ watch, clock }: AlertPorts): (owner: WatchedOwner) => Promise<void> {
  const watched = createBoundedMap<number>(MAX_KNOWN);
  return async (owner) => {
    const name = nameOwner(owner);
    const nowMs = clock.now();
    if (nowMs - (watched.get(name) ?? -Infinity) < REWATCH_MS) return;
    await watch.watch(owner, Math.ceil((nowMs + WATCHED_MS) / 1000));
    watched.put(name, nowMs);
  };
}

/** Remembers recorded alerts and watched owners between batches. */
export function createAlerts(ports: AlertPorts): Alerts {
  const { outbox, clock, watch } = ports;
  const known = createBoundedMap<true>(MAX_KNOWN);
  const keepWatched = createWatching(ports);
  let watchedUpTo: string | undefined;
  return {
    async raise(entries) {
      const { open, unsent } = await raiseFor(entries, known, ports);
      // Without it, alerts are raised by entries, when runs end.
      await Promise.allSettled(open.map(keepWatched));
      return unsent;
    },
    async raiseWatched() {
      const nowMs = clock.now();
      const { owners, next } = await watch.listWatched(nowMs, { maximum: MAX_WATCHED, after: watchedUpTo });
      watchedUpTo = next;
      const times = [nowMs - PAST_MS, nowMs];
      const entries = owners.flatMap((owner) => times.map((timeMs) => ({ ...owner, timeMs })));
      return (await raiseFor(entries, known, ports)).unsent;
    },
    async sendDue() {
      const due = await outbox.listDue(clock.now(), MAX_DUE);
      const leased: AlertRecord[] = [];
      for (const one of due) {
        const record = await outbox.lease(one, clock.now(), clock.now() + LEASE_MS);
        if (record !== undefined) leased.push(record);
      }
      return sendAlerts(leased, ports);
    },
  };
}

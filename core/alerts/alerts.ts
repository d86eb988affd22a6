// Alerts of usage limits: found with each batch of log entries, recorded once, sent at once and otherwise later.

import { type BoundedMap, createBoundedMap } from '../async/bounded-map.ts';
import type { Alert, AlertRecord, AlertWatch, WatchedOwner } from '../ports/alerts.ts';
import type { Random } from '../ports/platform.ts';
import type { Clock } from '../time/clock.ts';
import { type AlertedEntry, type FindPorts, findAlerts, nameOwner } from './find-alerts.ts';
import { type SendPorts, sendAlerts, type Unsent } from './send-alerts.ts';

/** What alerts need. */
export interface AlertPorts extends FindPorts, SendPorts {
  readonly watch: AlertWatch;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly random: Pick<Random, 'fraction'>;
}

/** The alerts of one environment. */
export interface Alerts {
  /**
   * Records and sends what the windows of these entries have reached. Throws when it could not be found out or recorded: the entries
   * must then come again, which raises nothing twice.
   */
  raise(entries: readonly AlertedEntry[]): Promise<Unsent>;
  /** The same for owners that were called lately, without an entry: a run may use a limit long before it ends. */
  raiseWatched(): Promise<Unsent>;
  /** Sends what was recorded and not sent. Throws when the outbox cannot be read. */
  sendDue(): Promise<Unsent>;
}

/**
 * How long whoever claims an alert is alone with it. Twice what an invocation may take: when a claim expires, its holder is gone, and
 * clocks that disagree by seconds do not matter.
 */
const CLAIM_MS = 120_000;

/** Alerts that this environment has seen recorded, so that a share that was reached long ago costs no write with each batch. */
const MAX_KNOWN = 10_000;

/** Alerts of one sweep: an invocation has a minute, and each may take some seconds where a channel does not answer. */
const MAX_DUE = 100;

/** Owners that are looked at each minute. Where there are more, they take turns; what an entry says is found with the entry all the same. */
const MAX_WATCHED = 500;
/** Who was called is watched for two days, and written down once a day by each environment. */
const WATCHED_MS = 2 * 86_400_000;
const REWATCH_MS = 86_400_000;
/** A window that ended just now may have been used up to its end. */
const PAST_MS = 120_000;

/** Environments that see the same entries or the same window write the same record. */
const MAX_CONFLICTS = 8;
/** Exponential backoff with full jitter: 0 to 50 ms · 2ⁿ, at most 2 s. */
const BACKOFF_BASE_MS = 50;
const BACKOFF_MAX_MS = 2_000;

async function add(alert: Alert, { outbox, clock, random }: AlertPorts): Promise<'added' | 'known'> {
  for (let conflicts = 0; ; conflicts += 1) {
    const outcome = await outbox.add(alert, clock.now() + CLAIM_MS);
    if (outcome !== 'conflict') return outcome;
    if (conflicts === MAX_CONFLICTS) throw new Error('the outbox of alerts had conflicts for too long');
    await clock.sleep(random.fraction() * Math.min(BACKOFF_MAX_MS, BACKOFF_BASE_MS * 2 ** conflicts));
  }
}

/** What one look at entries came to. */
interface Raised {
  readonly open: readonly WatchedOwner[];
  readonly unsent: Unsent;
}

/** Records and sends what is reached and not `known` to be recorded. Throws as `raise` does. */
async function raiseFor(
  entries: readonly AlertedEntry[],
  known: BoundedMap<true>,
  ports: AlertPorts,
): Promise<Raised> {
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
  // Whatever happened to the others: nobody else sends these before their claims expire.
  const unsent = await sendAlerts(
    added.flatMap((one) => (one.status === 'fulfilled' ? (one.value ?? []) : [])),
    ports,
  );
  const failed = added.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return { open, unsent };
}

/** Writes down who is to be looked at without an entry, each once a day. */
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

/** Keeps what is known to be recorded and watched, between batches. */
export function createAlerts(ports: AlertPorts): Alerts {
  const { outbox, clock, watch } = ports;
  const known = createBoundedMap<true>(MAX_KNOWN);
  const keepWatched = createWatching(ports);
  let watchedUpTo: string | undefined;
  return {
    async raise(entries) {
      const { open, unsent } = await raiseFor(entries, known, ports);
      // Where it fails, entries still raise everything: only later, as runs end.
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
      const claimed: AlertRecord[] = [];
      for (const one of due) {
        const record = await outbox.claim(one, clock.now(), clock.now() + CLAIM_MS);
        if (record !== undefined) claimed.push(record);
      }
      return sendAlerts(claimed, ports);
    },
  };
}

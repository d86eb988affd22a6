// Alerts as items of the usage table: a record that is written once, and beside it a pending item while the alert is unsent.
import { ALERT_PARTITIONS } from '../../../core/contract/tables.ts';
import {
  ALERT_CHANNELS,
  type Alert,
  type AlertChannelName,
  type AlertRecord,
  type DueAlert,
  type WatchedOwner,
} from '../../../core/ports/alerts.ts';
import { toIso } from '../../../core/time/iso.ts';
import type { Item } from '../client.ts';

/** The partition of all unsent alerts of a stage. */
export const PENDING_PARTITION = ALERT_PARTITIONS.pending;

/** Records expire a year after their window: an alert can be looked up until the next year's month ends. */
const RECORD_SECONDS = 366 * 86_400;
/** An unsent alert is tried every minute, and dropped after this. */
const PENDING_SECONDS = 30 * 86_400;

export function alertPartition(organizationId: string): string {
  return `${PENDING_PARTITION}#${organizationId}`;
}

/** The key of a record: one for each id, since the window is part of the id. */
export function recordKeys({ organizationId, windowStartMs, id }: DueAlert): { pk: string; sk: string } {
  return { pk: alertPartition(organizationId), sk: `${toIso(windowStartMs)}#${id}` };
}

/** The key of a pending item; items are in the order in which alerts were found. */
export function pendingKeys({ atMs, id }: DueAlert): { pk: string; sk: string } {
  return { pk: PENDING_PARTITION, sk: `${toIso(atMs)}#${id}` };
}

/** Copies of the records of all organizations by the start of their window, which operators list together. */
export function currentPartition(period: Alert['period'], timeMs: number): string {
  // Windows are days and months of UTC.
  return `SERVICE#${PENDING_PARTITION}#${toIso(timeMs).slice(0, period === 'month' ? 7 : 10)}`;
}

export function currentKeys(alert: Alert): { pk: string; sk: string } {
  return {
    pk: currentPartition(alert.period, alert.windowStartMs),
    sk: `${alert.organizationId}#${alert.id}`,
  };
}

/** A copy expires with its window. */
export function currentAttributes(alert: Alert): Item {
  return { ...alert, expiresAt: Math.ceil(alert.windowEndMs / 1000) };
}

/** Watched owners come after the unsent alerts, whose sort keys begin with a date. */
export const WATCH_PREFIX = 'WATCH#';

export function watchKeys({ organizationId, keyId = '' }: WatchedOwner): { pk: string; sk: string } {
  return { pk: PENDING_PARTITION, sk: `${WATCH_PREFIX}${organizationId}#${keyId}` };
}

export function toWatchedOwner(item: Item): WatchedOwner {
  return {
    organization: String(item['organization']),
    organizationId: String(item['organizationId']),
    keyId: item['keyId'] === undefined ? undefined : String(item['keyId']),
  };
}

/** The attribute of a record that holds when a channel sent the alert. */
export function sentAttribute(channel: AlertChannelName): string {
  return `${channel}SentAtMs`;
}

export function recordAttributes(alert: Alert): Item {
  return { ...alert, expiresAt: Math.floor(alert.windowEndMs / 1000) + RECORD_SECONDS };
}

export function pendingAttributes(alert: DueAlert, leasedUntilMs: number): Item {
  const { id, organizationId, windowStartMs, atMs } = alert;
  const expiresAt = Math.floor(atMs / 1000) + PENDING_SECONDS;
  return { id, organizationId, windowStartMs, atMs, leasedUntilMs, expiresAt };
}

/** Reads a pending item back. */
export function toDueAlert(item: Item): DueAlert {
  return {
    id: String(item['id']),
    organizationId: String(item['organizationId']),
    windowStartMs: Number(item['windowStartMs']),
    atMs: Number(item['atMs']),
  };
}

export function toAlertRecord(item: Item): AlertRecord {
  const sent = ALERT_CHANNELS.flatMap((channel) => {
    const atMs = item[sentAttribute(channel)];
    return atMs === undefined ? [] : [[channel, Number(atMs)] as const];
  });
  return {
    alert: {
      ...toDueAlert(item),
      organization: String(item['organization']),
      keyId: item['keyId'] === undefined ? undefined : String(item['keyId']),
      metric: item['metric'] as Alert['metric'],
      period: item['period'] as Alert['period'],
      windowEndMs: Number(item['windowEndMs']),
      share: Number(item['share']),
      limit: Number(item['limit']),
      used: Number(item['used']),
    },
    sentAtMs: Object.fromEntries(sent),
  };
}

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
import type { Item } from '../client.ts';

/** The partition of all unsent alerts of a stage. */
export const PENDING_PARTITION = ALERT_PARTITIONS.pending;

/** Records end a year after their window: a month that was alerted can be looked up in the next year. */
const RECORD_SECONDS = 366 * 86_400;
/** Nobody needs an alert that could not be sent for so long; until then it is tried every minute. */
const PENDING_SECONDS = 30 * 86_400;

/** The partition of an organization's records. */
export function alertPartition(organizationId: string): string {
  return `${PENDING_PARTITION}#${organizationId}`;
}

/** The key of a record: one for each id, since the window is part of the id. */
export function recordKeys({ organizationId, windowStartMs, id }: DueAlert): { pk: string; sk: string } {
  return { pk: alertPartition(organizationId), sk: `${new Date(windowStartMs).toISOString()}#${id}` };
}

/** The key of a pending item, in the order in which alerts were found. */
export function pendingKeys({ atMs, id }: DueAlert): { pk: string; sk: string } {
  return { pk: PENDING_PARTITION, sk: `${new Date(atMs).toISOString()}#${id}` };
}

/** Watched owners stand behind the unsent alerts, which begin with a date. */
export const WATCH_PREFIX = 'WATCH#';

/** The key of a watched owner. */
export function watchKeys({ organizationId, keyId = '' }: WatchedOwner): { pk: string; sk: string } {
  return { pk: PENDING_PARTITION, sk: `${WATCH_PREFIX}${organizationId}#${keyId}` };
}

/** Reads a watched owner back. */
export function toWatchedOwner(item: Item): WatchedOwner {
  return {
    organization: String(item['organization']),
    organizationId: String(item['organizationId']),
    keyId: item['keyId'] === undefined ? undefined : String(item['keyId']),
  };
}

/** The attribute in which a record has the time of a channel. */
export function sentAttribute(channel: AlertChannelName): string {
  return `${channel}SentAtMs`;
}

/** What a record says of its alert. */
export function recordAttributes(alert: Alert): Item {
  return { ...alert, expiresAt: Math.floor(alert.windowEndMs / 1000) + RECORD_SECONDS };
}

/** What a pending item says. */
export function pendingAttributes(alert: DueAlert, claimedUntilMs: number): Item {
  const { id, organizationId, windowStartMs, atMs } = alert;
  const expiresAt = Math.floor(atMs / 1000) + PENDING_SECONDS;
  return { id, organizationId, windowStartMs, atMs, claimedUntilMs, expiresAt };
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

/** Reads a record back. */
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

// Ports of alerts: the outbox in which each is recorded once, the channels that it is sent to, and the list for operators.
import type { AlertDetail } from '../contract/alert-event.ts';

/** A share of a usage limit that was reached in a window. Amounts in requests, tokens or microdollars; times since the Unix epoch. */
export interface Alert {
  /** Depends on share, limit and window only, so that consumers can drop repetitions by it. */
  readonly id: string;
  /** Slug. */
  readonly organization: string;
  readonly organizationId: string;
  /** The API key whose limit it is; undefined for a limit of the organization. */
  readonly keyId: string | undefined;
  readonly metric: AlertDetail['metric'];
  readonly period: AlertDetail['period'];
  readonly windowStartMs: number;
  readonly windowEndMs: number;
  /** In percent. */
  readonly share: number;
  readonly limit: number;
  /** The amount when the share was found to be reached; more may have been used since. */
  readonly used: number;
  readonly atMs: number;
}

export const ALERT_CHANNELS = ['eventBus', 'topic'] as const;
export type AlertChannelName = (typeof ALERT_CHANNELS)[number];

export interface AlertChannel {
  readonly name: AlertChannelName;
  /** Sends it once. Throws when it was not sent, and when that is unknown. */
  send(detail: AlertDetail): Promise<void>;
}

/** An alert with the times at which its channels took it, in milliseconds since the Unix epoch. */
export interface AlertRecord {
  readonly alert: Alert;
  readonly sentAtMs: Readonly<Partial<Record<AlertChannelName, number>>>;
}

export type DueAlert = Pick<Alert, 'id' | 'organizationId' | 'windowStartMs' | 'atMs'>;

/**
 * Alerts that have been found, each once. An unsent one is sent under a lease, by one function at a time. Methods throw on failure.
 */
export interface AlertOutbox {
  /** Records an alert as unsent and leases it. `known`: it was recorded before. `conflict`: a concurrent write. Neither changes anything. */
  add(alert: Alert, leasedUntilMs: number): Promise<'added' | 'known' | 'conflict'>;
  /** Unsent alerts without a lease, the oldest first. */
  listDue(nowMs: number, maximum: number): Promise<readonly DueAlert[]>;
  /** Leases one of them. Undefined when it is leased or sent already. */
  lease(due: DueAlert, nowMs: number, leasedUntilMs: number): Promise<AlertRecord | undefined>;
  markSent(alert: Alert, channel: AlertChannelName, atMs: number): Promise<void>;
  /** Ends the lease of an alert that could not be sent. */
  release(alert: Alert): Promise<void>;
  /** Removes an alert from the unsent ones when all channels have taken it; its record stays. */
  settle(alert: Alert): Promise<void>;
}

/** The owner of watched limits: an organization, or one of its API keys. */
export type WatchedOwner = Pick<Alert, 'organization' | 'organizationId' | 'keyId'>;

export interface WatchedPage {
  readonly owners: readonly WatchedOwner[];
  /** The start of the next page; undefined after the last. */
  readonly next: string | undefined;
}

/**
 * Owners of limits with alerts whose neurons were called lately: runs in progress have no entry, and may have used a limit already.
 * Methods throw on failure.
 */
export interface AlertWatch {
  /** Adds an owner, or extends its time. Unix epoch seconds. */
  watch(owner: WatchedOwner, expiresAt: number): Promise<void>;
  /** A page of owners whose time is not over. `after` is the `next` of the page before. */
  listWatched(
    nowMs: number,
    page: { readonly maximum: number; readonly after?: string | undefined },
  ): Promise<WatchedPage>;
}

export interface AlertReader {
  /** Alerts of all organizations whose windows contain this time, in no order. As bounded as their number. */
  listCurrent(nowMs: number): AsyncIterable<Alert>;
  /** The alerts of one organization and its keys, until a year after their window. */
  list(organizationId: string): AsyncIterable<AlertRecord>;
}

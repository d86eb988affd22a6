// Ports of alerts: the outbox in which each is recorded once, the channels that it is sent to, and the list for operators.
import type { AlertDetail } from '../contract/alert-event.ts';

/** A share of a usage limit that was reached in a window. Amounts in requests, tokens or microdollars; times since the Unix epoch. */
export interface Alert {
  /** The same for the same share, limit and window, whoever finds it and however often: consumers drop repetitions by it. */
  readonly id: string;
  /** Slug. */
  readonly organization: string;
  readonly organizationId: string;
  /** Of a limit of an API key; undefined for one of the organization. */
  readonly keyId: string | undefined;
  readonly metric: AlertDetail['metric'];
  readonly period: AlertDetail['period'];
  readonly windowStartMs: number;
  readonly windowEndMs: number;
  /** In percent. */
  readonly share: number;
  readonly limit: number;
  /** When it was found to be reached; more may have been used since. */
  readonly used: number;
  readonly atMs: number;
}

/** Where alerts go. */
export const ALERT_CHANNELS = ['eventBus', 'topic'] as const;
export type AlertChannelName = (typeof ALERT_CHANNELS)[number];

/** One way to send an alert. */
export interface AlertChannel {
  readonly name: AlertChannelName;
  /** Sends it once. Throws when it was not sent, and when nobody knows whether it was. */
  send(detail: AlertDetail): Promise<void>;
}

/** An alert with the times at which its channels took it, in milliseconds since the Unix epoch. */
export interface AlertRecord {
  readonly alert: Alert;
  readonly sentAtMs: Readonly<Partial<Record<AlertChannelName, number>>>;
}

/** Names an unsent alert. */
export type DueAlert = Pick<Alert, 'id' | 'organizationId' | 'windowStartMs' | 'atMs'>;

/**
 * Alerts that have been found, each once. Whoever has claimed an unsent one is alone in sending it until the claim expires. Methods
 * throw on failure.
 */
export interface AlertOutbox {
  /** Records an alert as unsent and claims it. `known`: it was recorded before. `conflict`: somebody writes it now. Neither changes anything. */
  add(alert: Alert, claimedUntilMs: number): Promise<'added' | 'known' | 'conflict'>;
  /** Unsent alerts whose claim has expired or was released, the longest waiting first. */
  listDue(nowMs: number, maximum: number): Promise<readonly DueAlert[]>;
  /** Claims one of them. Undefined when somebody else has, or has sent it. */
  claim(due: DueAlert, nowMs: number, claimedUntilMs: number): Promise<AlertRecord | undefined>;
  /** Records that a channel took it. */
  markSent(alert: Alert, channel: AlertChannelName, atMs: number): Promise<void>;
  /** Ends the claim of an alert that could not be sent. */
  release(alert: Alert): Promise<void>;
  /** Takes an alert that all channels took from the unsent ones; its record stays. */
  settle(alert: Alert): Promise<void>;
}

/** Whose limits are watched: an organization, or one of its API keys. */
export type WatchedOwner = Pick<Alert, 'organization' | 'organizationId' | 'keyId'>;

/** Some of the watched owners. */
export interface WatchedPage {
  readonly owners: readonly WatchedOwner[];
  /** Where the next page begins; undefined behind the last. */
  readonly next: string | undefined;
}

/**
 * Owners of limits with alerts that were called lately. Runs that are still going on have no entry, and may have used a limit all the
 * same. Methods throw on failure.
 */
export interface AlertWatch {
  /** Adds an owner, or keeps one that is there until then. Unix epoch seconds. */
  watch(owner: WatchedOwner, expiresAt: number): Promise<void>;
  /** A page of owners, without those whose time is over. It begins behind `after`, which is the `next` of the page before. */
  listWatched(
    nowMs: number,
    page: { readonly maximum: number; readonly after?: string | undefined },
  ): Promise<WatchedPage>;
}

/** Recorded alerts, for operators. */
export interface AlertReader {
  /** Of one organization, its keys included, until a year after their window. */
  list(organizationId: string): AsyncIterable<AlertRecord>;
}

// Shapes that `neuron limits` and `neuron alerts` print with --json. The page of `neuron console` reads the same.

import type { Alert } from '../../core/ports/alerts.ts';

/** A limit, cost in microdollars. Numbers are null for counters that were not read. Runs at once have no period and no reset. */
export interface ListedLimit {
  readonly organization: string;
  /** Null for a usage limit of the organization or of one of its API keys. */
  readonly neuron: string | null;
  /** Null for a limit of no API key. */
  readonly keyId: string | null;
  readonly metric: string;
  readonly scope: string;
  /** The callers that it is for, by a claim of their token; null for all. */
  readonly when: { readonly claim: string; readonly is: readonly string[] } | null;
  readonly period: string | null;
  readonly used: number | null;
  readonly held: number | null;
  readonly limit: number;
  readonly remaining: number | null;
  readonly resetsAt: string | null;
}

/** An alert: amounts in requests, tokens or microdollars; times are ISO 8601 in UTC. */
export interface ListedAlert extends Pick<Alert, 'id' | 'metric' | 'period' | 'share' | 'limit' | 'used'> {
  /** Time when the share was found to be reached. */
  readonly at: string;
  /** Null for a limit of the organization. */
  readonly keyId: string | null;
  readonly windowStart: string;
  readonly windowEnd: string;
  /** Time when EventBridge took it; null while it is unsent. */
  readonly eventBusAt: string | null;
  /** Time when the alarm topic took it; null while it is unsent, and where the stage has no topic. */
  readonly topicAt: string | null;
}

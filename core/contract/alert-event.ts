// The event that tells of a used share of a usage limit, as docs/alerts.md promises it to consumers.

/** `source` of the event. */
export const EVENT_SOURCE = 'neuron-execution-service';
/** `detail-type` of the event. */
export const EVENT_TYPE = 'Usage Limit Share Reached';

/** The event's `detail`, documented in docs/alerts.md. Members are only ever added. Times are ISO 8601 in UTC. */
export interface AlertDetail {
  readonly version: 1;
  readonly id: string;
  readonly stage: string;
  readonly organization: string;
  readonly organizationId: string;
  /** Null for a limit of the organization. */
  readonly keyId: string | null;
  readonly metric: 'requests' | 'tokens' | 'cost';
  readonly period: 'day' | 'month';
  readonly windowStart: string;
  readonly windowEnd: string;
  /** In percent. */
  readonly share: number;
  readonly limit: number;
  readonly used: number;
  readonly unit: 'requests' | 'tokens' | 'microdollars';
  readonly at: string;
  /** One sentence for people. */
  readonly summary: string;
}

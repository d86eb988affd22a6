// What `neuron alerts` prints with --json. Types alone: the page of `neuron console` reads the same.
import type { Alert } from '../../core/ports/alerts.ts';

/** An alert: amounts in requests, tokens or microdollars; times are ISO 8601 in UTC. */
export interface ListedAlert extends Pick<Alert, 'id' | 'metric' | 'period' | 'share' | 'limit' | 'used'> {
  /** When the share was found to be reached. */
  readonly at: string;
  /** Null for a limit of the organization. */
  readonly keyId: string | null;
  readonly windowStart: string;
  readonly windowEnd: string;
  /** When EventBridge took it; null while it is unsent. */
  readonly eventBusAt: string | null;
  /** When the alarm topic took it; null while it is unsent, and where the stage has no topic. */
  readonly topicAt: string | null;
}

// Ports to the stores that a request reads and writes. Every method throws on failure.
import type { LogEntry } from '../contract/log-entry.ts';

/**
 * An organization has one JSON secret for each function that reads secrets: `providers` for calls of neurons, the log's HMAC key among them, and
 * `jwt` for the authorizer.
 */
export type SecretPurpose = 'providers' | 'jwt';

/** Secrets of an organization, by purpose and name. */
export interface SecretReader {
  /** Undefined when no such secret is set. `fresh` skips the cache, at most once in 30 s per secret. */
  read(
    organizationId: string,
    purpose: SecretPurpose,
    name: string,
    detail?: { readonly fresh?: boolean },
  ): Promise<string | undefined>;
}

/** The audit trail; append-only. */
export interface LogStore {
  /** Puts one entry. False, without a change, when there is one with the same execution id and time. */
  put(entry: LogEntry): Promise<boolean>;
}

// Ports to the stores that a request reads and writes. Every method throws on failure; a caller decides what that means.
import type { LogEntry } from '../contract/log-entry.ts';

/** What an organization's secrets are for: one JSON secret each. `log` holds the HMAC key of `bodies: hash`. */
export type SecretPurpose = 'providers' | 'jwt' | 'log';

/** Secrets of an organization, by purpose and name. */
export interface SecretReader {
  /** The value, or undefined when no such secret is set. `fresh` skips the cache, at most once in 30 s per secret. */
  read(
    organizationId: string,
    purpose: SecretPurpose,
    name: string,
    detail?: { readonly fresh?: boolean },
  ): Promise<string | undefined>;
}

/** The audit trail; append-only. */
export interface LogStore {
  /** Puts one entry. False when the same execution id was there at the same time: that changes nothing. */
  put(entry: LogEntry): Promise<boolean>;
}

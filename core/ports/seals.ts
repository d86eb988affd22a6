// Ports to the seals of the log: for each organization a hash chain over its entries, in the usage table.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/**
 * An item of the log table as it is stored, every attribute included, as plain JSON: numbers that a double cannot hold are
 * `{"$number":"…"}`, binary is `{"$binary":"base64"}`, sets are `{"$set":[…]}`, `{"$numberSet":[…]}` and `{"$binarySet":[…]}`; within maps
 * a name that begins with `$` has one `$` more.
 */
export type StoredRecord = Readonly<Record<string, Json>>;

/** The chain of entries that belong to no organization, such as those of maintenance. */
export const SERVICE_CHAIN = 'SERVICE';

/** An entry in a seal. It reveals nothing about a caller once the entry is gone: digest and hints include the entry's salt. */
export interface SealedEntry {
  readonly pk: string;
  readonly sk: string;
  /** Seconds since the Unix epoch at which the stream says it was put. */
  readonly putAt: number;
  /** Seconds since the Unix epoch at which its retention ends; null for an item without one. */
  readonly expiresAt: number | null;
  /** Made by `digestRecord` of the whole item. */
  readonly digest: string;
  /** Made by `digestRecord` of each attribute. */
  readonly hints: string;
}

export interface EntryToSeal {
  readonly chain: string;
  readonly line: string;
}

/** One link of a chain. */
export interface Seal {
  readonly format: number;
  /** An organization's id, or `SERVICE`. */
  readonly chain: string;
  /** From 1, without gaps. */
  readonly sequence: number;
  /** The hash of the previous link; 64 zeros in the first. */
  readonly previous: string;
  /** When the previous link was sealed; 0 in the first. Distinguishes a chain whose beginning has expired from one that was cut. */
  readonly previousAtMs: number;
  /** Milliseconds since the Unix epoch, by the clock of the function that sealed. */
  readonly sealedAtMs: number;
  /** The sealed entries in the order of the stream: a line of JSON for each (`renderSealedEntry`). */
  readonly lines: string;
  /** SHA-256 over the members above, in hex. */
  readonly hash: string;
}

/** The newest link of a chain. */
export type SealHead = Pick<Seal, 'chain' | 'sequence' | 'hash' | 'sealedAtMs'>;

/**
 * Retention of seals: the longest retention of an entry (365 days), and the 35 days within which a table can be restored to an
 * earlier time.
 */
export const SEAL_RETENTION_MS = 400 * 86_400_000;

/** The heads of chains for the function that appends to them. Strongly consistent. */
export interface SealHeads {
  /** The newest link; undefined for an empty chain. */
  read(chain: string): Promise<SealHead | undefined>;
}

/** The chains for auditors. Strongly consistent. */
export interface SealReader extends SealHeads {
  /** Every stored seal of a chain, in order. */
  seals(chain: string): AsyncIterable<StoredSeal>;
}

/** An item of a chain. `seal` is undefined for an incomplete item. */
export interface StoredSeal {
  /** From the item's key; NaN for another key. */
  readonly sequence: number;
  readonly seal: Seal | undefined;
}

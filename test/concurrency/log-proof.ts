// Writes docs/proof/log-200000.json: what the first page of every access pattern took in a log of that many entries.
import { writeProof } from '../../bench/write-proof.ts';

/** How many entries the proof is of. */
export const PROVEN_ENTRIES = 200_000;

/** What decides on which reads there are and what they cost. */
const SOURCES = [
  'adapters/dynamodb/log-buckets.ts',
  'adapters/dynamodb/log-items.ts',
  'adapters/dynamodb/log-keys.ts',
  'adapters/dynamodb/log-reader.ts',
  'adapters/dynamodb/merge-sorted.ts',
  'core/contract/tables.ts',
];

/** What was measured of one access pattern. */
export interface FirstPage {
  readonly pattern: string;
  /** Shown; 100 are a page. */
  readonly entries: number;
  readonly milliseconds: number;
  /** Queries, and reads of one item. */
  readonly reads: number;
  readonly items: number;
  /** Read units that were consumed, and those of the items alone: each read may consume one more. */
  readonly units: number;
  readonly unitsOfItems: number;
}

/** What was measured in all. */
export interface LogProof {
  readonly fillSeconds: number;
  readonly shards: number;
  readonly hours: number;
  readonly firstPages: readonly FirstPage[];
}

/** To be called when every pattern held. */
export const writeLogProof = (measured: LogProof): Promise<void> =>
  writeProof('log-200000', { entries: PROVEN_ENTRIES, ...measured }, SOURCES);

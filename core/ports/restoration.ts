// Port to tables as such, for `neuron restore`: what they are, their items as they are stored, and what a restored table lacks.
import type { KeySchema } from '../contract/tables.ts';
import type { StoredRecord } from './seals.ts';
import type { PlacedEntry, UsageMark } from './usage.ts';

/** Properties of a table that DynamoDB does not restore with it. */
export type TableFeature = 'timeToLive' | 'stream' | 'pointInTimeRecovery' | 'deletionProtection';

/** A table as DynamoDB describes it. */
export interface TableState {
  readonly name: string;
  readonly arn: string;
  /** False while it is created, restored or changed. */
  readonly isActive: boolean;
  /** Undefined for keys that are no text. */
  readonly key: KeySchema | undefined;
  /** ARN of the table that it was restored from; undefined for any other table. */
  readonly restoredFrom: string | undefined;
  /** Undefined where the store does not say, as in a local run. */
  readonly features: Readonly<Record<TableFeature, boolean | undefined>>;
  readonly streamArn: string | undefined;
}

/** An item; `raw` is as the store gave it, so that a copy of it is exact. */
export interface CopiedItem {
  readonly record: StoredRecord;
  /** The log entry, for an item that is counted. */
  readonly entry: PlacedEntry | undefined;
  readonly raw: unknown;
}

/** Every method throws on failure. */
export interface TableAdmin {
  /** Undefined where there is no such table. */
  describe(table: string): Promise<TableState | undefined>;
  /** Every item, in pages and any order. */
  scan(table: string): AsyncIterable<readonly CopiedItem[]>;
  /** Strongly consistent. */
  find(table: string, pk: string, sk: string | undefined): Promise<StoredRecord | undefined>;
  /** False, without a change, where there is an item with this key. */
  putNew(table: string, item: CopiedItem): Promise<boolean>;
  /** Marks entries as counted, so that the stream counts and seals none of them again. */
  addMarks(usageTable: string, marks: readonly UsageMark[]): Promise<void>;
  /** Turns features on, one after the other, and waits until the table is active. */
  turnOn(table: string, features: readonly TableFeature[], timeToLive: string | undefined): Promise<void>;
}

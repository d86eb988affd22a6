// Port to what the tables hold of a person, to erase it and to hand it out.
import type { StoredRecord } from './seals.ts';
import type { StoredPosition } from './stored-entries.ts';
import type { CountedEntry, UsageRow } from './usage.ts';

/** A person, as the log names them, and the time in which to look. */
export interface Person {
  readonly organizationId: string;
  readonly username: string;
  /** Other names of the same person, which tags may hold: a name and its digest. */
  readonly otherNames?: readonly string[] | undefined;
  /** Milliseconds since the Unix epoch; `toMs` is exclusive. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** Each name by which tags may name the person. */
export function namesOf({ username, otherNames = [] }: Person): readonly string[] {
  return [username, ...otherNames];
}

/** The parts of the tables beside the log. `keptAnswers`: those of idempotency keys. */
export const PERSONAL_PLACES = ['usage', 'cachedAnswers', 'keptAnswers', 'counters'] as const;

export type PersonalPlace = (typeof PERSONAL_PLACES)[number];

/** An item that is of the person alone. */
export interface PersonalItem {
  readonly place: PersonalPlace;
  readonly pk: string;
  readonly sk?: string;
  /** The item, and items that are of no use without it; binary as base64. */
  readonly record: StoredRecord;
}

/** Names the change that erased an entry; only an entry that was erased has it. */
export const ERASED_BY = 'erasedBy';

/** Facts that answers and counters are found by. */
export interface PersonalRuns {
  readonly neuronIds: ReadonlySet<string>;
  readonly executionIds: ReadonlySet<string>;
  /** The digest of the person in keys of kept answers, and those in keys of counters. */
  readonly answerSubject: string;
  readonly counterSubjects: ReadonlySet<string>;
}

export interface ErasedRest {
  readonly changeId: string;
  /** Attributes of the record, or members of them, and no others. */
  readonly of: (record: StoredRecord) => StoredRecord;
  /** Rows of usage in which the entry was counted, and that its rest is not counted in. */
  readonly lostUsage: (entry: CountedEntry, rest: StoredRecord) => readonly UsageRow[];
}

/** Every method throws on failure, and can be called again. */
export interface PersonalData {
  /** Throws where the rights to erase are lacking, so that no change says what was never begun. Reads one item. */
  requireRights(): Promise<void>;
  /** Keys of the log's entries, newest hours first. `onHour` gets the number of hours that were read, and of all. */
  entries(person: Person, onHour?: (read: number, all: number) => void): AsyncIterable<StoredPosition>;
  /** The entry at each of these positions, in their order. Strongly consistent; undefined where it is gone or erased. */
  find(person: Person, positions: readonly StoredPosition[]): Promise<readonly (StoredRecord | undefined)[]>;
  /**
   * Puts the rest of an entry, and the id of the change, in its place, and takes its amounts from the usage of tags that the rest lacks. False,
   * without a change, where it is gone or erased.
   */
  erase(person: Person, position: StoredPosition, rest: ErasedRest): Promise<boolean>;
  /** Rows of the username, and of tags that have one of the names, which others may have used as well. */
  usage(person: Person): AsyncIterable<PersonalItem>;
  /** Cached and kept answers: reads the whole table. */
  answers(runs: PersonalRuns): AsyncIterable<PersonalItem>;
  /** Counters of limits: reads the whole table. */
  counters(runs: PersonalRuns): AsyncIterable<PersonalItem>;
  /** Deletes it, and what is of no use without it. False for a row of a tag that counts calls of others. */
  remove(item: PersonalItem): Promise<boolean>;
}

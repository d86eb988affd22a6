// The steps of an erasure, each of which can be run again.
import { mapAtOnce } from '../../async/at-once.ts';
import { toErasedRecord } from '../../logs/erasure/erased-record.ts';
import type { ChangeWriter } from '../../ports/change-log.ts';
import { namesOf, type Person, type PersonalData, type PersonalPlace } from '../../ports/personal-data.ts';
import type { StoredRecord } from '../../ports/seals.ts';
import type { CountedEntry, UsageReader, UsageRow } from '../../ports/usage.ts';
import { isJsonObject } from '../../text/json.ts';
import type { Clock } from '../../time/clock.ts';
import { usageOf } from '../../usage/entry-usage.ts';
import type { RecordChange } from '../record-change.ts';
import { type FoundEntries, type FoundEntry, isOfPersonAlone } from './collect.ts';

/** Numbers of what was erased, or would be. */
export type ErasedCounts = Readonly<Record<'entries' | PersonalPlace, number>>;

export interface ErasePorts {
  readonly personalData: PersonalData;
  readonly recordChange: RecordChange;
  readonly changes: Pick<ChangeWriter, 'end'>;
  readonly usage: Pick<UsageReader, 'isCounted'>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}

/** Thrown where usage has not been added up yet: its rows of the person would come back. Nothing was erased. */
export class UsageBehind extends Error {
  constructor() {
    super('the usage of the newest entries has not been added up');
    this.name = 'UsageBehind';
  }
}

const AT_ONCE = 16;
/** The rollup function takes seconds. */
const MAX_WAIT_MS = 120_000;
const WAIT_MS = 2_000;

/** A run, with what it has erased so far. */
export interface ErasureRun {
  readonly person: Person;
  readonly ports: ErasePorts;
  readonly found: FoundEntries;
  readonly counts: { -readonly [Name in keyof ErasedCounts]: number };
  readonly changes: string[];
}

export async function eraseAnswers({ ports, found, counts }: ErasureRun): Promise<void> {
  const { personalData } = ports;
  for (const list of [personalData.answers(found.runs), personalData.counters(found.runs)])
    for await (const item of list) {
      if (await personalData.remove(item)) counts[item.place] += 1;
    }
}

export async function eraseEntries(
  { person, ports, counts }: ErasureRun,
  id: string,
  entries: readonly FoundEntry[],
) {
  const of = (record: StoredRecord) => toErasedRecord(record, ...namesOf(person));
  const rest = { changeId: id, of, lostUsage: tagsWithoutRest };
  await mapAtOnce(entries, AT_ONCE, async ({ position }) => {
    if (await ports.personalData.erase(person, position, rest)) counts.entries += 1;
  });
}

/** Rows of tags that the rest does not name any more. */
function tagsWithoutRest(entry: CountedEntry, { tags }: StoredRecord): readonly UsageRow[] {
  return usageOf(entry).filter(
    ({ subject }) => subject.kind === 'tag' && !(isJsonObject(tags) && Object.hasOwn(tags, subject.tag)),
  );
}

export async function eraseUsage({ person, ports, counts }: ErasureRun): Promise<void> {
  for await (const item of ports.personalData.usage(person))
    if (isOfPersonAlone(item, new Map()) && (await ports.personalData.remove(item))) counts.usage += 1;
}

/** An entry that is counted later would bring the person's row of usage back. */
export async function waitUntilCounted(
  entries: readonly FoundEntry[],
  { usage, clock }: Pick<ErasePorts, 'usage' | 'clock'>,
): Promise<void> {
  const endMs = clock.now() + MAX_WAIT_MS;
  let left = entries.flatMap(({ mark }) => mark ?? []);
  for (;;) {
    const counted = await mapAtOnce(left, AT_ONCE, (mark) => usage.isCounted(mark));
    left = left.filter((_, index) => counted[index] !== true);
    if (left.length === 0) return;
    if (clock.now() >= endMs) throw new UsageBehind();
    await clock.sleep(WAIT_MS);
  }
}

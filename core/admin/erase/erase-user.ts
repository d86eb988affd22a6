// Erases what the tables hold of a person, under changes that name each entry before it is erased. Ended at any step, it goes on when it is run again.
import { type ChangeDescription, ERASE_ACTION } from '../../contract/change-entry.ts';
import type { ErasedName } from '../../logs/erasure/erased-name.ts';
import { MAX_ERASED_ENTRIES, packTags } from '../../logs/erasure/erased-tags.ts';
import { PERSONAL_PLACES, type Person } from '../../ports/personal-data.ts';
import { collectEntries, type FoundEntry, listItems } from './collect.ts';
import {
  type ErasedCounts,
  type ErasePorts,
  type ErasureRun,
  eraseAnswers,
  eraseEntries,
  eraseUsage,
  waitUntilCounted,
} from './steps.ts';
import type { UnfinishedErasure } from './unfinished.ts';

export interface EraseRequest {
  readonly person: Person;
  /** Slug. */
  readonly organization: string;
  readonly name: ErasedName;
  readonly reason: string;
  readonly neuronIds: readonly string[];
  readonly conditions: readonly string[];
  /** Earlier runs for the same person that were ended. */
  readonly unfinished: readonly UnfinishedErasure[];
  readonly onProgress?: (read: number, all: number) => void;
}

/** Counts, and changes nothing. */
export async function previewErasure(
  { person, onProgress, ...detail }: Pick<EraseRequest, 'person' | 'neuronIds' | 'conditions' | 'onProgress'>,
  { personalData, clock }: Pick<ErasePorts, 'personalData' | 'clock'>,
): Promise<ErasedCounts> {
  const { entries, runs } = await collectEntries(person, personalData, {
    nowMs: clock.now(),
    onProgress,
    ...detail,
  });
  const counts = { ...NOTHING, entries: entries.length };
  for await (const { place } of listItems(person, personalData, runs)) counts[place] += 1;
  return counts;
}

/** The ids of the changes, and what they erased; no change where nothing is kept. Throws `UsageBehind`. */
export async function eraseUser(
  request: EraseRequest,
  ports: ErasePorts,
): Promise<{ readonly changes: readonly string[]; readonly counts: ErasedCounts }> {
  const { person, neuronIds, conditions, unfinished, onProgress } = request;
  const { personalData, clock } = ports;
  const found = await collectEntries(person, personalData, {
    nowMs: clock.now(),
    neuronIds,
    conditions,
    onProgress,
  });
  const run: ErasureRun = { person, ports, found, counts: { ...NOTHING }, changes: [] };
  const groups = groupByChange(found.entries, unfinished);
  const isNothing = groups.length === 0 && (await isEmpty(run));
  if (isNothing) return run;
  await waitUntilCounted(found.entries, ports);
  if (groups.length === 0) groups.push({ changeId: undefined, entries: [] });
  for (const [index, group] of groups.entries())
    await eraseGroup(request, run, group, { isFirst: index === 0, isLast: index === groups.length - 1 });
  return run;
}

/** Entries of one change; one that was begun by an earlier run has an id. */
interface Group {
  readonly changeId: string | undefined;
  readonly entries: readonly FoundEntry[];
  readonly unfinished?: UnfinishedErasure;
}

const NOTHING = Object.fromEntries(['entries', ...PERSONAL_PLACES].map((name) => [name, 0])) as {
  [Name in keyof ErasedCounts]: number;
};

/** Entries that an earlier run named stay with its change; an earlier run that has none left is ended as well. */
function groupByChange(entries: readonly FoundEntry[], unfinished: readonly UnfinishedErasure[]): Group[] {
  const isNamed = ({ tags }: FoundEntry) => unfinished.some((one) => one.names.has(tags.entry));
  const fresh = entries.filter((entry) => !isNamed(entry));
  const count = Math.ceil(fresh.length / MAX_ERASED_ENTRIES);
  return [
    ...unfinished.map((one) => ({
      changeId: one.change.id,
      unfinished: one,
      entries: entries.filter(({ tags }) => one.names.has(tags.entry)),
    })),
    ...Array.from({ length: count }, (_, index) => ({
      changeId: undefined,
      entries: fresh.slice(index * MAX_ERASED_ENTRIES, (index + 1) * MAX_ERASED_ENTRIES),
    })),
  ];
}

async function isEmpty({ person, ports, found }: ErasureRun): Promise<boolean> {
  for await (const _item of listItems(person, ports.personalData, found.runs)) return false;
  return true;
}

/** Answers go while the entries still name them, and usage when nothing can be counted any more. */
async function eraseGroup(
  request: EraseRequest,
  run: ErasureRun,
  { changeId, unfinished, entries }: Group,
  { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
): Promise<void> {
  const { ports } = run;
  const make = async (id: string): Promise<void> => {
    run.changes.push(id);
    if (isFirst) await eraseAnswers(run);
    await eraseEntries(run, id, entries);
    if (isLast) await eraseUsage(run);
  };
  if (changeId === undefined) {
    await ports.recordChange(describeErasure(request, entries), make);
    return;
  }
  await make(changeId);
  if (unfinished !== undefined) await ports.changes.end(unfinished.change, 'made');
}

function describeErasure(
  { person, organization, name, reason }: EraseRequest,
  entries: readonly FoundEntry[],
): ChangeDescription {
  return {
    actions: [ERASE_ACTION],
    organization,
    organizationId: person.organizationId,
    before: undefined,
    after: { user: name, entries: entries.length, reason },
    erased: packTags(entries.map(({ tags }) => tags)),
  };
}

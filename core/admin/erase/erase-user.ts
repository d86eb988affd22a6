// Erases what the tables hold of a person, under changes that name each entry before it is erased. Ended at any step, it goes on when it is run again.
import { type ChangeDescription, ERASE_ACTION } from '../../contract/change-entry.ts';
import type { ErasedName } from '../../logs/erasure/erased-name.ts';
import { MAX_ERASED_ENTRIES, packTags } from '../../logs/erasure/erased-tags.ts';
import { PERSONAL_PLACES, type Person } from '../../ports/personal-data.ts';
import {
  collectEntries,
  type FoundEntries,
  type FoundEntry,
  listItems,
  type TagRequests,
} from './collect.ts';
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

/** One of the names of a person: that of tokens, or its digest. */
export interface NameToErase {
  readonly person: Person;
  readonly name: ErasedName;
  /** Earlier runs for the same name that were ended. */
  readonly unfinished: readonly UnfinishedErasure[];
  /** True where a change of an earlier erasure has the name. */
  readonly isRecorded: boolean;
}

export interface EraseRequest {
  readonly names: readonly NameToErase[];
  /** Slug. */
  readonly organization: string;
  readonly reason: string;
  readonly neuronIds: readonly string[];
  readonly conditions: readonly string[];
  readonly onProgress?: (read: number, all: number) => void;
}

/** Counts what is kept under all names, and changes nothing. */
export async function previewErasure(
  {
    persons,
    onProgress,
    ...detail
  }: Pick<EraseRequest, 'neuronIds' | 'conditions' | 'onProgress'> & { readonly persons: readonly Person[] },
  { personalData, clock }: Pick<ErasePorts, 'personalData' | 'clock'>,
): Promise<ErasedCounts> {
  const counts = { ...NOTHING };
  const tagRequests: TagRequests = new Map();
  const all = { nowMs: clock.now(), onProgress, tagRequests, ...detail };
  const found: [Person, FoundEntries][] = [];
  for (const person of persons) found.push([person, await collectEntries(person, personalData, all)]);
  // A row of a tag may have two of the names.
  const seen = new Set<string>();
  for (const [person, { entries, runs }] of found) {
    counts.entries += entries.length;
    for await (const { place, pk, sk } of listItems(person, personalData, runs, tagRequests)) {
      const key = JSON.stringify([place, pk, sk]);
      if (!seen.has(key)) counts[place] += 1;
      seen.add(key);
    }
  }
  return counts;
}

/** A name, and what is kept under it. */
interface NameRun {
  readonly name: NameToErase;
  readonly run: ErasureRun;
  readonly groups: readonly Group[];
  readonly isKept: boolean;
}

/** The ids of the changes, and what they erased; no change where nothing is kept under any name. Throws `UsageBehind`. */
export async function eraseUser(
  request: EraseRequest,
  ports: ErasePorts,
): Promise<{ readonly changes: readonly string[]; readonly counts: ErasedCounts }> {
  await ports.personalData.requireRights();
  const changes: string[] = [];
  const counts = { ...NOTHING };
  const runs: NameRun[] = [];
  const tagRequests: TagRequests = new Map();
  const found: [NameToErase, ErasureRun][] = [];
  for (const name of request.names)
    found.push([name, await collectRun(request, name, { ports, counts, changes }, tagRequests)]);
  const groups = found.map(([{ unfinished }, run]) => groupByChange(run.found.entries, unfinished));
  // Rows of tags go with the entries of whichever name; where no entries are left, they are reason enough.
  const hasGroups = groups.some((one) => one.length > 0);
  for (const [index, [name, run]] of found.entries()) {
    const own = groups[index] ?? [];
    const isKept = own.length > 0 || !(await isEmpty(run, tagRequests, hasGroups));
    runs.push({ name, run, groups: own, isKept });
  }
  if (!runs.some(({ isKept }) => isKept)) return { changes, counts };
  await waitUntilCounted(
    runs.flatMap(({ run }) => run.found.entries),
    ports,
  );
  // Names under which nothing is kept first: a run that is ended between the two finds the others, and goes on.
  for (const one of runs.toSorted((left, right) => Number(left.isKept) - Number(right.isKept)))
    await eraseName(request, one);
  return { changes, counts };
}

async function collectRun(
  { neuronIds, conditions, onProgress }: EraseRequest,
  { person }: NameToErase,
  shared: Pick<ErasureRun, 'ports' | 'counts' | 'changes'>,
  tagRequests: TagRequests,
): Promise<ErasureRun> {
  const { personalData, clock } = shared.ports;
  const detail = { nowMs: clock.now(), neuronIds, conditions, onProgress, tagRequests };
  return { person, found: await collectEntries(person, personalData, detail), ...shared };
}

/** Nothing of before may come back under a name, whether something is kept under it or not: a change has each. */
async function eraseName(request: EraseRequest, { name, run, groups, isKept }: NameRun): Promise<void> {
  if (!isKept && name.isRecorded) return;
  const all = groups.length > 0 ? groups : [{ changeId: undefined, entries: [] }];
  for (const [index, group] of all.entries())
    await eraseGroup({ request, name, run }, group, {
      isFirst: isKept && index === 0,
      isLast: isKept && index === all.length - 1,
    });
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

/**
 * Entries that an earlier run named stay with its change, where the same would be left of them; an earlier run that has none left is ended as
 * well. A run that knows another name of the person leaves less of a tag.
 */
function groupByChange(entries: readonly FoundEntry[], unfinished: readonly UnfinishedErasure[]): Group[] {
  const begun = unfinished.map((one) => {
    const rests = new Map(one.tags.map(({ entry, rest }) => [entry, rest]));
    const named = entries.filter(({ tags }) => rests.get(tags.entry) === tags.rest);
    return { changeId: one.change.id, unfinished: one, entries: named };
  });
  const isNamed = new Set(begun.flatMap((one) => one.entries));
  const fresh = entries.filter((entry) => !isNamed.has(entry));
  const count = Math.ceil(fresh.length / MAX_ERASED_ENTRIES);
  return [
    ...begun,
    ...Array.from({ length: count }, (_, index) => ({
      changeId: undefined,
      entries: fresh.slice(index * MAX_ERASED_ENTRIES, (index + 1) * MAX_ERASED_ENTRIES),
    })),
  ];
}

async function isEmpty(
  { person, ports, found }: ErasureRun,
  tagRequests: TagRequests,
  withoutTags: boolean,
): Promise<boolean> {
  for await (const { record } of listItems(person, ports.personalData, found.runs, tagRequests))
    if (!withoutTags || record['tag'] === undefined) return false;
  return true;
}

interface NameErasure {
  readonly request: EraseRequest;
  readonly name: NameToErase;
  readonly run: ErasureRun;
}

/** Answers go while the entries still name them, and usage when nothing can be counted any more. */
async function eraseGroup(
  erasure: NameErasure,
  { changeId, unfinished, entries }: Group,
  { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
): Promise<void> {
  const { run } = erasure;
  const { ports } = run;
  const make = async (id: string): Promise<void> => {
    run.changes.push(id);
    if (isFirst) await eraseAnswers(run);
    await eraseEntries(run, id, entries);
    if (isLast) await eraseUsage(run);
  };
  if (changeId === undefined) {
    await ports.recordChange(describeErasure(erasure, entries), make);
    return;
  }
  await make(changeId);
  if (unfinished !== undefined) await ports.changes.end(unfinished.change, 'made');
}

function describeErasure(
  { request: { organization, reason }, name: { person, name } }: NameErasure,
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

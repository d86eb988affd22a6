// Compares the rollups with a recount of the entries, once the rollups have caught up with the newest entry.

import type { EntryReader, UsageQuery, UsageReader, UsageRow, UsageSubject } from '../../core/ports/usage.ts';
import type { Clock } from '../../core/time/clock.ts';
import { markKeyOf } from '../../core/usage/mark.ts';
import { cellName, type Recount, recountUsage, type UsageCell, type UsageCells } from './recount-usage.ts';

/** A number on which the two disagree. */
export interface UsageDifference extends UsageCell {
  readonly rollup: number;
  readonly recounted: number;
}

/**
 * The result. `behind`: the rollups did not catch up in time, or calls kept coming.
 * `left`: days of neurons that cannot be recounted, because some of their entries have expired.
 */
interface UsageVerification {
  readonly outcome: 'agrees' | 'differs' | 'behind';
  readonly left: number;
  readonly differences: readonly UsageDifference[];
}

/** What verifying needs. */
interface VerifyPorts {
  readonly usage: UsageReader;
  readonly entries: EntryReader;
  readonly clock: Clock;
}

/** The stream batches entries for some seconds; a difference that lasts this long is real. */
const STILL_MS = 15_000;
/** Rollups that are ahead and unchanged for this long have most likely counted every call made in the meantime. */
const QUIET_MS = 5_000;
const MAX_MS = 120_000;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 5_000;
/** Between the second recount and the third; doubles from there on. */
const FIRST_GAP_MS = 5_000;
const DAY_MS = 86_400_000;

/** The rollups as cells, without the days of neurons that cannot be recounted, which are `left`. */
interface Rollups {
  readonly cells: UsageCells;
  readonly left: ReadonlySet<string>;
}

/** Rollups and a recount side by side. Times are of the monotonic clock: the operator's may be set while the command waits. */
interface Look {
  readonly rollups: Rollups;
  readonly recount: Recount;
  /** When reading the entries began. */
  readonly recountedMs: number;
  readonly differences: readonly UsageDifference[];
  /** When the rollups were last seen to change, and since when the differences are these. */
  readonly changedMs: number;
  readonly sameSinceMs: number;
  /**
   * True when the rollups were the same before the entries were read as they are now: then every call that they count was there to be
   * read. Otherwise a call that came later may stand in for one that they lack, and the sums be equal all the same.
   */
  readonly isFramed: boolean;
}

/**
 * Compares until the two agree, a difference stays, or two minutes of waiting are over. The rollups are read every few seconds; the entries, which
 * are many more, once, and again only where that decides something. `onWait` is called once, when there is something to wait for.
 */
export async function verifyUsage(
  query: UsageQuery,
  ports: VerifyPorts,
  onWait: () => void,
): Promise<UsageVerification> {
  const { clock } = ports;
  let look = await lookFirst(query, ports);
  const startedMs = clock.monotonicMs();
  let recountsFromMs = startedMs;
  let gapMs = FIRST_GAP_MS;
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    look = await lookAgain(look, query, ports);
    const outcome = await conclude(look, ports);
    const nowMs = clock.monotonicMs();
    if (outcome === undefined && nowMs >= recountsFromMs && isRecountDue(look, nowMs)) {
      look = { ...look, ...(await recountEntries(query, ports)), isFramed: true };
      recountsFromMs = clock.monotonicMs() + gapMs;
      gapMs *= 2;
      continue;
    }
    if (outcome !== undefined || nowMs - startedMs >= MAX_MS)
      return { outcome: outcome ?? 'behind', left: look.rollups.left.size, differences: look.differences };
    if (pauseMs === FIRST_PAUSE_MS) onWait();
    await clock.sleep(pauseMs);
    pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2);
  }
}

async function lookFirst(query: UsageQuery, ports: VerifyPorts): Promise<Look> {
  const rollups = await readRollups(query, ports);
  const recounted = await recountEntries(query, ports);
  const nowMs = ports.clock.monotonicMs();
  const differences = compare(rollups, recounted.recount.cells);
  return { rollups, ...recounted, differences, changedMs: nowMs, sameSinceMs: nowMs, isFramed: true };
}

/** Reads the rollups alone. */
async function lookAgain(before: Look, query: UsageQuery, ports: VerifyPorts): Promise<Look> {
  const rollups = await readRollups(query, ports);
  const nowMs = ports.clock.monotonicMs();
  const hasChanged = !isSame(rollups.cells, before.rollups.cells);
  const differences = compare(rollups, before.recount.cells);
  const areSame = JSON.stringify(differences) === JSON.stringify(before.differences);
  return {
    ...before,
    ...{ rollups, differences, isFramed: before.isFramed && !hasChanged },
    changedMs: hasChanged ? nowMs : before.changedMs,
    sameSinceMs: areSame ? before.sameSinceMs : nowMs,
  };
}

async function recountEntries(
  query: UsageQuery,
  { entries, clock }: VerifyPorts,
): Promise<Pick<Look, 'recount' | 'recountedMs'>> {
  const recountedMs = clock.monotonicMs();
  return { recount: await recountUsage(entries.entries(query)), recountedMs };
}

/** A difference is real when it lasted, a later recount found it again, and the rollups had caught up. */
async function conclude(look: Look, ports: VerifyPorts): Promise<'agrees' | 'differs' | undefined> {
  if (!look.isFramed) return undefined;
  if (look.differences.length === 0) return 'agrees';
  return isConfirmed(look) && (await hasCaughtUp(look.recount, ports)) ? 'differs' : undefined;
}

function isConfirmed({ recountedMs, sameSinceMs }: Look): boolean {
  return recountedMs - sameSinceMs >= STILL_MS;
}

/** As long as the rollups only lag behind, a recount would tell nothing new. */
function isRecountDue(look: Look, nowMs: number): boolean {
  const { differences, isFramed, changedMs, sameSinceMs } = look;
  if (differences.length === 0) return !isFramed;
  if (nowMs - sameSinceMs >= STILL_MS) return !isConfirmed(look);
  const areAhead = differences.some(({ rollup, recounted }) => rollup > recounted);
  return areAhead && !isFramed && nowMs - changedMs >= QUIET_MS;
}

/** True when the newest entry is counted, or so old that its mark may be gone, and the stream's record with it. */
async function hasCaughtUp({ newest }: Recount, { usage, clock }: VerifyPorts): Promise<boolean> {
  if (newest === undefined || clock.now() - newest.timeMs > DAY_MS) return true;
  return usage.isCounted(markKeyOf(newest));
}

async function readRollups(query: UsageQuery, { usage, clock }: VerifyPorts): Promise<Rollups> {
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  const cells: UsageCells = new Map();
  const left = new Set<string>();
  for await (const row of usage.list(query)) {
    if (Object.keys(row.entriesEnd).some((day) => day <= today)) left.add(dayOfNeuron(row));
    for (const [name, value] of cellsOf(row)) cells.set(name, value);
  }
  if (left.size > 0)
    for (const name of cells.keys()) if (left.has(dayOfNeuron(cellOf(name)))) cells.delete(name);
  return { cells, left };
}

function compare({ cells, left }: Rollups, recounted: UsageCells): readonly UsageDifference[] {
  return [...new Set([...cells.keys(), ...recounted.keys()])]
    .map((name) => ({ name, rollup: cells.get(name) ?? 0, recounted: recounted.get(name) ?? 0 }))
    .filter((one) => one.rollup !== one.recounted)
    .map(({ name, ...numbers }) => ({ ...cellOf(name), ...numbers }))
    .filter((difference) => !left.has(dayOfNeuron(difference)));
}

function isSame(one: UsageCells, other: UsageCells): boolean {
  return one.size === other.size && [...one].every(([name, value]) => other.get(name) === value);
}

function dayOfNeuron({ day, neuronId }: Pick<UsageCell, 'day' | 'neuronId'>): string {
  return `${day} ${neuronId}`;
}

function cellOf(name: string): UsageCell {
  const [day, neuronId, subject, amount] = JSON.parse(name) as [string, string, string, string];
  return { day, neuronId, subject, amount };
}

function nameOf(subject: UsageSubject): string {
  switch (subject.kind) {
    case 'neuron':
      return 'all';
    case 'user':
      return `user ${subject.username}`;
    case 'key':
      return `key ${subject.keyId}`;
    case 'model':
      return `model ${subject.provider}/${subject.model}`;
  }
}

function cellsOf({ day, neuronId, subject: whose, amounts }: UsageRow): [string, number][] {
  const subject = nameOf(whose);
  return Object.entries(amounts).map(([amount, value]) => [
    cellName({ day, neuronId, subject, amount }),
    value,
  ]);
}

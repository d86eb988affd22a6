// Compares the rollups with a recount of the entries, once the rollups have caught up with the newest entry.
import type { UsageQuery, UsageRow, UsageSubject } from '../../core/ports/usage.ts';
import { toIso } from '../../core/time/iso.ts';
import { markKeyOf } from '../../core/usage/mark.ts';
import type { Ports } from '../session/ports.ts';
import { cellName, type Recount, recountUsage, type UsageCell, type UsageCells } from './recount-usage.ts';

/** A number on which rollups and recount disagree. */
export interface UsageDifference extends UsageCell {
  readonly rollup: number;
  readonly recounted: number;
}

/**
 * `behind`: the rollups did not catch up in time, or calls kept coming.
 * `left`: number of days of neurons that cannot be recounted, because some of their entries have expired.
 */
interface UsageVerification {
  readonly outcome: 'agrees' | 'differs' | 'behind';
  readonly left: number;
  readonly differences: readonly UsageDifference[];
}

type VerifyPorts = Pick<Ports, 'usage' | 'entries' | 'clock'>;

/** A difference that lasts this long is real. The stream batches entries for some seconds. */
const CONFIRMED_AFTER_MS = 15_000;
/** Rollups that are ahead of the entries and unchanged for this long have probably counted all calls of the meantime. */
const SETTLED_AFTER_MS = 5_000;
const MAX_MS = 120_000;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 5_000;
/** Time between the second and the third recount. It doubles each time. */
const FIRST_RECOUNT_GAP_MS = 5_000;
const DAY_MS = 86_400_000;

/** The rollups as cells. `left`: days of neurons that cannot be recounted, which are not in the cells. */
interface Rollups {
  readonly cells: UsageCells;
  readonly left: ReadonlySet<string>;
}

/** Times are of the monotonic clock, since the operator's clock may be set while the command waits. */
interface Comparison {
  readonly rollups: Rollups;
  readonly recount: Recount;
  /** Time when reading the entries started. */
  readonly recountedMs: number;
  readonly differences: readonly UsageDifference[];
  /** Times since when the rollups, and the differences, are unchanged. */
  readonly changedMs: number;
  readonly sameSinceMs: number;
  /**
   * True when the rollups did not change since before the entries were read, so that the recount saw every call that they count. Otherwise
   * a later call could hide a missing one, since the sums would be equal.
   */
  readonly isConclusive: boolean;
}

/**
 * Compares until rollups and entries agree, a difference is confirmed, or two minutes are over. The rollups are read every few seconds; the
 * entries, which are many more, are read again only where that can decide. `onWait` is called once, before the first wait.
 */
export async function verifyUsage(
  query: UsageQuery,
  ports: VerifyPorts,
  onWait: () => void,
): Promise<UsageVerification> {
  const { clock } = ports;
  let comparison = await startComparison(query, ports);
  const startedMs = clock.monotonicMs();
  let recountsFromMs = startedMs;
  let recountGapMs = FIRST_RECOUNT_GAP_MS;
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    comparison = await refreshRollups(comparison, query, ports);
    const outcome = await conclude(comparison, ports);
    const nowMs = clock.monotonicMs();
    if (outcome === undefined && nowMs >= recountsFromMs && isRecountDue(comparison, nowMs)) {
      comparison = { ...comparison, ...(await recountEntries(query, ports)), isConclusive: true };
      recountsFromMs = clock.monotonicMs() + recountGapMs;
      recountGapMs *= 2;
      continue;
    }
    if (outcome !== undefined || nowMs - startedMs >= MAX_MS)
      return {
        outcome: outcome ?? 'behind',
        left: comparison.rollups.left.size,
        differences: comparison.differences,
      };
    if (pauseMs === FIRST_PAUSE_MS) onWait();
    await clock.sleep(pauseMs);
    pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2);
  }
}

async function startComparison(query: UsageQuery, ports: VerifyPorts): Promise<Comparison> {
  const rollups = await readRollups(query, ports);
  const recounted = await recountEntries(query, ports);
  const nowMs = ports.clock.monotonicMs();
  const differences = compare(rollups, recounted.recount.cells);
  return { rollups, ...recounted, differences, changedMs: nowMs, sameSinceMs: nowMs, isConclusive: true };
}

async function refreshRollups(
  before: Comparison,
  query: UsageQuery,
  ports: VerifyPorts,
): Promise<Comparison> {
  const rollups = await readRollups(query, ports);
  const nowMs = ports.clock.monotonicMs();
  const hasChanged = !isSame(rollups.cells, before.rollups.cells);
  const differences = compare(rollups, before.recount.cells);
  const areSame = JSON.stringify(differences) === JSON.stringify(before.differences);
  return {
    ...before,
    rollups,
    differences,
    isConclusive: before.isConclusive && !hasChanged,
    changedMs: hasChanged ? nowMs : before.changedMs,
    sameSinceMs: areSame ? before.sameSinceMs : nowMs,
  };
}

async function recountEntries(
  query: UsageQuery,
  { entries, clock }: VerifyPorts,
): Promise<Pick<Comparison, 'recount' | 'recountedMs'>> {
  const recountedMs = clock.monotonicMs();
  return { recount: await recountUsage(entries.entries(query)), recountedMs };
}

/** A difference is confirmed when it lasted, a later recount found it again, and the rollups had caught up. */
async function conclude(
  comparison: Comparison,
  ports: VerifyPorts,
): Promise<'agrees' | 'differs' | undefined> {
  if (!comparison.isConclusive) return undefined;
  if (comparison.differences.length === 0) return 'agrees';
  return isConfirmed(comparison) && (await hasCaughtUp(comparison.recount, ports)) ? 'differs' : undefined;
}

function isConfirmed({ recountedMs, sameSinceMs }: Comparison): boolean {
  return recountedMs - sameSinceMs >= CONFIRMED_AFTER_MS;
}

/** While the rollups only lag behind, a recount would show nothing new. */
function isRecountDue(comparison: Comparison, nowMs: number): boolean {
  const { differences, isConclusive, changedMs, sameSinceMs } = comparison;
  if (differences.length === 0) return !isConclusive;
  if (nowMs - sameSinceMs >= CONFIRMED_AFTER_MS) return !isConfirmed(comparison);
  const areAhead = differences.some(({ rollup, recounted }) => rollup > recounted);
  return areAhead && !isConclusive && nowMs - changedMs >= SETTLED_AFTER_MS;
}

/** True when the newest entry is counted, or so old that its mark and its stream record may have expired. */
async function hasCaughtUp({ newest }: Recount, { usage, clock }: VerifyPorts): Promise<boolean> {
  if (newest === undefined || clock.now() - newest.timeMs > DAY_MS) return true;
  return usage.isCounted(markKeyOf(newest));
}

async function readRollups(query: UsageQuery, { usage, clock }: VerifyPorts): Promise<Rollups> {
  const today = toIso(clock.now()).slice(0, 10);
  const cells: UsageCells = new Map();
  const left = new Set<string>();
  for await (const row of usage.list(query)) {
    if (Object.keys(row.entriesEnd).some((day) => day <= today)) left.add(dayOfNeuron(row));
    for (const [name, value] of toCells(row)) cells.set(name, value);
  }
  if (left.size > 0)
    for (const name of cells.keys()) if (left.has(dayOfNeuron(parseCell(name)))) cells.delete(name);
  return { cells, left };
}

function compare({ cells, left }: Rollups, recounted: UsageCells): readonly UsageDifference[] {
  return [...new Set([...cells.keys(), ...recounted.keys()])]
    .map((name) => ({ name, rollup: cells.get(name) ?? 0, recounted: recounted.get(name) ?? 0 }))
    .filter((one) => one.rollup !== one.recounted)
    .map(({ name, ...numbers }) => ({ ...parseCell(name), ...numbers }))
    .filter((difference) => !left.has(dayOfNeuron(difference)));
}

function isSame(one: UsageCells, other: UsageCells): boolean {
  return one.size === other.size && [...one].every(([name, value]) => other.get(name) === value);
}

function dayOfNeuron({ day, neuronId }: Pick<UsageCell, 'day' | 'neuronId'>): string {
  return `${day} ${neuronId}`;
}

function parseCell(name: string): UsageCell {
  const [day, neuronId, subject, amount] = JSON.parse(name) as [string, string, string, string];
  return { day, neuronId, subject, amount };
}

function renderSubject(subject: UsageSubject): string {
  switch (subject.kind) {
    case 'neuron':
    case 'organization':
      return 'all';
    case 'user':
      return `user ${subject.username}`;
    case 'key':
      return `key ${subject.keyId}`;
    case 'tag':
      return `tag ${subject.tag}=${subject.value}`;
    case 'arm':
      return `${subject.arm} of ${subject.rollout}`;
    case 'slot':
      return `slot ${subject.slot}`;
    case 'shadow':
      return `shadow ${subject.shadow}`;
    case 'version':
      return `version ${subject.version}`;
    case 'branch':
      return `branch ${subject.branch} of ${subject.version}`;
    case 'feedback':
      return `${subject.metric} of ${subject.version}`;
    case 'model':
      return `model ${subject.provider}/${subject.model}`;
  }
}

function toCells({ day, neuronId, subject: usageSubject, amounts, buckets }: UsageRow): [string, number][] {
  const subject = renderSubject(usageSubject);
  return Object.entries({ ...amounts, ...buckets }).map(([amount, value]) => [
    cellName({ day, neuronId, subject, amount }),
    value,
  ]);
}

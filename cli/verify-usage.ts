// Holds the rollups against a recount of the entries, once they have caught up with the newest one.
import type { Clock } from '../core/ports/platform.ts';
import type { EntryReader, UsageQuery, UsageReader, UsageRow } from '../core/ports/usage.ts';
import { markKeyOf } from '../core/usage/mark.ts';
import { cellName, type Recount, recountUsage, type UsageCell, type UsageCells } from './recount-usage.ts';

/** A number on which the two disagree. */
export interface UsageDifference extends UsageCell {
  readonly rollup: number;
  readonly recounted: number;
}

/**
 * What came of it. `behind`: the rollups had not caught up when the time was over, or calls kept coming.
 * `left`: days of neurons that cannot be recounted, since entries of theirs have ended.
 */
export interface UsageVerification {
  readonly outcome: 'agrees' | 'differs' | 'behind';
  readonly left: number;
  readonly differences: readonly UsageDifference[];
}

/** What verifying needs. */
export interface VerifyPorts {
  readonly usage: UsageReader;
  readonly entries: EntryReader;
  readonly clock: Clock;
}

/** The stream gathers entries for some seconds; a difference that stays as it is for so long is one. */
const STILL_MS = 15_000;
const LONGEST_MS = 120_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
const DAY_MS = 86_400_000;

/** Compares until the two agree, a difference stays, or two minutes are over. `onWait` is called once, when there is something to wait for. */
export async function verifyUsage(
  query: UsageQuery,
  ports: VerifyPorts,
  onWait: () => void,
): Promise<UsageVerification> {
  const { clock } = ports;
  const startedMs = clock.now();
  let before = '';
  let sameSinceMs = startedMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
    const recount = await recountUsage(ports.entries.entries(query));
    const { differences, left } = await compare(query, recount.cells, ports);
    if (differences.length === 0) return { outcome: 'agrees', left, differences };
    const found = JSON.stringify(differences);
    if (found !== before) sameSinceMs = clock.now();
    const isStill = clock.now() - sameSinceMs >= STILL_MS;
    if (isStill && (await hasCaughtUp(recount, ports))) return { outcome: 'differs', left, differences };
    if (clock.now() - startedMs >= LONGEST_MS) return { outcome: 'behind', left, differences };
    if (before === '') onWait();
    before = found;
    await clock.sleep(pauseMs);
  }
}

/** True when the newest entry is counted, or so old that its mark may be gone, and the stream's record with it. */
async function hasCaughtUp({ newest }: Recount, { usage, clock }: VerifyPorts): Promise<boolean> {
  if (newest === undefined || clock.now() - newest.timeMs > DAY_MS) return true;
  return usage.isCounted(markKeyOf(newest));
}

async function compare(
  query: UsageQuery,
  recounted: UsageCells,
  { usage, clock }: VerifyPorts,
): Promise<{ readonly differences: readonly UsageDifference[]; readonly left: number }> {
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  const rolledUp: UsageCells = new Map();
  const left = new Set<string>();
  for await (const row of usage.list(query)) {
    if (Object.keys(row.entriesEnd).some((day) => day <= today)) left.add(`${row.day} ${row.neuronId}`);
    for (const [name, value] of cellsOf(row)) rolledUp.set(name, value);
  }
  const differences: UsageDifference[] = [];
  for (const name of new Set([...rolledUp.keys(), ...recounted.keys()])) {
    const [day, neuronId, subject, amount] = JSON.parse(name) as [string, string, string, string];
    const [rollup, recount] = [rolledUp.get(name) ?? 0, recounted.get(name) ?? 0];
    if (rollup !== recount && !left.has(`${day} ${neuronId}`))
      differences.push({ day, neuronId, subject, amount, rollup, recounted: recount });
  }
  return { differences, left: left.size };
}

function cellsOf({ day, neuronId, subject: whose, amounts }: UsageRow): [string, number][] {
  const subject =
    whose.kind === 'neuron'
      ? 'all'
      : whose.kind === 'user'
        ? `user ${whose.username}`
        : `model ${whose.provider}/${whose.model}`;
  return Object.entries(amounts).map(([amount, value]) => [
    cellName({ day, neuronId, subject, amount }),
    value,
  ]);
}

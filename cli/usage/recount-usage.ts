// Recounts usage from the log entries. It shares no counting code with the rollup function, so that each checks the other.
import type { CountedEntry, PlacedEntry } from '../../core/ports/usage.ts';

/** Identifies a number of a recount. */
export interface UsageCell {
  readonly day: string;
  readonly neuronId: string;
  /** `all`, `model PROVIDER/MODEL`, `user NAME`, `key ID`, `tag NAME=VALUE`, `version V`, `branch B of V`, `shadow ID`, `ARM of ROLLOUT` or `METRIC of VERSION`. */
  readonly subject: string;
  readonly amount: string;
}

/** Numbers by cell name. A missing cell is zero. */
export type UsageCells = Map<string, number>;

export interface Recount {
  readonly cells: UsageCells;
  readonly newest: PlacedEntry | undefined;
}

export function cellName({ day, neuronId, subject, amount }: UsageCell): string {
  return JSON.stringify([day, neuronId, subject, amount]);
}

/** Memory holds no entries. */
export async function recountUsage(entries: AsyncIterable<PlacedEntry>): Promise<Recount> {
  const cells: UsageCells = new Map();
  let newest: PlacedEntry | undefined;
  for await (const entry of entries) {
    recountEntry(cells, entry);
    if (newest === undefined || entry.timeMs > newest.timeMs) newest = entry;
  }
  return { cells, newest };
}

/** Subjects of runs: the version, its branch and the arm of a rollout. */
function runsOf({ rollout, version, branch, cache, outcome }: CountedEntry): readonly string[] {
  if (version === undefined || outcome === 'refused' || ['exact', 'semantic'].includes(cache ?? ''))
    return [];
  const branches = branch === undefined ? [] : [`branch ${branch} of ${version}`];
  const arms = rollout === undefined ? [] : [`${rollout.arm} of ${rollout.id}`];
  return [`version ${version}`, ...branches, ...arms];
}

/** The number of edges that a value has passed: the squares of edges are the powers of two. */
function countEdges(value: number, first: number, max: number): number {
  let edges = 0;
  for (let square = first * first; edges < max && value * value >= square; square *= 2) edges += 1;
  return edges;
}

type Put = (subject: string, amount: string, more: number) => void;

/** Feedback is no request. */
function recountFeedback(
  { version }: CountedEntry,
  { metric, value }: NonNullable<CountedEntry['feedback']>,
  put: Put,
): void {
  const subject = `${metric} of ${version}`;
  const thousandths = Math.round(Number(value) * 1_000);
  put(subject, 'ratings', 1);
  put(subject, 'ratingSum', thousandths);
  put(subject, 'ratingSquares', thousandths * thousandths);
}

/** In no other row: nobody called for it. */
function recountShadow(entry: CountedEntry, id: string, put: Put): void {
  const subject = `shadow ${id}`;
  if (Number.isFinite(entry.latencyMs))
    put(subject, `latency#${countEdges(Math.max(0, entry.latencyMs), 64, 23)}`, entry.count);
  const known = entry.modelCalls.map(({ costMicrodollars }) => costMicrodollars);
  const unpriced = known.filter((cost) => cost === null).length;
  if (entry.costMicrodollars === null) {
    put(subject, 'unknownCosts', unpriced || 1);
    for (const cost of known) put(subject, 'costMicrodollars', cost ?? 0);
  } else {
    put(subject, `cost#${countEdges(entry.costMicrodollars, 1, 47)}`, entry.count);
    put(subject, 'costMicrodollars', entry.costMicrodollars);
  }
  put(subject, entry.outcome, entry.count);
  put(subject, 'tokensInput', entry.tokensInput);
  put(subject, 'tokensOutput', entry.tokensOutput);
  put(subject, 'savingsMicrodollars', entry.savingsMicrodollars);
  put(subject, 'infrastructureNanodollars', entry.infrastructureNanodollars ?? 0);
  put(subject, 'modelCalls', entry.modelCalls.length);
}

function recountEntry(cells: UsageCells, entry: CountedEntry): void {
  const { neuronId } = entry;
  const time = new Date(entry.timeMs);
  const day = [time.getUTCFullYear(), time.getUTCMonth() + 1, time.getUTCDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  const put = (subject: string, amount: string, more: number): void => {
    if (more === 0) return;
    const name = cellName({ day, neuronId, subject, amount });
    cells.set(name, (cells.get(name) ?? 0) + more);
  };
  if (entry.feedback !== undefined) recountFeedback(entry, entry.feedback, put);
  else if (entry.shadow !== undefined) recountShadow(entry, entry.shadow.id, put);
  else recountRequest(entry, put);
}

function recountRequest(entry: CountedEntry, put: Put): void {
  const { username, keyId, tags = {} } = entry;
  const user = username === undefined ? [] : [`user ${username}`];
  const key = keyId === undefined ? [] : [`key ${keyId}`];
  const tagged = Object.keys(tags).map((name) => `tag ${name}=${tags[name]}`);
  const runs = runsOf(entry);
  const whole = ['all', ...user, ...key, ...tagged, ...runs];
  if (['exact', 'semantic'].includes(entry.cache ?? '') && entry.version && entry.outcome !== 'refused')
    put(`version ${entry.version}`, 'hits', entry.count);
  for (const subject of runs) {
    if (Number.isFinite(entry.latencyMs))
      put(subject, `latency#${countEdges(Math.max(0, entry.latencyMs), 64, 23)}`, entry.count);
    if (entry.costMicrodollars !== null)
      put(subject, `cost#${countEdges(entry.costMicrodollars, 1, 47)}`, entry.count);
  }
  for (const subject of whole) {
    put(subject, entry.outcome, entry.count);
    put(subject, 'tokensInput', entry.tokensInput);
    put(subject, 'tokensOutput', entry.tokensOutput);
    put(subject, 'savingsMicrodollars', entry.savingsMicrodollars);
    put(subject, 'infrastructureNanodollars', entry.infrastructureNanodollars ?? 0);
    if (entry.costMicrodollars !== null) put(subject, 'costMicrodollars', entry.costMicrodollars);
  }
  let unpriced = 0;
  for (const call of entry.modelCalls) {
    const model = `model ${call.provider}/${call.model}`;
    put(model, 'tokensInput', call.tokensInput);
    put(model, 'tokensOutput', call.tokensOutput);
    for (const subject of [model, ...whole]) put(subject, 'modelCalls', 1);
    if (call.costMicrodollars === null) {
      unpriced += 1;
      put(model, 'unknownCosts', 1);
    } else {
      put(model, 'costMicrodollars', call.costMicrodollars);
      if (entry.costMicrodollars === null)
        for (const subject of whole) put(subject, 'costMicrodollars', call.costMicrodollars);
    }
  }
  if (entry.costMicrodollars !== null) return;
  for (const subject of whole) put(subject, 'unknownCosts', unpriced === 0 ? 1 : unpriced);
}

// Sums up log entries over time for the charts of the overview.
import type { ListedEntry } from '../../core/ports/log-reader.ts';
import type { Series, SeriesGroup, SeriesPoint } from './api.ts';

/** More points than pixels would add nothing to a chart. */
const MAX_POINTS = 180;
const MINUTE_MS = 60_000;
const INTERVALS_MS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440].map(
  (minutes) => minutes * MINUTE_MS,
);
/** Max. number of groups of a kind. Those with most requests are kept. */
const MAX_GROUPS = 20;

/** An entry as `neuron logs --json` prints it. */
export type SeriesEntry = ListedEntry & { readonly keyName?: string | null };

/** Entries may come in any order. */
export interface SeriesBuilder {
  add(entry: SeriesEntry): void;
  build(): Omit<Series, 'command' | 'cutBeforeMs' | 'isComplete'>;
}

type Counts = Omit<SeriesPoint, 'timeMs' | 'p50Ms' | 'p99Ms'>;
type Bucket = { -readonly [Name in keyof Counts]: number } & { readonly latenciesMs: number[] };

/** The shortest interval that gives at most `MAX_POINTS` points. */
export function chooseInterval(lengthMs: number): number {
  return INTERVALS_MS.find((intervalMs) => lengthMs / intervalMs <= MAX_POINTS) ?? 1_440 * MINUTE_MS;
}

export function createSeries(fromMs: number, toMs: number): SeriesBuilder {
  const intervalMs = chooseInterval(toMs - fromMs);
  const startMs = Math.floor(fromMs / intervalMs) * intervalMs;
  const buckets = Array.from({ length: Math.max(1, Math.ceil((toMs - startMs) / intervalMs)) }, createBucket);
  const all = createBucket();
  const groups = { neurons: new Map(), users: new Map(), keys: new Map(), codes: new Map() } satisfies Record<
    string,
    Map<string, Bucket>
  >;
  let entries = 0;
  let unknownCosts = 0;
  return {
    add(entry) {
      entries += 1;
      if (entry.costMicrodollars === null) unknownCosts += entry.count;
      const at = buckets[Math.floor((entry.timeMs - startMs) / intervalMs)];
      const { username, keyId, keyName, code } = entry;
      const named = [
        findBucket(groups.neurons, entry.neuron),
        ...(username ? [findBucket(groups.users, username)] : []),
        ...(keyId ? [findBucket(groups.keys, keyName ?? keyId)] : []),
        ...(code ? [findBucket(groups.codes, code)] : []),
      ];
      for (const bucket of [all, ...(at === undefined ? [] : [at]), ...named]) addTo(bucket, entry);
    },
    build: () => ({
      intervalMs,
      fromMs,
      toMs,
      entries,
      unknownCosts,
      points: buckets.map((bucket, index) => toPoint(startMs + index * intervalMs, bucket)),
      totals: toGroup('', all),
      neurons: toGroups(groups.neurons),
      users: toGroups(groups.users),
      keys: toGroups(groups.keys),
      codes: toGroups(groups.codes),
    }),
  };
}

function createBucket(): Bucket {
  const counts = { success: 0, stopped: 0, failed: 0, refused: 0, cacheHits: 0 };
  return { ...counts, tokensInput: 0, tokensOutput: 0, costMicrodollars: 0, latenciesMs: [] };
}

function findBucket(groups: Map<string, Bucket>, name: string): Bucket {
  const found = groups.get(name) ?? createBucket();
  groups.set(name, found);
  return found;
}

function addTo(bucket: Bucket, entry: SeriesEntry): void {
  bucket[entry.outcome] += entry.count;
  if (entry.cache === 'exact' || entry.cache === 'semantic') bucket.cacheHits += 1;
  bucket.tokensInput += entry.tokensInput;
  bucket.tokensOutput += entry.tokensOutput;
  bucket.costMicrodollars += entry.costMicrodollars ?? 0;
  // A rejection says nothing about the speed of the service.
  if (entry.outcome !== 'refused') bucket.latenciesMs.push(entry.latencyMs);
}

function toPoint(timeMs: number, { latenciesMs, ...counts }: Bucket): SeriesPoint {
  return { timeMs, ...counts, ...computeQuantiles(latenciesMs) };
}

function toGroups(groups: ReadonlyMap<string, Bucket>): readonly SeriesGroup[] {
  return [...groups]
    .map(([name, bucket]) => toGroup(name, bucket))
    .toSorted((a, b) => b.requests - a.requests)
    .slice(0, MAX_GROUPS);
}

function toGroup(name: string, bucket: Bucket): SeriesGroup {
  const { success, stopped, failed, refused: rejected, tokensInput, tokensOutput, costMicrodollars } = bucket;
  return {
    name,
    requests: success + stopped + failed + rejected,
    failed,
    refused: rejected,
    tokens: tokensInput + tokensOutput,
    costMicrodollars,
    ...computeQuantiles(bucket.latenciesMs),
  };
}

/** By the nearest-rank method; null without values. */
function computeQuantiles(values: readonly number[]): Pick<SeriesPoint, 'p50Ms' | 'p99Ms'> {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

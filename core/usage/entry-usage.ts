// The usage of one log entry: rows for its neuron, each model that was called, its user, its API key and its tags.

import type { LoggedModelCall, LogOutcome } from '../contract/log-entry.ts';
import {
  type CountedEntry,
  USAGE_AMOUNTS,
  type UsageAmounts,
  type UsageRow,
  type UsageSubject,
} from '../ports/usage.ts';
import { bucketOf, COST_SCALE, LATENCY_SCALE } from '../statistics/histogram.ts';
import { isJsonObject, toList } from '../text/json.ts';
import { toThousandths } from '../text/numbers.ts';
import { toIso } from '../time/iso.ts';
import { mergeRows } from './merge-rows.ts';

export const NO_USAGE: UsageAmounts = Object.fromEntries(
  USAGE_AMOUNTS.map((name) => [name, 0]),
) as UsageAmounts;

/** The rows of an entry. One that stands for many requests counts `count` of them. */
export function usageOf(entry: CountedEntry): readonly UsageRow[] {
  if (entry.feedback !== undefined) return feedbackRows(entry, entry.feedback);
  if (entry.shadow !== undefined) return shadowRows(entry, entry.shadow);
  const amounts = amountsOf(entry);
  const neuron = rowOf(entry, { kind: 'neuron' }, amounts);
  return [
    { ...neuron, entriesEnd: { [dayOf(entry.expiresAt * 1000)]: entry.count } },
    ...mergeRows(entry.modelCalls.map((call) => modelRow(entry, call))),
    ...(entry.username === undefined ? [] : [userRow(entry, entry.username, amounts)]),
    ...(entry.keyId === undefined ? [] : [rowOf(entry, { kind: 'key', keyId: entry.keyId }, amounts)]),
    ...Object.entries(entry.tags ?? {}).map(([tag, value]) =>
      rowOf(entry, { kind: 'tag', tag, value }, amounts),
    ),
    ...versionRows(entry, amounts),
  ];
}

/** A hit of the cache says nothing about a version: only a row of the whole version counts it, and apart. Rejected requests ran nothing. */
function versionRows(entry: CountedEntry, amounts: UsageAmounts): readonly UsageRow[] {
  const { rollout, version, branch, cache, outcome, count } = entry;
  if (version === undefined || outcome === 'refused') return [];
  if (isHit(cache)) return [rowOf(entry, { kind: 'version', version }, { ...NO_USAGE, hits: count })];
  const buckets = bucketsOf(entry);
  const subjects: readonly UsageSubject[] = [
    { kind: 'version', version },
    ...(branch === undefined ? [] : [{ kind: 'branch', version, branch } as const]),
    ...(rollout === undefined
      ? []
      : [{ kind: 'arm', rollout: rollout.id, arm: rollout.arm, version } as const]),
  ];
  return subjects.map((subject) => ({ ...rowOf(entry, subject, amounts), buckets }));
}

export function isHit(cache: CountedEntry['cache']): boolean {
  return cache === 'exact' || cache === 'semantic';
}

/** An entry that was put by hand may have no latency. */
export function bucketsOf({
  latencyMs,
  costMicrodollars,
  count,
}: CountedEntry): Readonly<Record<string, number>> {
  return {
    ...(Number.isFinite(latencyMs) ? { [`latency#${bucketOf(LATENCY_SCALE, latencyMs)}`]: count } : {}),
    ...(costMicrodollars === null ? {} : { [`cost#${bucketOf(COST_SCALE, costMicrodollars)}`]: count }),
  };
}

/**
 * The row of the whole organization, by which all of them are listed. It is in no report of one organization, nor in its recount: neurons'
 * rows have the same sums. Neither feedback nor a shadow's run is a request.
 */
export function organizationRows(entry: CalledEntry): readonly UsageRow[] {
  if (entry.feedback !== undefined || entry.shadow !== undefined) return [];
  const row = rowOf(entry, { kind: 'organization', slug: entry.organization }, amountsOf(entry));
  return [{ ...row, neuronId: '', neuron: '', buckets: troublesOf(entry) }];
}

/** Requests that a guard blocked, those that one did not judge, and runs of a rollout. A recount reads no guards, nor these rows. */
type CalledEntry = CountedEntry & { readonly guards?: unknown };

function troublesOf({ guards, outcome, rollout, count }: CalledEntry): Readonly<Record<string, number>> {
  // Members of an item that was put by hand may have any type.
  const lines = toList(guards).filter(isJsonObject);
  const found = {
    'guard#blocked': lines.some((line) => isBlocking(line, outcome)),
    'guard#notJudged': lines.some(({ notJudged }) => notJudged !== undefined),
    'rollout#runs': rollout !== undefined,
  };
  const names = Object.entries(found).filter(([, isFound]) => isFound);
  return Object.fromEntries(names.map(([name]) => [name, count]));
}

/** Whether the line of a guard is why the request was refused. */
export function isBlocking(
  { action, notJudged }: { readonly action?: unknown; readonly notJudged?: unknown },
  outcome: LogOutcome,
): boolean {
  return action === 'block' && notJudged === undefined && outcome === 'refused';
}

/** Nobody called for it: it counts for its shadow alone. */
function shadowRows(
  entry: CountedEntry,
  { id: shadow }: NonNullable<CountedEntry['shadow']>,
): readonly UsageRow[] {
  const { version } = entry;
  if (version === undefined) return [];
  const row = rowOf(entry, { kind: 'shadow', shadow, version }, amountsOf(entry));
  const entriesEnd = { [dayOf(entry.expiresAt * 1000)]: entry.count };
  return [{ ...row, buckets: bucketsOf(entry), entriesEnd }];
}

/** Feedback is no request: it counts for the version of its answer, on the day of the answer. */
function feedbackRows(
  entry: CountedEntry,
  { metric, value }: NonNullable<CountedEntry['feedback']>,
): readonly UsageRow[] {
  const { version } = entry;
  if (version === undefined) return [];
  const ratingSum = typeof value === 'boolean' ? Number(value) * 1_000 : (toThousandths(value) ?? 0);
  const amounts = { ...NO_USAGE, ratings: 1, ratingSum, ratingSquares: ratingSum ** 2 };
  const entriesEnd = { [dayOf(entry.expiresAt * 1000)]: 1 };
  return [{ ...rowOf(entry, { kind: 'feedback', metric, version }, amounts), entriesEnd }];
}

/** `2026-11-21`, UTC. */
export function dayOf(timeMs: number): string {
  return toIso(timeMs).slice(0, 10);
}

export function amountsOf(entry: CountedEntry): UsageAmounts {
  const { modelCalls, costMicrodollars, outcome, count } = entry;
  const unknownCalls = modelCalls.filter((call) => call.costMicrodollars === null).length;
  return {
    ...NO_USAGE,
    [outcome]: count,
    modelCalls: modelCalls.length,
    tokensInput: entry.tokensInput,
    tokensOutput: entry.tokensOutput,
    // When the cost of a run is unknown, its calls with a price still count.
    costMicrodollars:
      costMicrodollars ?? modelCalls.reduce((sum, call) => sum + (call.costMicrodollars ?? 0), 0),
    unknownCosts: costMicrodollars === null ? Math.max(1, unknownCalls) : 0,
    savingsMicrodollars: entry.savingsMicrodollars,
    infrastructureNanodollars: entry.infrastructureNanodollars ?? 0,
  };
}

function modelRow(entry: CountedEntry, call: LoggedModelCall): UsageRow {
  const { provider, model, tokensInput, tokensOutput, costMicrodollars } = call;
  return rowOf(
    entry,
    { kind: 'model', provider, model },
    {
      ...NO_USAGE,
      modelCalls: 1,
      tokensInput,
      tokensOutput,
      costMicrodollars: costMicrodollars ?? 0,
      unknownCosts: costMicrodollars === null ? 1 : 0,
    },
  );
}

function userRow(entry: CountedEntry, username: string, amounts: UsageAmounts): UsageRow {
  return { ...rowOf(entry, { kind: 'user', username }, amounts), expiresAt: entry.expiresAt };
}

function rowOf(entry: CountedEntry, subject: UsageSubject, amounts: UsageAmounts): UsageRow {
  const { organizationId, neuronId, neuron } = entry;
  return {
    organizationId,
    neuronId,
    neuron,
    subject,
    amounts,
    day: dayOf(entry.timeMs),
    entriesEnd: {},
    expiresAt: undefined,
  };
}

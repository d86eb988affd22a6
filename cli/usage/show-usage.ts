// Shows usage: the whole report with its forecast, or one table of it.
import {
  USAGE_AMOUNTS,
  type UsageAmount,
  type UsageAmounts,
  type UsageQuery,
  type UsageRow,
} from '../../core/ports/usage.ts';
import { organizationSchema } from '../../core/settings/organization-schema.ts';
import type { UsageLimit } from '../../core/settings/usage-limits.ts';
import { toIso } from '../../core/time/iso.ts';
import type { ArmUsage, CallUsage, Days, RequestUsage, UsageReport } from '../json/usage.ts';
import { describeDropped, type Output } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import { feedbackOf } from './feedback-usage.ts';
import { compareLimits, forecastMonth } from './forecast.ts';
import { branchesOf, versionsOf } from './run-usage.ts';
import { type Dimension, type KnownKey, listUsage, listUsageOfUser } from './usage-by.ts';
import { renderUsage } from './usage-view.ts';

interface ReportInput {
  readonly args: {
    readonly organization: string;
    readonly by: Dimension | undefined;
    readonly user: string | undefined;
  };
  readonly ports: Pick<Ports, 'store' | 'keys' | 'usage' | 'clock' | 'secretReader'>;
  readonly out: Output;
}

/** The rollups lag some seconds behind the calls. */
export async function showUsage(query: UsageQuery, { args, ports, out }: ReportInput): Promise<void> {
  const rows: UsageRow[] = [];
  for await (const row of ports.usage.list(query)) rows.push(row);
  const { fromDay, toDay } = query;
  const report = toUsageReport(args.organization, { fromDay, toDay }, rows);
  const nowMs = ports.clock.now();
  if (args.user !== undefined) {
    return listUsageOfUser(args.user, report, { organizationId: query.organizationId, ports }, out);
  }
  if (args.by !== undefined) {
    const keys = args.by === 'key' ? await readKeys(query, ports) : new Map();
    return listUsage(args.by, report, { keys, nowMs, store: ports.store }, out);
  }
  if (rows.length === 0 && !out.json) {
    const isCurrent = toIso(nowMs).slice(0, 10) <= toDay;
    const hint = isCurrent ? ' Calls appear after a few seconds.' : '';
    out.message(`No usage of ${args.organization} from ${fromDay} to ${toDay}.${hint}`);
    return;
  }
  const forecast = forecastMonth(report.totals, report, nowMs) ?? null;
  const limits = compareLimits(
    await readLimits(args.organization, query, ports),
    report.totals,
    report,
    nowMs,
  );
  const full = { ...report, forecast, limits };
  const { text, dropped } = renderUsage(full, out);
  out.value(full, text);
  if (dropped.length > 0 && !out.json) out.message(describeDropped(dropped));
}

async function readKeys(
  { organizationId }: UsageQuery,
  { keys }: ReportInput['ports'],
): Promise<ReadonlyMap<string, KnownKey>> {
  const known = new Map<string, KnownKey>();
  for await (const { keyId, name, usageLimits = [] } of keys.list(organizationId))
    known.set(keyId, { name, limits: usageLimits });
  return known;
}

/** The present limits; none for a deleted organization, and for one whose document this release cannot read. */
async function readLimits(
  organization: string,
  { organizationId }: UsageQuery,
  { store }: ReportInput['ports'],
): Promise<readonly UsageLimit[]> {
  const record = await store.readOrganization(organization);
  const parsed = organizationSchema.safeParse(record?.document);
  if (record?.id !== organizationId || !parsed.success) return [];
  return parsed.data.usageLimits.filter((limit) => limit.metric !== 'concurrent');
}

function toUsageReport(organization: string, days: Days, rows: readonly UsageRow[]): UsageReport {
  const neuronRows = rows.filter(({ subject }) => subject.kind === 'neuron');
  const names = new Map(neuronRows.map(({ neuronId, neuron }) => [neuronId, neuron]));
  return {
    organization,
    ...days,
    totals: toRequestUsage(neuronRows),
    neurons: groupBy(neuronRows, ({ neuronId }) => neuronId)
      .map(([neuronId, some]) => ({ neuron: names.get(neuronId) ?? '', neuronId, ...toRequestUsage(some) }))
      .sort((a, b) => b.requests - a.requests),
    models: groupBy(rows, modelOf)
      .map(([model, some]) => ({ model, ...toCallUsage(some) }))
      .sort((a, b) => b.modelCalls - a.modelCalls),
    users: groupBy(rows, ({ subject }) => (subject.kind === 'user' ? subject.username : undefined))
      .map(([username, some]) => ({ username, ...toRequestUsage(some) }))
      .sort((a, b) => b.requests - a.requests),
    keys: groupBy(rows, ({ subject }) => (subject.kind === 'key' ? subject.keyId : undefined))
      .map(([keyId, some]) => ({ keyId, ...toRequestUsage(some) }))
      .sort((a, b) => b.requests - a.requests),
    tags: [...Map.groupBy(rows, tagOf)]
      .flatMap(([name, some]) => (name === undefined ? [] : [{ ...partsOf(name), ...toRequestUsage(some) }]))
      .sort((a, b) => b.requests - a.requests),
    days: groupBy(neuronRows, ({ day }) => day)
      .map(([day, some]) => ({ day, ...toRequestUsage(some) }))
      .sort((a, b) => (a.day < b.day ? -1 : 1)),
    arms: armsOf(rows),
    versions: versionsOf(rows, toRequestUsage),
    branches: branchesOf(rows, toRequestUsage),
    feedback: feedbackOf(rows),
  };
}

/** Rollouts by their ids, the arms of each beside each other. */
export function armsOf(rows: readonly UsageRow[]): readonly ArmUsage[] {
  const groups = Map.groupBy(rows, ({ subject }) =>
    subject.kind === 'arm' ? `${subject.rollout}/${subject.arm}` : undefined,
  );
  return [...groups.values()]
    .flatMap((some): ArmUsage[] => {
      const { neuron = '', subject } = some.at(-1) ?? {};
      if (subject?.kind !== 'arm') return [];
      const { rollout, arm, version } = subject;
      return [{ neuron, rollout, arm, version, ...toRequestUsage(some) }];
    })
    .sort((a, b) => (`${a.rollout} ${a.arm}` < `${b.rollout} ${b.arm}` ? -1 : 1));
}

function modelOf({ subject }: UsageRow): string | undefined {
  return subject.kind === 'model' ? `${subject.provider}/${subject.model}` : undefined;
}

/** A name has no `=`, and a value may. */
function tagOf({ subject }: UsageRow): string | undefined {
  return subject.kind === 'tag' ? `${subject.tag}=${subject.value}` : undefined;
}

function partsOf(tag: string): { readonly tag: string; readonly value: string } {
  const at = tag.indexOf('=');
  return { tag: tag.slice(0, at), value: tag.slice(at + 1) };
}

function groupBy(
  rows: readonly UsageRow[],
  keyOf: (row: UsageRow) => string | undefined,
): [string, UsageRow[]][] {
  const groups = Map.groupBy(rows, keyOf);
  return [...groups].flatMap(([key, some]) => (key === undefined ? [] : [[key, some]]));
}

export function toRequestUsage(rows: readonly UsageRow[]): RequestUsage {
  const sum = sumAmounts(rows);
  const { success, stopped, failed, refused: rejected, savingsMicrodollars, infrastructureNanodollars } = sum;
  const requests = success + stopped + failed + rejected;
  return {
    requests,
    success,
    stopped,
    failed,
    refused: rejected,
    ...toCallUsage(rows),
    savingsMicrodollars,
    infrastructureNanodollars,
  };
}

function toCallUsage(rows: readonly UsageRow[]): CallUsage {
  const { modelCalls, tokensInput, tokensOutput, costMicrodollars, unknownCosts } = sumAmounts(rows);
  return { modelCalls, tokensInput, tokensOutput, costMicrodollars, unknownCosts };
}

function sumAmounts(rows: readonly UsageRow[]): UsageAmounts {
  const total = (name: UsageAmount) => rows.reduce((sum, { amounts }) => sum + amounts[name], 0);
  return Object.fromEntries(USAGE_AMOUNTS.map((name) => [name, total(name)])) as UsageAmounts;
}

// Sums up the rollups of an organization by neuron, model, username, API key and day.
import { USAGE_AMOUNTS, type UsageAmount, type UsageAmounts, type UsageRow } from '../../core/ports/usage.ts';
import type { CallUsage, Days, RequestUsage, UsageReport } from '../json/usage.ts';

export function toUsageReport(organization: string, days: Days, rows: readonly UsageRow[]): UsageReport {
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
    days: groupBy(neuronRows, ({ day }) => day)
      .map(([day, some]) => ({ day, ...toRequestUsage(some) }))
      .sort((a, b) => (a.day < b.day ? -1 : 1)),
  };
}

function modelOf({ subject }: UsageRow): string | undefined {
  return subject.kind === 'model' ? `${subject.provider}/${subject.model}` : undefined;
}

function groupBy(
  rows: readonly UsageRow[],
  keyOf: (row: UsageRow) => string | undefined,
): [string, UsageRow[]][] {
  const groups = Map.groupBy(rows, keyOf);
  return [...groups].flatMap(([key, some]) => (key === undefined ? [] : [[key, some]]));
}

function toRequestUsage(rows: readonly UsageRow[]): RequestUsage {
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

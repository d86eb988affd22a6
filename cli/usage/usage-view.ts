// Renders usage: totals, and a table for each dimension.
import type {
  CallUsage,
  Forecast,
  FullReport,
  LimitForecast,
  RequestUsage,
  RunUsage,
  UsageReport,
} from '../json/usage.ts';
import { renderName } from '../output/caller.ts';
import type { Paint } from '../output/paint.ts';
import { count, type Output } from '../output/print.ts';
import { type Column, renderTable } from '../output/table.ts';
import { FEEDBACK_COLUMNS } from './feedback-usage.ts';
import { LATENCY_COLUMNS } from './run-usage.ts';
import type { UsageDifference } from './verify-usage.ts';

/** Max. number of users in a table. `--json` shows all. */
const MAX_USERS = 20;

const REQUEST_COLUMNS: readonly Column<RequestUsage>[] = [
  { head: 'REQUESTS', cell: ({ requests }) => requests, align: 'right' },
  { head: 'SUCCESS', cell: ({ success }) => success, align: 'right', drop: 2 },
  { head: 'STOPPED', cell: ({ stopped }) => stopped, align: 'right', drop: 1 },
  { head: 'FAILED', cell: ({ failed }) => failed, align: 'right', drop: 6 },
  { head: 'REFUSED', cell: ({ refused: rejected }) => rejected, align: 'right', drop: 4 },
];
const CALL_COLUMNS: readonly Column<CallUsage>[] = [
  {
    head: 'TOKENS IN/OUT',
    cell: ({ tokensInput, tokensOutput }) => `${tokensInput}/${tokensOutput}`,
    align: 'right',
    drop: 5,
  },
  { head: 'COST', cell: renderCost, align: 'right' },
];
const SAVED: Column<RequestUsage> = {
  head: 'SAVED',
  cell: ({ savingsMicrodollars }) => dollars(savingsMicrodollars),
  align: 'right',
  drop: 3,
};
const INFRASTRUCTURE: Column<RequestUsage> = {
  head: 'AWS',
  cell: ({ infrastructureNanodollars }) => dollars(infrastructureNanodollars / 1_000),
  align: 'right',
  drop: 0,
};
const ALL_COLUMNS = [...REQUEST_COLUMNS, ...CALL_COLUMNS, SAVED, INFRASTRUCTURE];

const RUN_COLUMNS: readonly Column<RunUsage>[] = [
  { head: 'RUNS', cell: ({ requests }) => requests, align: 'right' },
  ...REQUEST_COLUMNS.slice(1, 4),
  ...LATENCY_COLUMNS,
  ...CALL_COLUMNS,
];

export const COLUMNS = {
  neurons: [{ head: 'NEURON', cell: ({ neuron }) => neuron, flexible: true }, ...ALL_COLUMNS],
  models: [
    { head: 'MODEL', cell: ({ model }) => model, flexible: true },
    { head: 'CALLS', cell: ({ modelCalls }) => modelCalls, align: 'right' },
    ...CALL_COLUMNS,
  ],
  users: [{ head: 'USERNAME', cell: ({ username }) => renderName(username), flexible: true }, ...ALL_COLUMNS],
  keys: [{ head: 'API KEY', cell: ({ keyId }) => keyId }, ...ALL_COLUMNS],
  tags: [{ head: 'TAG', cell: ({ tag, value }) => `${tag}=${value}`, flexible: true }, ...ALL_COLUMNS],
  days: [{ head: 'DAY (UTC)', cell: ({ day }) => day }, ...ALL_COLUMNS],
  arms: [
    { head: 'ROLLOUT', cell: ({ rollout }) => rollout },
    { head: 'ARM', cell: ({ arm, version }) => `${arm} ${version}` },
    { head: 'NEURON', cell: ({ neuron }) => neuron, flexible: true },
    ...ALL_COLUMNS,
  ],
  versions: [
    { head: 'NEURON', cell: ({ neuron }) => neuron, flexible: true },
    { head: 'VERSION', cell: ({ version }) => version },
    ...RUN_COLUMNS,
    { head: 'CACHED', cell: ({ hits }) => hits, align: 'right', drop: 2 },
  ],
  branches: [
    { head: 'NEURON', cell: ({ neuron }) => neuron, flexible: true },
    { head: 'VERSION', cell: ({ version }) => version },
    { head: 'BRANCH', cell: ({ branch }) => branch },
    ...RUN_COLUMNS,
  ],
} as const satisfies {
  readonly [Division in Divisions]: readonly Column<UsageReport[Division][number]>[];
};

type Divisions = 'neurons' | 'models' | 'users' | 'keys' | 'tags' | 'days' | 'arms' | 'versions' | 'branches';

/** Text that fits `width`. `dropped`: heads of columns for which there was no room. */
export function renderUsage(
  report: FullReport,
  { paint, width }: Pick<Output, 'paint' | 'width'>,
): { readonly text: string; readonly dropped: readonly string[] } {
  const dropped = new Set<string>();
  const table = <T>(rows: readonly T[], columns: readonly Column<T>[]): string[] => {
    if (rows.length === 0) return [];
    const rendered = renderTable(rows, columns, { paint, available: width });
    for (const head of rendered.dropped) dropped.add(head);
    return [rendered.text];
  };
  const users = report.users.slice(0, MAX_USERS);
  const hidden = report.users.length - users.length;
  const parts = [
    renderTotals(report, paint),
    ...table(report.neurons, COLUMNS.neurons),
    ...table(report.models, COLUMNS.models),
    ...table(users, COLUMNS.users),
    ...(hidden > 0 ? [`${count(hidden, 'more user')}: pass --json to see all`] : []),
    ...table(report.keys, COLUMNS.keys),
    ...table(report.tags, COLUMNS.tags),
    ...table(report.days, COLUMNS.days),
    ...table(report.arms, COLUMNS.arms),
    ...table(report.feedback, FEEDBACK_COLUMNS),
  ];
  return { text: parts.join('\n\n'), dropped: [...dropped] };
}

function renderTotals({ totals, fromDay, toDay, forecast, limits }: FullReport, paint: Paint): string {
  const outcomes = `${totals.success} success, ${totals.stopped} stopped, ${totals.failed} failed, ${totals.refused} refused`;
  const facts = [
    ['period', `${fromDay} to ${toDay}, UTC`],
    ['requests', `${totals.requests}: ${outcomes}`],
    ['tokens', `${totals.tokensInput} in, ${totals.tokensOutput} out`],
    ['cost', renderCost(totals)],
    ['saved', dollars(totals.savingsMicrodollars)],
    ['AWS', dollars(totals.infrastructureNanodollars / 1_000)],
    ...(forecast === null ? [] : [['forecast', renderForecast(forecast)] as const]),
    ...limits.map((limit) => ['limit', renderLimit(limit)] as const),
  ] as const;
  return facts.map(([name, value]) => `${paint('bold', name.padEnd(12))}${value}`).join('\n');
}

function renderForecast({ requests, tokensInput, tokensOutput, costMicrodollars }: Forecast): string {
  return `${requests} requests, ${tokensInput + tokensOutput} tokens, ${dollars(costMicrodollars)}`;
}

/** `$500 of cost a month`. */
export function renderAmount({
  metric,
  limit,
  period,
}: Pick<LimitForecast, 'metric' | 'limit' | 'period'>): string {
  return `${metric === 'cost' ? `$${limit / 1_000_000} of cost` : `${limit} ${metric}`} a ${period}`;
}

/** `$500 of cost a month: 80% used, 117% by its end`. */
export function renderLimit(shown: LimitForecast): string {
  const { limit, used, forecast } = shown;
  const share = (part: number): string => (limit === 0 ? '-' : `${Math.floor((part / limit) * 100)}%`);
  const atEnd = forecast === null ? '' : `, ${share(forecast)} by its end`;
  return `${renderAmount(shown)}: ${share(used)} used${atEnd}`;
}

/** With the slug of the neuron; null for a deleted one, since another may have its slug now. */
export interface NamedDifference extends UsageDifference {
  readonly neuron: string | null;
}

export const DIFFERENCE_COLUMNS: readonly Column<NamedDifference>[] = [
  { head: 'DAY (UTC)', cell: ({ day }) => day },
  { head: 'NEURON', cell: ({ neuron, neuronId }) => neuron ?? neuronId },
  { head: 'OF', cell: ({ subject }) => subject, flexible: true },
  { head: 'WHAT', cell: ({ amount }) => amount },
  { head: 'ROLLUP', cell: ({ rollup }) => rollup, align: 'right' },
  { head: 'ENTRIES', cell: ({ recounted }) => recounted, align: 'right' },
];

/** Unknown costs are counted, never shown as zero. */
export function renderCost({ costMicrodollars, unknownCosts }: CallUsage): string {
  const known = dollars(costMicrodollars);
  return unknownCosts === 0 ? known : `${known} + ${unknownCosts} unknown`;
}

export function dollars(microdollars: number): string {
  return `$${(microdollars / 1_000_000).toFixed(6)}`;
}

// How usage looks: totals, and a table for each way to divide them.
import { renderName } from '../output/caller.ts';
import type { Paint } from '../output/paint.ts';
import { count, type Output } from '../output/print.ts';
import { type Column, renderTable } from '../output/table.ts';
import type { CallUsage, RequestUsage, UsageReport } from './usage-report.ts';
import type { UsageDifference } from './verify-usage.ts';

/** Users that a table shows; `--json` shows all. */
const MOST_USERS = 20;

const REQUEST_COLUMNS: readonly Column<RequestUsage>[] = [
  { head: 'REQUESTS', cell: ({ requests }) => requests, align: 'right' },
  { head: 'SUCCESS', cell: ({ success }) => success, align: 'right', drop: 2 },
  { head: 'STOPPED', cell: ({ stopped }) => stopped, align: 'right', drop: 1 },
  { head: 'FAILED', cell: ({ failed }) => failed, align: 'right', drop: 6 },
  { head: 'REFUSED', cell: ({ refused }) => refused, align: 'right', drop: 4 },
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
const ALL_COLUMNS = [...REQUEST_COLUMNS, ...CALL_COLUMNS, SAVED];

/** The report as text that fits `width`; `dropped` names the columns for which there was no room. */
export function renderUsage(
  report: UsageReport,
  { paint, width }: Pick<Output, 'paint' | 'width'>,
): { readonly text: string; readonly dropped: readonly string[] } {
  const dropped = new Set<string>();
  const table = <T>(rows: readonly T[], columns: readonly Column<T>[]): string[] => {
    if (rows.length === 0) return [];
    const rendered = renderTable(rows, columns, { paint, available: width });
    for (const head of rendered.dropped) dropped.add(head);
    return [rendered.text];
  };
  const users = report.users.slice(0, MOST_USERS);
  const hidden = report.users.length - users.length;
  const parts = [
    renderTotals(report, paint),
    ...table(report.neurons, [
      { head: 'NEURON', cell: ({ neuron }) => neuron, flexible: true },
      ...ALL_COLUMNS,
    ]),
    ...table(report.models, [
      { head: 'MODEL', cell: ({ model }) => model, flexible: true },
      { head: 'CALLS', cell: ({ modelCalls }) => modelCalls, align: 'right' },
      ...CALL_COLUMNS,
    ]),
    ...table(users, [
      { head: 'USERNAME', cell: ({ username }) => renderName(username), flexible: true },
      ...ALL_COLUMNS,
    ]),
    ...(hidden > 0 ? [`${count(hidden, 'more user')}: pass --json to see all`] : []),
    ...table(report.days, [{ head: 'DAY (UTC)', cell: ({ day }) => day }, ...ALL_COLUMNS]),
  ];
  return { text: parts.join('\n\n'), dropped: [...dropped] };
}

function renderTotals({ totals, fromDay, toDay }: UsageReport, paint: Paint): string {
  const outcomes = `${totals.success} success, ${totals.stopped} stopped, ${totals.failed} failed, ${totals.refused} refused`;
  const facts = [
    ['period', `${fromDay} to ${toDay}, UTC`],
    ['requests', `${totals.requests}: ${outcomes}`],
    ['tokens', `${totals.tokensInput} in, ${totals.tokensOutput} out`],
    ['cost', renderCost(totals)],
    ['saved', dollars(totals.savingsMicrodollars)],
  ] as const;
  return facts.map(([name, value]) => `${paint('bold', name.padEnd(12))}${value}`).join('\n');
}

/** With the slug of the neuron; null of one that was deleted, since another may have its slug now. */
export interface NamedDifference extends UsageDifference {
  readonly neuron: string | null;
}

/** Where the rollups and the recount disagree. */
export const DIFFERENCE_COLUMNS: readonly Column<NamedDifference>[] = [
  { head: 'DAY (UTC)', cell: ({ day }) => day },
  { head: 'NEURON', cell: ({ neuron, neuronId }) => neuron ?? neuronId },
  { head: 'OF', cell: ({ subject }) => subject, flexible: true },
  { head: 'WHAT', cell: ({ amount }) => amount },
  { head: 'ROLLUP', cell: ({ rollup }) => rollup, align: 'right' },
  { head: 'ENTRIES', cell: ({ recounted }) => recounted, align: 'right' },
];

/** An unknown cost is never shown as nothing. */
function renderCost({ costMicrodollars, unknownCosts }: CallUsage): string {
  const known = dollars(costMicrodollars);
  return unknownCosts === 0 ? known : `${known} + ${unknownCosts} unknown`;
}

function dollars(microdollars: number): string {
  return `$${(microdollars / 1_000_000).toFixed(6)}`;
}

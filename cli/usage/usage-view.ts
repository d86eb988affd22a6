// How usage looks: totals, and a table for each way to divide them.
import { renderName } from '../output/caller.ts';
import type { Paint } from '../output/paint.ts';
import { count } from '../output/print.ts';
import { type Column, renderTable } from '../output/table.ts';
import type { CallUsage, RequestUsage, UsageReport } from './usage-report.ts';
import type { UsageDifference } from './verify-usage.ts';

/** Users that a table shows; `--json` shows all. */
const MOST_USERS = 20;

const REQUEST_COLUMNS: readonly Column<RequestUsage>[] = [
  { head: 'REQUESTS', cell: ({ requests }) => requests, align: 'right' },
  { head: 'SUCCESS', cell: ({ success }) => success, align: 'right' },
  { head: 'STOPPED', cell: ({ stopped }) => stopped, align: 'right' },
  { head: 'FAILED', cell: ({ failed }) => failed, align: 'right' },
  { head: 'REFUSED', cell: ({ refused }) => refused, align: 'right' },
];
const CALL_COLUMNS: readonly Column<CallUsage>[] = [
  {
    head: 'TOKENS IN/OUT',
    cell: ({ tokensInput, tokensOutput }) => `${tokensInput}/${tokensOutput}`,
    align: 'right',
  },
  { head: 'COST', cell: renderCost, align: 'right' },
];
const SAVED: Column<RequestUsage> = {
  head: 'SAVED',
  cell: ({ savingsMicrodollars }) => dollars(savingsMicrodollars),
  align: 'right',
};

/** The report as text. */
export function renderUsage(report: UsageReport, paint: Paint): string {
  const { totals } = report;
  const all = [...REQUEST_COLUMNS, ...CALL_COLUMNS, SAVED];
  const outcomes = `${totals.success} success, ${totals.stopped} stopped, ${totals.failed} failed, ${totals.refused} refused`;
  const facts = [
    ['period', `${report.fromDay} to ${report.toDay}, UTC`],
    ['requests', `${totals.requests}: ${outcomes}`],
    ['tokens', `${totals.tokensInput} in, ${totals.tokensOutput} out`],
    ['cost', renderCost(totals)],
    ['saved', dollars(totals.savingsMicrodollars)],
  ] as const;
  const users = report.users.slice(0, MOST_USERS);
  const hidden = report.users.length - users.length;
  return [
    facts.map(([name, value]) => `${paint('bold', name.padEnd(12))}${value}`).join('\n'),
    renderTable(report.neurons, [{ head: 'NEURON', cell: ({ neuron }) => neuron }, ...all], { paint }).text,
    ...(report.models.length === 0
      ? []
      : [
          renderTable(
            report.models,
            [
              { head: 'MODEL', cell: ({ model }) => model },
              { head: 'CALLS', cell: ({ modelCalls }) => modelCalls, align: 'right' },
              ...CALL_COLUMNS,
            ],
            { paint },
          ).text,
        ]),
    ...(users.length === 0
      ? []
      : [
          renderTable(users, [{ head: 'USERNAME', cell: ({ username }) => renderName(username) }, ...all], {
            paint,
          }).text,
        ]),
    ...(hidden > 0 ? [`${count(hidden, 'more user')}: pass --json to see all`] : []),
    renderTable(report.days, [{ head: 'DAY (UTC)', cell: ({ day }) => day }, ...all], { paint }).text,
  ].join('\n\n');
}

/** Where the rollups and the recount disagree. */
export const DIFFERENCE_COLUMNS: readonly Column<UsageDifference>[] = [
  { head: 'DAY (UTC)', cell: ({ day }) => day },
  { head: 'NEURON ID', cell: ({ neuronId }) => neuronId },
  { head: 'OF', cell: ({ subject }) => subject },
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

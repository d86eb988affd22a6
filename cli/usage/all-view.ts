// Renders the usage of all organizations.
import { parseMaximum } from '../command/arguments.ts';
import { option, type ValuesOf } from '../command/command.ts';
import type { Days, OrganizationUsage, ServiceUsage } from '../json/usage.ts';
import { count, describeDropped, type Output } from '../output/print.ts';
import { type Column, renderTable } from '../output/table.ts';
import { type AllPorts, MAX_ORGANIZATIONS, readServiceUsage, USAGE_ORDERS } from './all-organizations.ts';
import { dollars, renderCost } from './usage-view.ts';

const DEFAULT_MAXIMUM = 20;

export const ALL_OPTIONS = {
  sort: option('--sort <by>', 'order of organizations with --all (default: cost)', USAGE_ORDERS),
  limit: option(
    '--limit <number>',
    `organizations to show with --all (default: ${DEFAULT_MAXIMUM})`,
    parseMaximum(MAX_ORGANIZATIONS),
  ),
};

export async function showAll(
  days: Days,
  { sort = 'cost', limit = DEFAULT_MAXIMUM }: ValuesOf<typeof ALL_OPTIONS>,
  ports: AllPorts,
  out: Output,
): Promise<void> {
  printServiceUsage(await readServiceUsage({ days, order: sort, maximum: limit }, ports), out);
}

/** Alerts below the table; `--json` has all. */
const MAX_ALERTS = 10;

const COLUMNS: readonly Column<OrganizationUsage>[] = [
  { head: 'ORGANIZATION', cell: ({ organization }) => organization, flexible: true },
  { head: 'REQUESTS', cell: ({ requests }) => requests, align: 'right' },
  { head: 'FAILED', cell: ({ failed }) => failed, align: 'right' },
  { head: 'REFUSED', cell: ({ refused: rejected }) => rejected, align: 'right' },
  {
    head: 'TOKENS IN/OUT',
    cell: ({ tokensInput, tokensOutput }) => `${tokensInput}/${tokensOutput}`,
    align: 'right',
    drop: 2,
  },
  { head: 'COST', cell: renderCost, align: 'right' },
  { head: 'SAVED', cell: ({ savingsMicrodollars }) => dollars(savingsMicrodollars), align: 'right', drop: 1 },
  {
    head: 'GUARDS',
    cell: ({ guardBlocked, guardNotJudged }) => renderGuards(guardBlocked, guardNotJudged),
    drop: 4,
  },
  { head: 'ROLLOUT RUNS', cell: ({ rolloutRuns }) => rolloutRuns || undefined, align: 'right', drop: 5 },
  { head: 'NEARLY USED', cell: ({ limits }) => limits.map(renderLimit).join(', ') || undefined, drop: 3 },
];

function renderGuards(blocked: number, notJudged: number): string | undefined {
  const parts = [
    ...(blocked > 0 ? [`${blocked} blocked`] : []),
    ...(notJudged > 0 ? [`${notJudged} not judged`] : []),
  ];
  return parts.join(', ') || undefined;
}

function renderLimit({ metric, period, limit, remaining }: OrganizationUsage['limits'][number]): string {
  const share = limit === 0 ? 100 : Math.floor(((limit - (remaining ?? 0)) / limit) * 100);
  return `${metric}${period === null ? '' : ` ${period}`} ${share}%`;
}

function printServiceUsage(usage: ServiceUsage, out: Output): void {
  if (usage.limitsWithheld)
    out.warn(
      'Limits that are nearly used are not shown: these credentials may not read the counters of limits, as an operator may.',
    );
  if (out.json) {
    out.value(usage, '');
    return;
  }
  const { fromDay, toDay, called, totals, organizations, alerts } = usage;
  if (called === 0) {
    out.message(
      `No usage of any organization from ${fromDay} to ${toDay}. Calls appear after a few seconds.`,
    );
    return;
  }
  const { text, dropped } = renderTable(organizations, COLUMNS, { paint: out.paint, available: out.width });
  const sum = `${count(called, 'organization')} from ${fromDay} to ${toDay}: ${count(totals.requests, 'request')}, ${totals.failed} failed, ${totals.refused} refused, ${renderCost(totals)}`;
  const lines = alerts
    .slice(0, MAX_ALERTS)
    .map(
      ({ organization, keyId, metric, period, share }) =>
        `alert: ${organization}${keyId === null ? '' : ` key ${keyId}`} has used ${share}% of ${metric} per ${period}`,
    );
  out.value(undefined, [sum, text, ...lines].join('\n'));
  if (alerts.length > MAX_ALERTS)
    out.message(`${count(alerts.length - MAX_ALERTS, 'alert')} more: pass --json.`);
  if (called > organizations.length)
    out.message(`${count(called - organizations.length, 'organization')} more: pass --limit.`);
  if (dropped.length > 0) out.message(describeDropped(dropped));
}

// Renders the usage of all organizations.
import type { OrganizationUsage, ServiceUsage } from '../json/usage.ts';
import { count, describeDropped, type Output } from '../output/print.ts';
import { type Column, renderTable } from '../output/table.ts';
import { dollars, renderCost } from './usage-view.ts';

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
  { head: 'NEARLY USED', cell: ({ limits }) => limits.map(renderLimit).join(', ') || undefined, drop: 3 },
];

function renderLimit({ metric, period, limit, remaining }: OrganizationUsage['limits'][number]): string {
  const share = limit === 0 ? 100 : Math.floor(((limit - (remaining ?? 0)) / limit) * 100);
  return `${metric}${period === null ? '' : ` ${period}`} ${share}%`;
}

export function printServiceUsage(usage: ServiceUsage, out: Output): void {
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

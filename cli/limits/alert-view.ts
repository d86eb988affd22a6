// How an alert is shown: one line of a table, or the object of `--json`.
import type { Alert, AlertRecord } from '../../core/ports/alerts.ts';
import type { ListedAlert } from '../json/alerts.ts';
import type { Column } from '../output/table.ts';

export const ALERT_COLUMNS: readonly Column<ListedAlert>[] = [
  { head: 'AT', cell: ({ at }) => at },
  { head: 'SHARE', cell: ({ share }) => `${share}%`, align: 'right' },
  { head: 'LIMIT', cell: ({ metric, limit, period }) => `${renderAmount(metric, limit)} per ${period}` },
  { head: 'WINDOW', cell: ({ windowStart, period }) => windowStart.slice(0, period === 'month' ? 7 : 10) },
  { head: 'USED', cell: ({ metric, used }) => renderAmount(metric, used), align: 'right' },
  { head: 'API KEY', cell: ({ keyId }) => keyId ?? undefined, drop: 1 },
  { head: 'EVENT SENT', cell: ({ eventBusAt }) => eventBusAt ?? 'not yet', drop: 3 },
  { head: 'TOPIC SENT', cell: ({ topicAt }) => topicAt ?? undefined, drop: 2 },
];

export function toListedAlert({ alert, sentAtMs }: AlertRecord): ListedAlert {
  const { id, keyId, metric, period, share, limit, used } = alert;
  return {
    id,
    at: toIso(alert.atMs),
    keyId: keyId ?? null,
    ...{ metric, period },
    windowStart: toIso(alert.windowStartMs),
    windowEnd: toIso(alert.windowEndMs),
    ...{ share, limit, used },
    eventBusAt: sentAtMs.eventBus === undefined ? null : toIso(sentAtMs.eventBus),
    topicAt: sentAtMs.topic === undefined ? null : toIso(sentAtMs.topic),
  };
}

function toIso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

function renderAmount(metric: Alert['metric'], amount: number): string {
  return metric === 'cost' ? `$${amount / 1_000_000}` : `${amount} ${metric}`;
}

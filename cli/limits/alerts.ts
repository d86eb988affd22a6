// `neuron alerts`: the shares of its usage limits that an organization has reached, and whether the alerts were sent.
import type { Alert, AlertRecord } from '../../core/ports/alerts.ts';
import { toIso } from '../../core/time/iso.ts';
import { ORGANIZATION } from '../command/arguments.ts';
import { command, option } from '../command/command.ts';
import type { ListedAlert } from '../json/limits.ts';
import { findLogOwner } from '../logs/find-log-owner.ts';
import type { Column } from '../output/table.ts';

const COLUMNS: readonly Column<ListedAlert>[] = [
  { head: 'AT', cell: ({ at }) => at },
  { head: 'SHARE', cell: ({ share }) => `${share}%`, align: 'right' },
  { head: 'LIMIT', cell: ({ metric, limit, period }) => `${renderAmount(metric, limit)} per ${period}` },
  { head: 'WINDOW', cell: ({ windowStart, period }) => windowStart.slice(0, period === 'month' ? 7 : 10) },
  { head: 'USED', cell: ({ metric, used }) => renderAmount(metric, used), align: 'right' },
  { head: 'API KEY', cell: ({ keyId }) => keyId ?? undefined, drop: 1 },
  { head: 'EVENT SENT', cell: ({ eventBusAt }) => eventBusAt ?? 'not yet', drop: 3 },
  { head: 'TOPIC SENT', cell: ({ topicAt }) => topicAt ?? undefined, drop: 2 },
];

export const alerts = command({
  name: 'alerts',
  arguments: { organization: ORGANIZATION },
  options: {
    deleted: option(
      '--deleted <id>',
      'show alerts of the deleted organization with this id, whose slug is used again',
    ),
  },
  result: {
    columns: COLUMNS,
    none: ({ organization }) => `${organization} has no alerts. Usage limits with alertAt make them.`,
  },
  // Alerts of API keys are included.
  async run({ organization, deleted }, { out, connect }) {
    const ports = await connect();
    const owner = await findLogOwner({ organization, neuron: undefined }, { deleted }, ports, out);
    const records: AlertRecord[] = [];
    for await (const record of ports.alerts.list(owner.organizationId)) records.push(record);
    return records
      .toSorted(({ alert: one }, { alert: other }) => other.atMs - one.atMs || other.share - one.share)
      .map(toListedAlert);
  },
});

export function toListedAlert({ alert, sentAtMs }: AlertRecord): ListedAlert {
  const { id, keyId, metric, period, share, limit, used } = alert;
  return {
    id,
    at: toIso(alert.atMs),
    keyId: keyId ?? null,
    metric,
    period,
    windowStart: toIso(alert.windowStartMs),
    windowEnd: toIso(alert.windowEndMs),
    share,
    limit,
    used,
    eventBusAt: sentAtMs.eventBus === undefined ? null : toIso(sentAtMs.eventBus),
    topicAt: sentAtMs.topic === undefined ? null : toIso(sentAtMs.topic),
  };
}

function renderAmount(metric: Alert['metric'], amount: number): string {
  return metric === 'cost' ? `$${amount / 1_000_000}` : `${amount} ${metric}`;
}

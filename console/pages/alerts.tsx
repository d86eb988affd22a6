// Shows the alerts of an organization: shares of usage limits that were reached.
import { formatAmount } from '../data/format.ts';
import { pathTo } from '../data/paths.ts';
import { useKeyNames } from '../data/use-key-names.ts';
import { useCommand } from '../data/use-query.ts';
import type { AlertValue } from '../data/values.ts';
import { Badge } from '../parts/layout.tsx';
import { ResultCard } from '../parts/result-card.tsx';
import { Empty } from '../parts/state.tsx';
import { Table } from '../parts/table.tsx';
import { Line } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';

const REFRESH_MS = 30_000;
/** Max. rows of the table. `neuron alerts` lists all. */
const MAX_ROWS = 50;

/** All alerts, newest first. */
export function AlertsCard({ organization }: { readonly organization: string }) {
  const alerts = useCommand<AlertValue>('alerts', { organization }, REFRESH_MS);
  const nameOf = useKeyNames(organization, alerts.data?.values);
  return (
    <ResultCard<AlertValue>
      query={alerts}
      title="Alerts"
      none={
        <Empty title="No share of a limit was reached.">
          <p>
            <code>alertAt</code> of a usage limit names the shares that raise an alert.
          </p>
        </Empty>
      }
    >
      {(values) => (
        <Table<AlertValue>
          label="Alerts"
          rows={values.slice(0, MAX_ROWS)}
          keyOf={({ id }) => id}
          columns={[
            { head: 'Reached (UTC)', cell: ({ at }) => <Time timeMs={Date.parse(at)} brief /> },
            { head: 'Share', cell: (alert) => <Share alert={alert} /> },
            { head: 'Limit', cell: describeAlertLimit },
            {
              head: 'Of',
              shown: 'medium',
              cell: ({ keyId }) => (keyId === null ? organization : <Line text={nameOf(keyId)} />),
            },
            {
              head: 'Used then',
              align: 'right',
              shown: 'medium',
              cell: ({ metric, used }) => formatAmount(metric, used),
            },
            { head: 'Sent', shown: 'wide', cell: describeSent },
          ]}
        />
      )}
    </ResultCard>
  );
}

/** Alerts of current windows. Nothing is drawn where there are none. */
export function CurrentAlerts({ organization }: { readonly organization: string }) {
  const { data } = useCommand<AlertValue>('alerts', { organization }, REFRESH_MS);
  const current = highest((data?.values ?? []).filter(({ windowEnd }) => Date.parse(windowEnd) > Date.now()));
  const nameOf = useKeyNames(organization, current);
  if (current.length === 0) return null;
  return (
    <section class="notice" aria-label="Alerts">
      <ul>
        {current.map((alert) => (
          <li key={alert.id}>
            <Share alert={alert} /> of {describeAlertLimit(alert)}{' '}
            {alert.keyId !== null && (
              <>
                of the key <Line text={nameOf(alert.keyId)} />{' '}
              </>
            )}
            was reached at <Time timeMs={Date.parse(alert.at)} brief />
          </li>
        ))}
      </ul>
      <a href={pathTo(organization, 'limits')}>Look at the limits</a>
    </section>
  );
}

/** The highest share of each limit and window, since it includes the lower ones. */
function highest(alerts: readonly AlertValue[]): readonly AlertValue[] {
  const limits = Map.groupBy(alerts, ({ keyId, metric, period, windowStart }) =>
    JSON.stringify([keyId, metric, period, windowStart]),
  );
  return [...limits.values()].map((some) =>
    some.reduce((one, other) => (other.share > one.share ? other : one)),
  );
}

function Share({ alert: { share } }: { readonly alert: AlertValue }) {
  return <Badge tone={share >= 100 ? 'bad' : 'warn'}>{share}%</Badge>;
}

/** `$50.00 each month`. */
function describeAlertLimit({ metric, limit, period }: AlertValue): string {
  return `${formatAmount(metric, limit)}${metric === 'cost' ? '' : ` ${metric}`} each ${period}`;
}

function describeSent({ eventBusAt, topicAt }: AlertValue): string {
  if (eventBusAt === null && topicAt === null) return 'not yet';
  return [...(eventBusAt === null ? [] : ['EventBridge']), ...(topicAt === null ? [] : ['topic'])].join(', ');
}

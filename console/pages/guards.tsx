// Shows what guards found: by neuron and guard, and day by day. Kinds and numbers alone, as the log has them.
import { useLocation, useRoute } from 'preact-iso';
import { formatNumber } from '../data/format.ts';
import { pathTo } from '../data/paths.ts';
import { useCommand } from '../data/use-query.ts';
import type { GuardReportValue } from '../data/values.ts';
import { Badge, Card, Choice, PageHead } from '../parts/layout.tsx';
import { ResultCard } from '../parts/result-card.tsx';
import { Empty } from '../parts/state.tsx';
import { Table } from '../parts/table.tsx';
import { Line } from '../parts/text.tsx';

const RANGES = [
  ['1d', '1 day'],
  ['7d', '7 days'],
  ['30d', '30 days'],
] as const;
type Range = (typeof RANGES)[number][0];

export function Guards() {
  const { organization = '' } = useRoute().params;
  const { query, route } = useLocation();
  const since = RANGES.find(([name]) => name === query['since'])?.[0] ?? '7d';
  const report = useCommand<GuardReportValue>('guards', { target: organization, since });
  const none = (
    <Empty title={`No guard found anything in ${RANGES.find(([name]) => name === since)?.[1]}.`}>
      <p>
        <code>guards</code> of an organization and of its neurons say what is looked for:{' '}
        <code>neuron guards test</code> tries a text.
      </p>
    </Empty>
  );
  return (
    <>
      <PageHead
        title="Guards"
        detail="Requests in which guards found something, from the log. Texts and values are in none of it."
      >
        <Choice<Range>
          label="Time range"
          values={RANGES}
          value={since}
          onChange={(next) => route(pathTo(organization, 'guards', { since: next }))}
        />
      </PageHead>
      <ResultCard<GuardReportValue> query={report} title="Finds by neuron and guard" none={none}>
        {([found]) => (found === undefined || found.guards.length === 0 ? none : <Finds report={found} />)}
      </ResultCard>
      {report.data?.values[0] && <Days days={report.data.values[0].days} />}
    </>
  );
}

type Row = GuardReportValue['guards'][number];

function Finds({ report: { organization, guards } }: { readonly report: GuardReportValue }) {
  return (
    <Table<Row>
      label="Finds by neuron and guard"
      rows={guards}
      keyOf={({ neuron, guard, stage, action }) => `${neuron} ${guard} ${stage} ${action}`}
      columns={[
        {
          head: 'Neuron',
          cell: ({ neuron }) => (
            <a href={pathTo(organization, 'logs', { neuron })}>
              <Line text={neuron} />
            </a>
          ),
        },
        { head: 'Guard', cell: ({ guard }) => <Line text={guard} /> },
        { head: 'Stage', shown: 'medium', cell: ({ stage }) => stage },
        { head: 'Action', cell: ({ action }) => <Action action={action} /> },
        { head: 'Requests', align: 'right', cell: ({ requests }) => formatNumber(requests) },
        { head: 'Ended', align: 'right', shown: 'medium', cell: describeEnded },
        {
          head: 'Found',
          shown: 'wide',
          cell: ({ finds }) => finds.map(({ type, count }) => `${type} ${formatNumber(count)}`).join(', '),
        },
      ]}
    />
  );
}

function Action({ action }: Pick<Row, 'action'>) {
  return action === 'block' ? <Badge tone="warn">block</Badge> : <span>{action}</span>;
}

/** Requests that the guard ended, and those that a guard which flags would have ended. */
function describeEnded({ action, blocked, wouldBlock }: Row): string {
  if (action === 'block') return formatNumber(blocked);
  return action === 'flag' ? `${formatNumber(wouldBlock)} with block` : '';
}

type Day = GuardReportValue['days'][number];

function Days({ days }: { readonly days: readonly Day[] }) {
  if (days.length < 2) return null;
  return (
    <Card title="Day by day" wide>
      <Table<Day>
        label="Finds day by day"
        rows={days}
        keyOf={({ day }) => day}
        columns={[
          { head: 'Day (UTC)', cell: ({ day }) => day },
          { head: 'Requests', align: 'right', cell: ({ requests }) => formatNumber(requests) },
          { head: 'Ended', align: 'right', cell: ({ blocked }) => formatNumber(blocked) },
          { head: 'Flagged', align: 'right', cell: ({ flagged }) => formatNumber(flagged) },
        ]}
      />
    </Card>
  );
}

// Organizations with their usage and the limits that are nearly used, the largest first.
import { useLocation } from 'preact-iso';
import { formatCost, formatNumber, formatShare } from '../../data/format.ts';
import { pathTo } from '../../data/paths.ts';
import { ORDERS, type ServiceView, toPath } from '../../data/service-view.ts';
import type { LimitValue, OrganizationUsageValue, ServiceUsageValue } from '../../data/values.ts';
import { Badge, Card, Choice } from '../../parts/layout.tsx';
import { Table, type TableColumn } from '../../parts/table.tsx';

const NAMES: Readonly<Record<ServiceView['order'], string>> = {
  cost: 'Cost',
  requests: 'Requests',
  failed: 'Failures',
  refused: 'Refusals',
  guards: 'Guards',
};

export function OrganizationTable({
  usage: { called, organizations },
  view,
}: {
  readonly usage: ServiceUsageValue;
  readonly view: ServiceView;
}) {
  const { route } = useLocation();
  const rest = called - organizations.length;
  return (
    <Card
      title="Organizations"
      wide
      aside={
        <Choice
          label="The largest first by"
          values={ORDERS.map((order) => [order, NAMES[order]] as const)}
          value={view.order}
          onChange={(order) => route(toPath({ ...view, order }))}
        />
      }
    >
      <Table
        rows={organizations}
        columns={COLUMNS}
        keyOf={({ organizationId }) => organizationId}
        label="Organizations"
      />
      {rest > 0 && (
        <p class="detail">{formatNumber(rest)} smaller ones are not shown; the totals have all.</p>
      )}
    </Card>
  );
}

const COLUMNS: readonly TableColumn<OrganizationUsageValue>[] = [
  {
    head: 'Organization',
    cell: ({ organization }) => <a href={pathTo(organization, 'overview')}>{organization}</a>,
  },
  { head: 'Cost', cell: ({ costMicrodollars }) => formatCost(costMicrodollars), align: 'right' },
  { head: 'Requests', cell: ({ requests }) => formatNumber(requests), align: 'right' },
  { head: 'Failures', cell: (one) => <Failures of={one} />, align: 'right' },
  {
    head: 'Refusals',
    cell: ({ refused: rejected }) => formatNumber(rejected),
    align: 'right',
    shown: 'medium',
  },
  { head: 'Guards', cell: (one) => <Guards of={one} />, shown: 'wide' },
  {
    head: 'Rollout runs',
    cell: ({ rolloutRuns }) => (rolloutRuns === 0 ? '–' : formatNumber(rolloutRuns)),
    align: 'right',
    shown: 'wide',
  },
  { head: 'Limits nearly used', cell: ({ limits }) => limits.map(toBadge), shown: 'medium' },
];

function Failures({ of: { failed, requests } }: { readonly of: OrganizationUsageValue }) {
  if (failed === 0) return <>0</>;
  return (
    <span title={`${formatShare(failed, requests)} of requests`}>
      <Badge tone="bad">{formatNumber(failed)}</Badge>
    </span>
  );
}

function Guards({
  of: { organization, guardBlocked, guardNotJudged },
}: {
  readonly of: OrganizationUsageValue;
}) {
  if (guardBlocked + guardNotJudged === 0) return <>–</>;
  return (
    <a href={pathTo(organization, 'guards')}>
      {guardBlocked > 0 && <Badge tone="warn">{formatNumber(guardBlocked)} blocked</Badge>}{' '}
      {guardNotJudged > 0 && <Badge tone="bad">{`${formatNumber(guardNotJudged)} not judged`}</Badge>}
    </a>
  );
}

function toBadge(limit: LimitValue) {
  const { metric, period, remaining } = limit;
  const share = limit.limit === 0 ? 1 : (limit.limit - (remaining ?? 0)) / limit.limit;
  return (
    <Badge key={JSON.stringify([metric, period])} tone={share >= 1 ? 'bad' : 'warn'}>
      {metric}
      {period === null ? '' : ` each ${period}`} {Math.floor(share * 100)}%
    </Badge>
  );
}

// The current month: totals, limits, and usage by one dimension.
import { useState } from 'preact/hooks';
import { formatAmount, formatCompact, formatCost, formatNumber, formatShare } from '../data/format.ts';
import { pathTo } from '../data/paths.ts';
import { useCommand } from '../data/use-query.ts';
import type {
  KeyUsageValue,
  LimitValue,
  ModelUsageValue,
  UsageReportValue,
  UsageValue,
} from '../data/values.ts';
import { Card, Choice, Figure } from '../parts/layout.tsx';
import { Empty, QueryResult, Remedy } from '../parts/state.tsx';
import { Table, type TableColumn } from '../parts/table.tsx';
import { Line } from '../parts/text.tsx';
import { describeLimit, Meter } from './limit-table.tsx';

const DIVISIONS = [
  ['neurons', 'Neuron'],
  ['models', 'Model'],
  ['users', 'User'],
  ['keys', 'API key'],
  ['tags', 'Tag'],
  ['days', 'Day'],
] as const;
type Division = (typeof DIVISIONS)[number][0];
/** Max. rows of the table. `neuron usage` shows all. */
const MAX_ROWS = 50;

type Row = ModelUsageValue & Partial<UsageValue> & { readonly name: string };

export function MonthCard({
  report,
  organization,
}: {
  readonly report: UsageReportValue | undefined;
  readonly organization: string;
}) {
  const [division, setDivision] = useState<Division>('neurons');
  if (report === undefined) return null;
  const { totals, forecast } = report;
  return (
    <Card
      title="This month"
      wide
      aside={
        <Choice<Division> label="This month by" values={DIVISIONS} value={division} onChange={setDivision} />
      }
    >
      <div class="figures plain">
        <Figure
          label="Requests"
          value={formatCompact(totals.requests)}
          detail={`${report.fromDay} to today`}
        />
        <Figure
          label="Cost"
          value={formatCost(totals.costMicrodollars)}
          detail={totals.unknownCosts > 0 && `and ${formatNumber(totals.unknownCosts)} calls of unknown cost`}
        />
        <Figure
          label="Forecast"
          value={forecast === null ? '–' : formatCost(forecast.costMicrodollars)}
          detail={
            forecast === null
              ? 'from the second day of the month on'
              : `for the month, from ${formatNumber(forecast.fromDays)} days`
          }
        />
        <Figure label="Saved by the cache" value={formatCost(totals.savingsMicrodollars)} />
        <Figure label="AWS, by formula" value={formatCost(totals.infrastructureNanodollars / 1_000)} />
        <Figure
          label="Tokens in / out"
          value={`${formatCompact(totals.tokensInput)} / ${formatCompact(totals.tokensOutput)}`}
          detail={<a href={pathTo(organization, 'limits')}>Compare with the limits</a>}
        />
      </div>
      <UsageLimits organization={organization} report={report} />
      {division === 'keys' ? (
        <KeyRows organization={organization} />
      ) : (
        <Rows rows={toRows(report, division)} division={division} />
      )}
    </Card>
  );
}

function Rows({ rows, division }: { readonly rows: readonly Row[]; readonly division: Division }) {
  if (rows.length === 0) return <Empty title="Nothing was used this month." />;
  return (
    <>
      <Table<Row>
        label="Usage this month"
        rows={rows.slice(0, MAX_ROWS)}
        keyOf={({ name }) => name}
        columns={createColumns(division)}
      />
      {rows.length > MAX_ROWS && (
        <Remedy text={`${formatNumber(rows.length - MAX_ROWS)} more: \`neuron usage --json\` shows all.`} />
      )}
    </>
  );
}

/** The report has only ids of keys; this list has their names. */
function KeyRows({ organization }: { readonly organization: string }) {
  const keys = useCommand<KeyUsageValue>('usage', { organization, by: 'key' });
  return (
    <QueryResult query={keys}>
      {({ values }) => (
        <Rows
          rows={values.map(({ keyId, name, ...rest }) => ({ ...rest, name: name ?? keyId }))}
          division="keys"
        />
      )}
    </QueryResult>
  );
}

function UsageLimits({
  organization,
  report,
}: {
  readonly organization: string;
  readonly report: UsageReportValue;
}) {
  const limits = useCommand<LimitValue>('limits', { target: organization });
  const rows = limits.data?.values.filter(({ neuron, keyId }) => neuron === null && keyId === null) ?? [];
  if (rows.length === 0) return null;
  return (
    <ul class="usage-limits" aria-label="Limits of the organization">
      {rows.map((limit) => (
        <li key={describeLimit(limit)}>
          <Meter limit={limit} /> of {describeLimit(limit)}
          {limit.period === 'month' && <MonthEnd limit={limit} report={report} />}
        </li>
      ))}
    </ul>
  );
}

function MonthEnd({ limit, report }: { readonly limit: LimitValue; readonly report: UsageReportValue }) {
  const found = report.limits.find((one) => one.metric === limit.metric && one.limit === limit.limit);
  if (found === undefined || found.forecast === null) return null;
  const { metric, forecast } = found;
  return (
    <span class={forecast > limit.limit ? 'warning' : 'local'}>
      , {formatAmount(metric, forecast)} ({formatShare(forecast, limit.limit)}) by its end
    </span>
  );
}

function toRows(report: UsageReportValue, division: Exclude<Division, 'keys'>): readonly Row[] {
  if (division === 'neurons') return report.neurons.map((row) => ({ ...row, name: row.neuron }));
  if (division === 'models') return report.models.map((row) => ({ ...row, name: row.model }));
  if (division === 'users') return report.users.map((row) => ({ ...row, name: row.username }));
  if (division === 'tags') return report.tags.map((row) => ({ ...row, name: `${row.tag}=${row.value}` }));
  return report.days.map((row) => ({ ...row, name: row.day }));
}

function createColumns(division: Division): readonly TableColumn<Row>[] {
  const name: TableColumn<Row> = {
    head: DIVISIONS.find(([one]) => one === division)?.[1] ?? '',
    cell: (row) => <Line text={row.name} />,
  };
  const calls: TableColumn<Row> =
    division === 'models'
      ? { head: 'Model calls', align: 'right', cell: ({ modelCalls }) => formatNumber(modelCalls) }
      : { head: 'Requests', align: 'right', cell: ({ requests = 0 }) => formatNumber(requests) };
  const tokens: readonly TableColumn<Row>[] = [
    { head: 'Tokens in', align: 'right', shown: 'medium', cell: (row) => formatNumber(row.tokensInput) },
    { head: 'Tokens out', align: 'right', shown: 'medium', cell: (row) => formatNumber(row.tokensOutput) },
  ];
  const cost: TableColumn<Row> = {
    head: 'Cost',
    align: 'right',
    cell: ({ costMicrodollars, unknownCosts }) =>
      `${formatCost(costMicrodollars)}${unknownCosts > 0 ? ` + ${formatNumber(unknownCosts)} unknown` : ''}`,
  };
  return [name, calls, ...tokens, cost];
}

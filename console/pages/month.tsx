// The current month: totals and what they are made of.
import { useState } from 'preact/hooks';
import type { CommandResult } from '../../cli/console/api.ts';
import { read } from '../data/api.ts';
import { formatCompact, formatCost, formatNumber } from '../data/format.ts';
import { pathTo } from '../data/paths.ts';
import { useQuery } from '../data/use-query.ts';
import type { LimitValue, ModelUsageValue, UsageReportValue, UsageValue } from '../data/values.ts';
import { Card, Choice, Figure } from '../parts/layout.tsx';
import { Empty } from '../parts/state.tsx';
import { Table, type TableColumn } from '../parts/table.tsx';
import { Line } from '../parts/text.tsx';
import { describeLimit, Meter } from './limits.tsx';

const WAYS = [
  ['neurons', 'Neuron'],
  ['models', 'Model'],
  ['users', 'User'],
  ['days', 'Day'],
] as const;
type Way = (typeof WAYS)[number][0];
const DAY_MS = 86_400_000;
/** `neuron usage` shows all. */
const MOST_ROWS = 50;

type Row = Omit<ModelUsageValue, 'model'> & Partial<UsageValue> & { readonly name: string };

export function MonthCard({
  report,
  organization,
}: {
  readonly report: UsageReportValue | undefined;
  readonly organization: string;
}) {
  const [way, setWay] = useState<Way>('neurons');
  if (report === undefined) return null;
  const { totals } = report;
  const rows = rowsOf(report, way);
  return (
    <Card
      title="This month"
      wide
      aside={<Choice<Way> label="This month by" values={WAYS} value={way} onChange={setWay} />}
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
          value={formatCost(forecastOf(report))}
          detail="for the month, at the rate so far"
        />
        <Figure label="Saved by the cache" value={formatCost(totals.savingsMicrodollars)} />
        <Figure
          label="Tokens in / out"
          value={`${formatCompact(totals.tokensInput)} / ${formatCompact(totals.tokensOutput)}`}
          detail={<a href={pathTo(organization, 'limits')}>Compare with the limits</a>}
        />
      </div>
      <UsageLimits organization={organization} />
      {rows.length === 0 ? (
        <Empty title="Nothing was used this month." />
      ) : (
        <Table<Row>
          label="Usage this month"
          rows={rows.slice(0, MOST_ROWS)}
          keyOf={({ name }) => name}
          columns={columnsOf(way)}
        />
      )}
    </Card>
  );
}

/** The cost of the month if the rest of it costs as much a day as the days so far. */
function forecastOf({ fromDay, toDay, totals }: UsageReportValue): number {
  const fromMs = Date.parse(fromDay);
  const endMs = Date.parse(toDay) + DAY_MS;
  const elapsedMs = Math.min(Math.max(Date.now() - fromMs, DAY_MS / 24), endMs - fromMs);
  return (totals.costMicrodollars * (endMs - fromMs)) / elapsedMs;
}

/** The limits of the whole organization, which every neuron counts against. */
function UsageLimits({ organization }: { readonly organization: string }) {
  const limits = useQuery<CommandResult<LimitValue>>(`limits ${organization} {}`, (signal) =>
    read('limits', { target: organization }, signal),
  );
  const rows = limits.data?.values.filter(({ neuron, keyId }) => neuron === null && keyId === null) ?? [];
  if (rows.length === 0) return null;
  return (
    <ul class="usage-limits" aria-label="Limits of the organization">
      {rows.map((limit) => (
        <li key={describeLimit(limit)}>
          <Meter limit={limit} /> of {describeLimit(limit)}
        </li>
      ))}
    </ul>
  );
}

function rowsOf(report: UsageReportValue, way: Way): readonly Row[] {
  if (way === 'neurons') return report.neurons.map(({ neuron, ...rest }) => ({ name: neuron, ...rest }));
  if (way === 'models') return report.models.map(({ model, ...rest }) => ({ name: model, ...rest }));
  if (way === 'users') return report.users.map(({ username, ...rest }) => ({ name: username, ...rest }));
  return report.days.map(({ day, ...rest }) => ({ name: day, ...rest }));
}

function columnsOf(way: Way): readonly TableColumn<Row>[] {
  const name: TableColumn<Row> = {
    head: WAYS.find(([one]) => one === way)?.[1] ?? '',
    cell: (row) => <Line text={row.name} />,
  };
  const calls: TableColumn<Row> =
    way === 'models'
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

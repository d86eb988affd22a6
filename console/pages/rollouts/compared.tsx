// Figures of two versions, each with its 95 % interval, and their runs by outcome.
import type { ComponentChildren } from 'preact';
import { formatCost, formatMs, formatNumber, formatShare } from '../../data/format.ts';
import { useCommand } from '../../data/use-query.ts';
import type { ComparedFigureValue, ComparisonValue } from '../../data/values.ts';
import { Badge, Card, CommandLine } from '../../parts/layout.tsx';
import { QueryResult } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { Line } from '../../parts/text.tsx';

interface ComparedProps {
  readonly title: string;
  readonly neuron: string;
  readonly version: string;
  readonly other: string;
  readonly period: string;
  /** `shadow`: of the other version the copies of runs. */
  readonly kind?: 'shadow';
  readonly aside?: ComponentChildren;
  /** Fields above the figures. */
  readonly children?: ComponentChildren;
}

export function Compared({ title, aside, children, ...parameters }: ComparedProps) {
  const compared = useCommand<ComparisonValue>('compare', parameters);
  return (
    <Card title={title} aside={aside} wide>
      {children}
      <QueryResult query={compared}>
        {({ values: [value], command }) =>
          value && (
            <>
              <Outcomes value={value} title={title} />
              <Figures value={value} title={title} />
              <p class="detail">Below each figure its 95 % interval. One in twenty differs by chance.</p>
              <CommandLine command={command} />
            </>
          )
        }
      </QueryResult>
    </Card>
  );
}

interface PartProps {
  readonly value: ComparisonValue;
  readonly title: string;
}

type Row = ComparisonValue['versions'][number];

function Outcomes({ value: { versions }, title }: PartProps) {
  return (
    <Table<Row & { readonly at: number }>
      label={`${title}: runs by outcome`}
      rows={versions.map((one, at) => ({ ...one, at }))}
      keyOf={({ at }) => String(at)}
      columns={[
        { head: 'Version', cell: ({ version }) => <b>{version}</b> },
        { head: 'Runs', align: 'right', cell: ({ runs }) => formatNumber(runs) },
        { head: 'Success', align: 'right', shown: 'medium', cell: ({ success }) => formatNumber(success) },
        { head: 'Stopped', align: 'right', shown: 'medium', cell: ({ stopped }) => formatNumber(stopped) },
        { head: 'Failed', align: 'right', cell: ({ failed }) => formatNumber(failed) },
        { head: 'From the cache', align: 'right', shown: 'medium', cell: ({ hits }) => formatNumber(hits) },
      ]}
    />
  );
}

function Figures({ value: { versions, figures }, title }: PartProps) {
  const [one, other] = versions.map(({ version }) => version);
  return (
    <Table<ComparedFigureValue>
      label={title}
      rows={figures}
      keyOf={({ figure }) => figure}
      columns={[
        { head: 'Figure', cell: ({ figure }) => <Line text={figure} /> },
        {
          head: one ?? '',
          align: 'right',
          cell: ({ a, unit }) => <Value of={a} unit={unit} />,
        },
        {
          head: other === one ? `${other} again` : (other ?? ''),
          align: 'right',
          cell: ({ b, unit }) => <Value of={b} unit={unit} />,
        },
        { head: 'Different', cell: ({ differs }) => <Difference differs={differs} /> },
      ]}
    />
  );
}

function Difference({ differs }: Pick<ComparedFigureValue, 'differs'>) {
  if (differs === null) return <>too few</>;
  return differs ? <Badge tone="accent">yes</Badge> : <>may be chance</>;
}

const RENDER: Readonly<Record<ComparedFigureValue['unit'], (value: number) => string>> = {
  share: (value) => formatShare(value, 1),
  ms: (value) => formatMs(value),
  dollars: (value) => formatCost(value * 1e6),
  mean: (value) => value.toFixed(2),
};

function Value({
  of,
  unit,
}: {
  readonly of: ComparedFigureValue['a'];
  readonly unit: ComparedFigureValue['unit'];
}) {
  if (of === null) return <>–</>;
  const render = RENDER[unit];
  const { value, low, high } = of;
  return (
    <>
      {render(value)}
      {low !== null && (
        <span class="interval">
          {render(low)} to {high === null ? 'more' : render(high)}
        </span>
      )}
    </>
  );
}

// The calls of a time range by neuron, user, API key or error code.
import { useState } from 'preact/hooks';
import type { Series, SeriesGroup } from '../../cli/console/api.ts';
import { formatCost, formatMs, formatNumber } from '../data/format.ts';
import { Card, Choice } from '../parts/layout.tsx';
import { Empty } from '../parts/state.tsx';
import { Table } from '../parts/table.tsx';
import { Line } from '../parts/text.tsx';

const DIVISIONS = [
  ['neurons', 'Neuron'],
  ['users', 'User'],
  ['keys', 'API key'],
  ['codes', 'Error code'],
] as const;
type Division = (typeof DIVISIONS)[number][0];

export function Breakdown({
  series,
  toLogs,
}: {
  readonly series: Series;
  readonly toLogs: (filter: Record<string, string>) => string;
}) {
  const [division, setDivision] = useState<Division>('neurons');
  const title = DIVISIONS.find(([name]) => name === division)?.[1] ?? '';
  const rows = series[division];
  return (
    <Card
      title="Calls by"
      aside={<Choice<Division> label="Calls by" values={DIVISIONS} value={division} onChange={setDivision} />}
      wide
    >
      {rows.length === 0 ? (
        <Empty
          title={
            division === 'codes' ? 'No call was refused or failed.' : `No call named ${SUBJECTS[division]}.`
          }
        />
      ) : (
        <Table<SeriesGroup>
          label={`Calls by ${title}`}
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            {
              head: title,
              cell: ({ name }) =>
                division === 'users' ? (
                  <a href={toLogs({ user: name })}>
                    <Line text={name} />
                  </a>
                ) : (
                  <Line text={name} />
                ),
            },
            { head: 'Requests', align: 'right', cell: ({ requests }) => formatNumber(requests) },
            { head: 'Failed', align: 'right', shown: 'medium', cell: ({ failed }) => formatNumber(failed) },
            {
              head: 'Refused',
              align: 'right',
              shown: 'medium',
              cell: ({ refused: rejected }) => formatNumber(rejected),
            },
            { head: 'Tokens', align: 'right', shown: 'medium', cell: ({ tokens }) => formatNumber(tokens) },
            { head: 'Cost', align: 'right', cell: ({ costMicrodollars }) => formatCost(costMicrodollars) },
            { head: 'p50', align: 'right', shown: 'wide', cell: ({ p50Ms }) => formatMs(p50Ms) },
            { head: 'p99', align: 'right', shown: 'wide', cell: ({ p99Ms }) => formatMs(p99Ms) },
          ]}
        />
      )}
    </Card>
  );
}

const SUBJECTS: Readonly<Record<Division, string>> = {
  neurons: 'a neuron',
  users: 'a user',
  keys: 'an API key',
  codes: 'an error',
};

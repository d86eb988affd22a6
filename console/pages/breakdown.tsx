// The calls of a time range by what they have in common.
import { useState } from 'preact/hooks';
import type { Series, SeriesGroup } from '../../cli/console/api.ts';
import { formatCost, formatMs, formatNumber } from '../data/format.ts';
import { Card, Choice } from '../parts/layout.tsx';
import { Empty } from '../parts/state.tsx';
import { Table } from '../parts/table.tsx';
import { Line } from '../parts/text.tsx';

const WAYS = [
  ['neurons', 'Neuron'],
  ['users', 'User'],
  ['keys', 'API key'],
  ['codes', 'Error code'],
] as const;
type Way = (typeof WAYS)[number][0];

export function Breakdown({
  series,
  toLogs,
}: {
  readonly series: Series;
  readonly toLogs: (filter: Record<string, string>) => string;
}) {
  const [way, setWay] = useState<Way>('neurons');
  const title = WAYS.find(([name]) => name === way)?.[1] ?? '';
  const rows = series[way];
  return (
    <Card
      title="Calls by"
      aside={<Choice<Way> label="Calls by" values={WAYS} value={way} onChange={setWay} />}
      wide
    >
      {rows.length === 0 ? (
        <Empty title={way === 'codes' ? 'No call was refused or failed.' : `No call named ${NAMED[way]}.`} />
      ) : (
        <Table<SeriesGroup>
          label={`Calls by ${title}`}
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            {
              head: title,
              cell: ({ name }) =>
                way === 'users' ? (
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

const NAMED: Readonly<Record<Way, string>> = {
  neurons: 'a neuron',
  users: 'a user',
  keys: 'an API key',
  codes: 'an error',
};

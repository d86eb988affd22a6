// The newest calls of a person, each with a link to its entry.
import { pathTo } from '../../data/paths.ts';
import type { EntryValue } from '../../data/values.ts';
import { Outcome } from '../../parts/layout.tsx';
import { Table } from '../../parts/table.tsx';
import { Line } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';

export function Calls({
  organization,
  user,
  since,
  calls,
}: {
  readonly organization: string;
  readonly user: string;
  readonly since: string;
  readonly calls: readonly EntryValue[];
}) {
  return (
    <Table<EntryValue>
      label="Newest calls"
      rows={calls}
      keyOf={({ executionId }) => executionId}
      columns={[
        { head: 'Time (UTC)', cell: ({ timeMs }) => <Time timeMs={timeMs} brief /> },
        {
          head: 'Neuron',
          cell: ({ neuron, executionId }) => (
            <a href={pathTo(organization, 'logs', { user, since, id: executionId })}>
              <Line text={neuron} />
            </a>
          ),
        },
        { head: 'Outcome', shown: 'medium', cell: ({ outcome }) => <Outcome outcome={outcome} /> },
        { head: 'Address', shown: 'wide', cell: ({ sourceIp }) => <Line text={sourceIp ?? ''} /> },
      ]}
    />
  );
}

// API keys: made, listed and revoked.

import { useRoute } from 'preact-iso';
import type { CommandResult } from '../../cli/console/api.ts';
import { read } from '../data/api.ts';
import { useQuery } from '../data/use-query.ts';
import type { KeyValue } from '../data/values.ts';
import { Badge, Card, CommandLine, PageHead } from '../parts/layout.tsx';
import { Empty, Loaded } from '../parts/state.tsx';
import { Table } from '../parts/table.tsx';
import { Line } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { CreateKey, KeyActions, renderLimits } from './key-changes.tsx';

export function Keys() {
  const { organization = '' } = useRoute().params;
  const keys = useQuery<CommandResult<KeyValue>>(`keys ${organization}`, (signal) =>
    read('keys', { organization }, signal),
  );
  return (
    <>
      <PageHead title="API keys" detail="A key is shown once, when it is created. Only its digest is stored.">
        <CreateKey organization={organization} onDone={keys.reload} />
      </PageHead>
      <Loaded query={keys}>
        {(result) => (
          <>
            <Card title="Keys" wide>
              {result.values.length === 0 ? (
                <Empty title="There are no keys yet.">
                  <p>Create one for each application that calls.</p>
                </Empty>
              ) : (
                <KeyTable organization={organization} keys={result.values} onDone={keys.reload} />
              )}
            </Card>
            <CommandLine command={result.command} />
          </>
        )}
      </Loaded>
    </>
  );
}

function KeyTable({
  organization,
  keys,
  onDone,
}: {
  readonly organization: string;
  readonly keys: readonly KeyValue[];
  readonly onDone: () => void;
}) {
  return (
    <Table<KeyValue>
      label="API keys"
      rows={keys.toReversed()}
      keyOf={({ keyId }) => keyId}
      columns={[
        {
          head: 'Name',
          cell: ({ name, prefix, lastFour }) => (
            <>
              <Line text={name} />
              <br />
              <code class="local">
                {prefix}…{lastFour}
              </code>
            </>
          ),
        },
        { head: 'State', cell: (key) => <KeyState value={key} /> },
        { head: 'Limits', shown: 'medium', cell: ({ limits }) => renderLimits(limits, ', ') || 'none' },
        { head: 'Neurons', shown: 'medium', cell: ({ neurons }) => neurons?.join(', ') ?? 'all' },
        {
          head: 'Created (UTC)',
          shown: 'wide',
          cell: ({ createdAt }) => <Time timeMs={Date.parse(createdAt)} brief />,
        },
        {
          head: 'Last used (UTC)',
          shown: 'medium',
          cell: ({ lastUsedAt }) =>
            lastUsedAt === null ? 'never' : <Time timeMs={Date.parse(lastUsedAt)} brief />,
        },
        {
          head: 'Action',
          align: 'right',
          cell: (key) => <KeyActions organization={organization} value={key} onDone={onDone} />,
        },
      ]}
    />
  );
}

function KeyState({ value: { revokedAt, expiresAt } }: { readonly value: KeyValue }) {
  if (revokedAt !== null) return <Badge tone="bad">revoked</Badge>;
  if (expiresAt === null) return <Badge tone="good">valid</Badge>;
  if (Date.parse(expiresAt) <= Date.now()) return <Badge tone="warn">expired</Badge>;
  return (
    <>
      <Badge tone="good">valid</Badge> <span class="local">until {expiresAt.slice(0, 10)}</span>
    </>
  );
}

// API keys: made, listed and revoked.

import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import type { CommandResult } from '../../cli/console/api.ts';
import { read } from '../data/api.ts';
import { pathTo } from '../data/paths.ts';
import { useQuery } from '../data/use-query.ts';
import type { KeyValue } from '../data/values.ts';
import { ChangeButton } from '../parts/change.tsx';
import { TextField } from '../parts/field.tsx';
import { Badge, Card, CommandLine, PageHead } from '../parts/layout.tsx';
import { Empty, Loaded } from '../parts/state.tsx';
import { Table } from '../parts/table.tsx';
import { Line } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';

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
          cell: (key) => <RevokeButton organization={organization} value={key} onDone={onDone} />,
        },
      ]}
    />
  );
}

function RevokeButton({
  organization,
  value: { keyId, name, revokedAt },
  onDone,
}: {
  readonly organization: string;
  readonly value: KeyValue;
  readonly onDone: () => void;
}) {
  if (revokedAt !== null) return null;
  return (
    <ChangeButton
      label="Revoke"
      danger
      title={`Revoke ${name}`}
      operation="revokeKey"
      given={{ organization, key: keyId }}
      onDone={onDone}
    >
      <p>
        Requests with this key are denied from the next one on. This cannot be undone.{' '}
        <a href={pathTo(organization, 'logs', { key: keyId })}>Calls of this key</a>
      </p>
    </ChangeButton>
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

function CreateKey({ organization, onDone }: { readonly organization: string; readonly onDone: () => void }) {
  const [name, setName] = useState('');
  const [expires, setExpires] = useState('90d');
  const [neurons, setNeurons] = useState('');
  return (
    <ChangeButton<{ readonly key: string }>
      label="Create a key"
      primary
      title="Create an API key"
      operation="createKey"
      given={{ organization, name, expires, neurons: neurons.replaceAll(' ', '') }}
      isReady={name.trim() !== ''}
      onDone={onDone}
      show={({ key }) => <NewKey value={key} />}
    >
      <TextField label="Name" value={name} onChange={setName} required hint="Who uses it" />
      <TextField
        label="Lifetime"
        value={expires}
        onChange={setExpires}
        hint="Such as 90d; empty: until it is revoked"
      />
      <TextField
        label="Neurons"
        value={neurons}
        onChange={setNeurons}
        hint="Such as support, sales; empty: all of the organization"
      />
    </ChangeButton>
  );
}

function NewKey({ value }: { readonly value: string }) {
  return (
    <>
      <p>
        <b>This is the only time the key is shown.</b> Copy it now. Never put it in the code of a web page or
        app.
      </p>
      <CommandLine command={value} plain />
    </>
  );
}

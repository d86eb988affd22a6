// Lists API keys with their usage, and creates and changes them.

import { useRoute } from 'preact-iso';
import { formatCost, formatNumber, formatShare } from '../data/format.ts';
import { pathTo } from '../data/paths.ts';
import { useCommand } from '../data/use-query.ts';
import type { KeyUsageValue, KeyValue } from '../data/values.ts';
import { Badge, PageHead } from '../parts/layout.tsx';
import { ResultCard } from '../parts/result-card.tsx';
import { Empty } from '../parts/state.tsx';
import { Table } from '../parts/table.tsx';
import { Line } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { CreateKey, KeyActions, renderLimits } from './key-changes.tsx';

export function Keys() {
  const { organization = '' } = useRoute().params;
  const keys = useCommand<KeyValue>('keys', { organization });
  const usage = useCommand<KeyUsageValue>('usage', { organization, by: 'key' });
  return (
    <>
      <PageHead title="API keys" detail="A key is shown once, when it is created. Only its digest is stored.">
        <CreateKey organization={organization} onDone={keys.reload} />
      </PageHead>
      <ResultCard<KeyValue>
        query={keys}
        title="Keys"
        none={
          <Empty title="There are no keys yet.">
            <p>Create one for each application that calls.</p>
          </Empty>
        }
      >
        {(values) => (
          <KeyTable
            organization={organization}
            keys={values}
            usage={usage.data?.values ?? []}
            onDone={keys.reload}
          />
        )}
      </ResultCard>
    </>
  );
}

function KeyTable({
  organization,
  keys,
  usage,
  onDone,
}: {
  readonly organization: string;
  readonly keys: readonly KeyValue[];
  /** Usage of the current month. */
  readonly usage: readonly KeyUsageValue[];
  readonly onDone: () => void;
}) {
  return (
    <Table<KeyValue>
      label="API keys"
      rows={keys.toReversed()}
      keyOf={({ keyId, createdAt }) => `${keyId} ${createdAt}`}
      columns={[
        {
          head: 'Name',
          cell: (key) => <KeyName value={key} />,
        },
        { head: 'State', cell: (key) => <KeyState value={key} /> },
        { head: 'Limits', shown: 'medium', cell: ({ limits }) => renderLimits(limits, ', ') || 'none' },
        {
          head: 'This month',
          shown: 'medium',
          cell: ({ keyId }) => (
            <KeyMonth organization={organization} usage={usage.find((one) => one.keyId === keyId)} />
          ),
        },
        { head: 'Tags', shown: 'wide', cell: (key) => <Rights value={key} /> },
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

function KeyName({ value: { name, prefix, lastFour, imported } }: { readonly value: KeyValue }) {
  return (
    <>
      <Line text={name} />
      <br />
      <code class="local unbroken">
        {prefix}
        {!imported && `…${lastFour}`}
      </code>
      {imported && <span class="local"> of another system</span>}
    </>
  );
}

/** Tags, and what its calls may say of themselves. */
function Rights({ value: { tags, onBehalfOf, tagsFromCalls } }: { readonly value: KeyValue }) {
  const lines = Object.entries(tags).map(([name, value]) => `${name}=${value}`);
  return (
    <>
      <Line text={lines.join(', ')} />
      {onBehalfOf && <Badge>names end users</Badge>} {tagsFromCalls && <Badge>brings tags</Badge>}
    </>
  );
}

function KeyState({ value: { revokedAt, expiresAt, pausedAt } }: { readonly value: KeyValue }) {
  if (revokedAt !== null) return <Badge tone="bad">revoked</Badge>;
  if (pausedAt !== null) return <Badge tone="warn">paused</Badge>;
  if (expiresAt === null) return <Badge tone="good">valid</Badge>;
  if (Date.parse(expiresAt) <= Date.now()) return <Badge tone="warn">expired</Badge>;
  return (
    <>
      <Badge tone="good">valid</Badge> <span class="local unbroken">until {expiresAt.slice(0, 10)}</span>
    </>
  );
}

/** Usage of a key this month, and its shares of the limits of the month. */
function KeyMonth({
  organization,
  usage,
}: {
  readonly organization: string;
  readonly usage: KeyUsageValue | undefined;
}) {
  if (usage === undefined) return <>–</>;
  const { keyId, requests, costMicrodollars, limits } = usage;
  return (
    <>
      <a href={pathTo(organization, 'logs', { key: keyId, since: '30d' })}>
        {formatNumber(requests)} requests
      </a>
      , {formatCost(costMicrodollars)}
      {limits.map(({ metric, limit, used }) => (
        <span key={`${metric} ${limit}`} class="local block-line">
          {formatShare(used, limit)} of {renderLimits([{ metric, limit, period: 'month' }], '')}
        </span>
      ))}
    </>
  );
}

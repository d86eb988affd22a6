// The log explorer: filters, a list of any length with an entry beside it, and new entries as they arrive.
import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { formatCost, formatMs, formatNumber } from '../../data/format.ts';
import { pathTo } from '../../data/paths.ts';
import type { EntryValue } from '../../data/values.ts';
import { CommandLine, Outcome, PageHead } from '../../parts/layout.tsx';
import { Empty, Failure, Notes } from '../../parts/state.tsx';
import { LongTable, type TableColumn } from '../../parts/table.tsx';
import { Line } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { EntryPanel } from './entry.tsx';
import { FILTERS, type LogFilter, LogFilters } from './log-filters.tsx';
import { useEntries, useTail } from './use-entries.ts';

export function Logs() {
  const { organization = '' } = useRoute().params;
  const { query, route } = useLocation();
  const filter: LogFilter = Object.fromEntries(
    FILTERS.flatMap((name) => (query[name] ? [[name, query[name]]] : [])),
  );
  const { neuron, ...rest } = filter;
  const isTimed = filter.since !== undefined || filter.from !== undefined;
  const parameters = {
    target: neuron === undefined ? organization : `${organization}/${neuron}`,
    ...rest,
    ...(isTimed ? {} : { since: '1d' }),
  };
  const [isLive, setLive] = useState(false);
  const entries = useEntries(parameters);
  const tail = useTail(parameters, isLive);
  const shown = [...tail.rows.filter(({ executionId }) => !entries.ids.has(executionId)), ...entries.rows];
  const change = (next: LogFilter) => route(pathTo(organization, 'logs', { ...next }));
  const select = (id: string | undefined) => route(pathTo(organization, 'logs', { ...filter, id }), true);
  return (
    <div class="explorer">
      <PageHead title="Logs">
        <button
          type="button"
          aria-pressed={isLive}
          class={isLive ? 'live on' : 'live'}
          onClick={() => setLive(!isLive)}
        >
          <i aria-hidden="true" />
          {isLive ? 'Following' : 'Follow'}
        </button>
      </PageHead>
      <LogFilters
        key={JSON.stringify(filter)}
        organization={organization}
        filter={filter}
        onChange={change}
      />
      {entries.error && <Failure error={entries.error} retry={entries.reload} />}
      {tail.error && <Failure error={tail.error} />}
      <Notes messages={entries.messages} warnings={entries.warnings} />
      <div class={query['id'] ? 'split' : 'split single'}>
        <EntryList
          rows={shown}
          entries={entries}
          selected={query['id']}
          onSelect={select}
          onChange={(next) => change({ ...filter, ...next })}
        />
        {query['id'] && (
          <EntryPanel organization={organization} id={query['id']} onClose={() => select(undefined)} />
        )}
      </div>
      <CommandLine command={entries.command} />
    </div>
  );
}

interface EntryListProps {
  readonly rows: readonly EntryValue[];
  readonly entries: ReturnType<typeof useEntries>;
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
  readonly onChange: (change: LogFilter) => void;
}

function EntryList({ rows, entries, selected, onSelect, onChange }: EntryListProps) {
  if (rows.length === 0 && !entries.isLoading && !entries.error)
    return (
      <Empty title="No entries match.">
        <p>Look further back, or leave a filter out.</p>
        <button type="button" onClick={() => onChange({ since: '30d', from: undefined, to: undefined })}>
          Show the last 30 days
        </button>
      </Empty>
    );
  return (
    <LongTable<EntryValue>
      label="Log entries, newest first"
      rows={rows}
      columns={LOG_COLUMNS}
      keyOf={({ executionId }) => executionId}
      selected={selected}
      onSelect={({ executionId }) => onSelect(executionId)}
      onEnd={entries.more}
      foot={<Foot {...entries} onContinue={(to) => onChange({ to })} />}
    />
  );
}

function Foot({
  rows,
  isLoading,
  isFull,
  hasMore,
  onContinue,
}: ReturnType<typeof useEntries> & { readonly onContinue: (to: string) => void }) {
  const oldest = rows.at(-1);
  if (isLoading) return <span role="status">Reading…</span>;
  if (isFull && oldest !== undefined)
    return (
      <button type="button" onClick={() => onContinue(new Date(oldest.timeMs + 1).toISOString())}>
        {formatNumber(rows.length)} entries are shown. Continue with older ones
      </button>
    );
  return <span>{hasMore ? '' : `End of the list: ${formatNumber(rows.length)} entries`}</span>;
}

const LOG_COLUMNS: readonly TableColumn<EntryValue>[] = [
  {
    head: 'Time (UTC)',
    cell: ({ timeMs }, above) => <Time timeMs={timeMs} aboveMs={above?.timeMs} brief />,
    width: '0 0 15rem',
  },
  { head: 'Neuron', cell: ({ neuron }) => neuron, width: '1 1 5rem' },
  {
    head: 'Outcome',
    cell: ({ outcome, status }) => (
      <>
        <Outcome outcome={outcome} /> <span class="narrow">{status}</span>
      </>
    ),
    width: '0 0 7.5rem',
  },
  {
    head: 'Status',
    cell: ({ status, code, count }) => (
      <>
        {status}
        {code && <span class="local"> {code}</span>}
        {count > 1 && <span class="local"> ×{formatNumber(count)}</span>}
      </>
    ),
    width: '1 1 9rem',
    shown: 'medium',
  },
  { head: 'Cache', cell: ({ cache }) => cache ?? '–', width: '0 0 5rem', shown: 'wide' },
  { head: 'Caller', cell: (entry) => <Caller entry={entry} />, width: '1 1 8rem', shown: 'medium' },
  {
    head: 'Latency',
    cell: ({ latencyMs }) => formatMs(latencyMs),
    width: '0 0 5rem',
    align: 'right',
    shown: 'medium',
  },
  {
    head: 'Tokens',
    cell: ({ tokensInput, tokensOutput }) => formatNumber(tokensInput + tokensOutput),
    width: '0 0 5rem',
    align: 'right',
    shown: 'wide',
  },
  {
    head: 'Cost',
    cell: ({ costMicrodollars }) => formatCost(costMicrodollars),
    width: '0 0 6rem',
    align: 'right',
    shown: 'wide',
  },
];

function Caller({ entry: { username, keyName, keyId, sourceIp } }: { readonly entry: EntryValue }) {
  const name = username ?? keyName ?? keyId ?? sourceIp;
  return <Line text={name} />;
}

// The columns of the log explorer.
import { formatCost, formatMs, formatNumber } from '../../data/format.ts';
import type { EntryValue } from '../../data/values.ts';
import { Outcome } from '../../parts/layout.tsx';
import type { TableColumn } from '../../parts/table.tsx';
import { Line } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';

export const LOG_COLUMNS: readonly TableColumn<EntryValue>[] = [
  { head: 'Time (UTC)', cell: ({ timeMs }) => <Time timeMs={timeMs} brief />, width: '0 0 15rem' },
  { head: 'Neuron', cell: ({ neuron }) => neuron, width: '1 1 7rem', shown: 'medium' },
  { head: 'Outcome', cell: ({ outcome }) => <Outcome outcome={outcome} />, width: '0 0 5.5rem' },
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

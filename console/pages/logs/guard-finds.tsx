// Shows what the guards of a request found and did, and the services among them that gave no verdict.
import { formatMs, formatNumber } from '../../data/format.ts';
import type { FullEntryValue } from '../../data/values.ts';
import { Badge } from '../../parts/layout.tsx';
import { Table } from '../../parts/table.tsx';
import { Line } from '../../parts/text.tsx';

type Guard = NonNullable<FullEntryValue['guards']>[number];

export function GuardFinds({ guards = [] }: { readonly guards: readonly Guard[] | undefined }) {
  if (guards.length === 0) return null;
  return (
    <div class="logged">
      <h3>Guards</h3>
      <Table<{ readonly guard: Guard; readonly index: number }>
        label="Guards"
        rows={guards.map((guard, index) => ({ guard, index }))}
        keyOf={({ index }) => String(index)}
        columns={[
          { head: 'Guard', cell: ({ guard }) => <Line text={guard.guard} /> },
          { head: 'Of', cell: ({ guard }) => placeOf(guard) },
          { head: 'Action', cell: ({ guard }) => guard.action },
          { head: 'Found', cell: ({ guard }) => <Found guard={guard} /> },
          {
            head: 'Took',
            align: 'right',
            shown: 'medium',
            cell: ({ guard: { ms } }) => (ms === undefined ? '' : formatMs(ms)),
          },
        ]}
      />
    </div>
  );
}

/** Turns are counted from 0, as in errors. */
function placeOf({ stage, message }: Guard): string {
  return message === undefined ? stage : `${stage}[${message}]`;
}

function Found({ guard: { finds, notJudged } }: { readonly guard: Guard }) {
  if (notJudged !== undefined) return <Badge tone="warn">no verdict: {notJudged}</Badge>;
  const kinds = finds
    .map(({ type, count, fingerprints = [] }) => [type, formatNumber(count), ...fingerprints].join(' '))
    .join(', ');
  return <Line text={kinds === '' ? 'nothing' : kinds} />;
}

// How near each guard is to stopping the rollout. Read when it is asked for: it adds up all counts since the rollout began.
import { useState } from 'preact/hooks';
import { formatNumber } from '../../data/format.ts';
import { useCommand } from '../../data/use-query.ts';
import type { RolloutValue } from '../../data/values.ts';
import { QueryResult } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { Line } from '../../parts/text.tsx';

type Row = NonNullable<RolloutValue['evidence']>[number];

export function Evidence({ neuron }: { readonly neuron: string }) {
  const [isShown, setShown] = useState(false);
  const status = useCommand<RolloutValue>(isShown ? 'rolloutEvidence' : undefined, { neuron });
  return (
    <>
      <p>
        <button type="button" onClick={() => (isShown ? status.reload() : setShown(true))}>
          {isShown ? 'Read the evidence again' : 'Show the evidence of the guards'}
        </button>
      </p>
      {isShown && (
        <QueryResult query={status}>
          {({ values: [value] }) => <Guards rows={value?.evidence ?? []} />}
        </QueryResult>
      )}
    </>
  );
}

function Guards({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <Table<Row>
      label="Evidence by guard"
      rows={rows}
      keyOf={({ guard }) => guard}
      columns={[
        { head: 'Guard', cell: ({ guard }) => <Line text={guard} /> },
        { head: 'Evidence', align: 'right', cell: ({ evidence }) => describeEvidence(evidence) },
        { head: 'Stops at', align: 'right', cell: ({ needed }) => formatNumber(needed) },
        {
          head: 'Bad, candidate',
          align: 'right',
          shown: 'medium',
          cell: ({ counts }) => describeBad(counts?.candidate),
        },
        {
          head: 'Bad, control',
          align: 'right',
          shown: 'medium',
          cell: ({ counts }) => describeBad(counts?.control),
        },
      ]}
    />
  );
}

function describeEvidence(evidence: number): string {
  return evidence >= 1_000 ? 'over 1,000' : evidence.toPrecision(3);
}

/** Without counts too little is known of the control. */
function describeBad(counts: NonNullable<Row['counts']>['control'] | undefined): string {
  return counts === undefined ? 'too few' : `${formatNumber(counts.bad)} of ${formatNumber(counts.count)}`;
}

// Feedback on the versions of a neuron, of this month.
import { formatNumber } from '../../data/format.ts';
import { useCommand } from '../../data/use-query.ts';
import type { FeedbackValue } from '../../data/values.ts';
import { ResultCard } from '../../parts/result-card.tsx';
import { Empty } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { Line } from '../../parts/text.tsx';

export function Feedback({
  organization,
  neuron,
}: {
  readonly organization: string;
  readonly neuron: string;
}) {
  const usage = useCommand<FeedbackValue>('usage', { organization, period: 'month', by: 'feedback' });
  const none = (
    <Empty title="No feedback came this month.">
      <p>
        <code>feedback</code> of a neuron says which metrics callers may send.
      </p>
    </Empty>
  );
  return (
    <ResultCard<FeedbackValue> query={usage} title="Feedback this month" none={none}>
      {(values) => {
        const own = values.filter((one) => one.neuron === neuron);
        return own.length === 0 ? none : <Values values={own} />;
      }}
    </ResultCard>
  );
}

function Values({ values }: { readonly values: readonly FeedbackValue[] }) {
  return (
    <Table<FeedbackValue>
      label="Feedback"
      rows={values}
      keyOf={({ metric, version }) => `${metric} ${version}`}
      columns={[
        { head: 'Metric', cell: ({ metric }) => <Line text={metric} /> },
        { head: 'Version', cell: ({ version }) => version },
        { head: 'Values', align: 'right', cell: ({ ratings }) => formatNumber(ratings) },
        { head: 'Mean', align: 'right', cell: describeMean },
      ]}
    />
  );
}

/** With its 95 % interval, where there is one. */
function describeMean({ mean, low, high }: FeedbackValue) {
  if (low === null || high === null) return <>{mean.toFixed(2)}</>;
  return (
    <>
      {mean.toFixed(2)}
      <span class="interval">
        {low.toFixed(2)} to {high.toFixed(2)}
      </span>
    </>
  );
}

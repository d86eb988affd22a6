// Lists changes by operators, with author, time and difference.
import { diffLines } from 'diff';
import { useLocation, useRoute } from 'preact-iso';
import { pathTo } from '../data/paths.ts';
import { useCommand } from '../data/use-query.ts';
import type { ChangeValue } from '../data/values.ts';
import { CloseButton, Dialog } from '../parts/change.tsx';
import { Difference } from '../parts/difference.tsx';
import { Badge, Choice, PageHead } from '../parts/layout.tsx';
import { ResultCard } from '../parts/result-card.tsx';
import { Empty, Remedy } from '../parts/state.tsx';
import { Table } from '../parts/table.tsx';
import { Line } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';

const TIMES = [
  ['1d', '1 day'],
  ['30d', '30 days'],
  ['365d', '1 year'],
] as const;
type TimeRange = (typeof TIMES)[number][0];

export function Changes() {
  const { organization = '' } = useRoute().params;
  const { query, route } = useLocation();
  const since = TIMES.find(([name]) => name === query['since'])?.[0] ?? '30d';
  const changes = useCommand<ChangeValue>('changes', { target: organization, since });
  const open = (id?: string) => route(pathTo(organization, 'changes', { since, id }), true);
  return (
    <>
      <PageHead title="Changes" detail="Every change by an operator, whether by the command or by this page.">
        <Choice<TimeRange>
          label="How far back"
          values={TIMES}
          value={since}
          onChange={(next) => route(pathTo(organization, 'changes', { since: next }))}
        />
      </PageHead>
      <ResultCard<ChangeValue>
        query={changes}
        title="Changes"
        none={<Empty title="Nothing was changed in this time." />}
      >
        {(values, { more }) => (
          <>
            <ChangeTable changes={values} onOpen={open} />
            {more && <Remedy text="Only the newest changes are shown. `neuron logs --changes` shows all." />}
          </>
        )}
      </ResultCard>
      <ChangeDetails
        change={changes.data?.values.find(({ id }) => id === query['id'])}
        onClose={() => open()}
      />
    </>
  );
}

function ChangeTable({
  changes,
  onOpen,
}: {
  readonly changes: readonly ChangeValue[];
  readonly onOpen: (id: string) => void;
}) {
  return (
    <Table<ChangeValue>
      label="Changes"
      rows={changes}
      keyOf={({ id }) => id}
      columns={[
        { head: 'Time (UTC)', cell: ({ timeMs }) => <Time timeMs={timeMs} brief /> },
        {
          head: 'Change',
          cell: (change) => (
            <>
              {change.actions.join(', ').replaceAll('_', ' ')}
              <span class="narrow local">
                <Line text={subjectOf(change)} />
              </span>
            </>
          ),
        },
        { head: 'Subject', shown: 'medium', cell: (change) => <Line text={subjectOf(change)} /> },
        {
          head: 'Outcome',
          shown: 'medium',
          cell: ({ outcome }) => <Badge tone={outcome === 'made' ? 'good' : 'warn'}>{outcome}</Badge>,
        },
        { head: 'By', shown: 'wide', cell: ({ by }) => <Line text={by} /> },
        {
          head: 'Difference',
          align: 'right',
          cell: ({ id, actions }) => (
            <button type="button" aria-label={`Show ${actions.join(', ')}`} onClick={() => onOpen(id)}>
              Show
            </button>
          ),
        },
      ]}
    />
  );
}

function subjectOf({ organization, neuron }: ChangeValue): string {
  if (organization === null) return 'the service';
  return neuron === null ? organization : `${organization}/${neuron}`;
}

function ChangeDetails({
  change,
  onClose,
}: {
  readonly change: ChangeValue | undefined;
  readonly onClose: () => void;
}) {
  if (change === undefined) return null;
  return (
    <Dialog title={change.actions.join(', ')} onClose={onClose}>
      <p class="detail">
        <Time timeMs={change.timeMs} /> by <Line text={change.by} />, {subjectOf(change)}, {change.outcome}
      </p>
      {change.cut ? (
        <p>It was too large to be stored.</p>
      ) : (
        <Difference
          changes={diffLines(toText(change.before), toText(change.after))}
          before="Before"
          after="After"
        />
      )}
      <CloseButton onClose={onClose} />
    </Dialog>
  );
}

function toText(value: unknown): string {
  return value === null || value === undefined ? '' : `${JSON.stringify(value, null, 2)}\n`;
}

// Lists changes by operators, with author, time and difference.
import { diffLines } from 'diff';
import { useLocation, useRoute } from 'preact-iso';
import { actionsOf, type ChangeGroup, groupChanges, messageOf, subjectOf } from '../data/change-groups.ts';
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
            <ChangeTable groups={groupChanges(values)} onOpen={open} />
            {more && <Remedy text="Only the newest changes are shown. `neuron logs --changes` shows all." />}
          </>
        )}
      </ResultCard>
      <ChangeDetails
        group={groupChanges(changes.data?.values ?? []).find((group) =>
          group.changes.some(({ id }) => id === query['id']),
        )}
        onClose={() => open()}
      />
    </>
  );
}

function ChangeTable({
  groups,
  onOpen,
}: {
  readonly groups: readonly ChangeGroup[];
  readonly onOpen: (id: string) => void;
}) {
  return (
    <Table<ChangeGroup>
      label="Changes"
      rows={groups}
      keyOf={({ newest }) => newest.id}
      columns={[
        {
          head: 'Time (UTC)',
          cell: ({ newest }, above) => <Time timeMs={newest.timeMs} aboveMs={above?.newest.timeMs} brief />,
        },
        {
          head: 'Change',
          cell: (group) => (
            <>
              <button type="button" class="link" onClick={() => onOpen(group.newest.id)}>
                {actionsOf(group)}
              </button>
              {group.newest.outcome !== 'made' && <Badge tone="warn">{group.newest.outcome}</Badge>}
              <span class="narrow local">
                <Line text={subjectOf(group.newest)} />
              </span>
            </>
          ),
        },
        { head: 'Subject', shown: 'medium', cell: ({ newest }) => <Line text={subjectOf(newest)} /> },
        { head: 'Message', shown: 'medium', cell: (group) => <Line text={messageOf(group) ?? '–'} /> },
        { head: 'By', shown: 'wide', cell: ({ newest }) => <Line text={newest.by} /> },
      ]}
    />
  );
}

function ChangeDetails({
  group,
  onClose,
}: {
  readonly group: ChangeGroup | undefined;
  readonly onClose: () => void;
}) {
  if (group === undefined) return null;
  const { newest } = group;
  const message = messageOf(group);
  return (
    <Dialog title={actionsOf(group)} onClose={onClose}>
      <p class="detail">
        <Time timeMs={newest.timeMs} /> by <Line text={newest.by} />, {subjectOf(newest)}, {newest.outcome}
      </p>
      {message !== null && (
        <p>
          <Line text={message} />
        </p>
      )}
      {group.changes.toReversed().map((change) => (
        <ChangeDifference key={change.id} change={change} isOneOfMany={group.changes.length > 1} />
      ))}
      <CloseButton onClose={onClose} />
    </Dialog>
  );
}

function ChangeDifference({
  change: { actions, before, after, cut },
  isOneOfMany,
}: {
  readonly change: ChangeValue;
  readonly isOneOfMany: boolean;
}) {
  const name = actions.join(', ').replaceAll('_', ' ');
  return (
    <>
      {isOneOfMany && <h3>{name}</h3>}
      {cut ? (
        <p>It was too large to be stored.</p>
      ) : (
        <Difference
          changes={diffLines(toText(before), toText(after))}
          before="Before"
          after="After"
          of={isOneOfMany ? name : undefined}
        />
      )}
    </>
  );
}

function toText(value: unknown): string {
  return value === null || value === undefined ? '' : `${JSON.stringify(value, null, 2)}\n`;
}

// How far a rollout is: its figures, its stages and the runs of both sides.
import { formatMs, formatNumber, formatShare } from '../../data/format.ts';
import type { ArmValue, RolloutValue } from '../../data/values.ts';
import { Badge, Figure } from '../../parts/layout.tsx';
import { Table } from '../../parts/table.tsx';
import { Line } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';

type Going = NonNullable<RolloutValue['rollout']>;

export function Progress({
  value: { arms = [], waits = [] },
  rollout,
}: {
  readonly value: RolloutValue;
  readonly rollout: Going;
}) {
  const { basisPoints, stage, stages } = rollout;
  const runs = arms.find(({ arm }) => arm === 'candidate')?.requests ?? 0;
  const needed = stages[stage]?.runs ?? 0;
  const next = stages[stage + 1];
  return (
    <div class="figures">
      <Figure label="Share" value={formatShare(basisPoints, 10_000)} detail="of the callers" />
      <Figure label="Stage" value={`${stage + 1} of ${stages.length}`} />
      <Figure
        label="Runs of the candidate"
        value={formatNumber(runs)}
        detail={needed > 0 && `of ${formatNumber(needed)} at least`}
      />
      <Figure
        label={next === undefined ? 'Then' : 'Next stage'}
        value={next === undefined ? 'Promote' : formatShare(next.share, 10_000)}
        detail={
          waits.length === 0 ? 'may begin' : waits.filter((one) => !one.startsWith('it is paused')).join(', ')
        }
      />
    </div>
  );
}

export function Stages({ rollout: { stages, stage } }: { readonly rollout: Going }) {
  return (
    <Table<Going['stages'][number] & { readonly at: number }>
      label="Stages"
      rows={stages.map((one, at) => ({ ...one, at }))}
      keyOf={({ at }) => String(at)}
      columns={[
        {
          head: 'Stage',
          cell: ({ at }) => (
            <>
              {at + 1} {at === stage && <Badge tone="good">now</Badge>}
            </>
          ),
        },
        { head: 'Share', align: 'right', cell: ({ share }) => formatShare(share, 10_000) },
        {
          head: 'Lasts',
          align: 'right',
          cell: ({ for: ms }) => (ms === 0 ? '–' : describeLength(ms)),
        },
        {
          head: 'Runs',
          align: 'right',
          cell: ({ runs }) => (runs === 0 ? '–' : formatNumber(runs)),
        },
      ]}
    />
  );
}

/** `90 min`, `4 h`; a length below a minute as `formatMs` has it. */
function describeLength(ms: number): string {
  if (ms % 3_600_000 === 0) return `${formatNumber(ms / 3_600_000)} h`;
  return ms >= 60_000 ? `${formatNumber(ms / 60_000)} min` : formatMs(ms);
}

export function Arms({ arms }: { readonly arms: readonly ArmValue[] }) {
  if (arms.length === 0) return <p>No run is counted yet: counts come after some seconds.</p>;
  return (
    <Table<ArmValue>
      label="Runs by side"
      rows={arms}
      keyOf={({ arm, version }) => `${arm} ${version}`}
      columns={[
        { head: 'Side', cell: ({ arm }) => arm },
        { head: 'Version', shown: 'medium', cell: ({ version }) => version },
        { head: 'Runs', align: 'right', cell: ({ requests }) => formatNumber(requests) },
        { head: 'Failed', align: 'right', cell: ({ failed }) => formatNumber(failed) },
        {
          head: 'Share failed',
          align: 'right',
          shown: 'medium',
          cell: ({ failed, requests }) => formatShare(failed, requests),
        },
      ]}
    />
  );
}

/** Why nobody is sent to the candidate. */
export function Reason({ rollout: { paused, stop } }: { readonly rollout: Going }) {
  if (paused === undefined) return null;
  return (
    <p>
      {stop ? <Badge tone="bad">stopped by the service</Badge> : <Badge tone="warn">paused</Badge>}{' '}
      <Line text={paused} />
      {stop && (
        <>
          {' '}
          at <Time timeMs={Date.parse(stop.at)} brief />: evidence {formatNumber(stop.evidence)}.
        </>
      )}
    </p>
  );
}

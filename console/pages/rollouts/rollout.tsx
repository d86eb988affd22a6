// The rollout of a neuron: its stage, both sides, why it waits or was stopped, and the moves that its commands make.

import type { CommandResult } from '../../../cli/console/api.ts';
import type { Query } from '../../data/use-query.ts';
import type { RolloutValue, VersionValue } from '../../data/values.ts';
import { ResultCard } from '../../parts/result-card.tsx';
import { Empty } from '../../parts/state.tsx';
import { Line } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { Evidence } from './evidence.tsx';
import { Moves } from './moves.tsx';
import { Arms, Progress, Reason, Stages } from './progress.tsx';
import { StartRollout } from './start-rollout.tsx';

type Going = NonNullable<RolloutValue['rollout']>;

interface RolloutProps {
  readonly neuron: string;
  readonly query: Query<CommandResult<RolloutValue>>;
  readonly versions: readonly VersionValue[];
  readonly onDone: () => void;
}

export function Rollout({ neuron, query, versions, onDone }: RolloutProps) {
  return (
    <ResultCard<RolloutValue>
      query={query}
      title="Rollout"
      aside={
        query.data?.values[0]?.rollout === null && (
          <StartRollout neuron={neuron} versions={versions} onDone={onDone} />
        )
      }
    >
      {([value]) =>
        value?.rollout ? (
          <GoingOn neuron={neuron} value={value} rollout={value.rollout} onDone={onDone} />
        ) : (
          <Empty title="No rollout is going on.">
            <p>
              A rollout sends a share of the callers to a version that is not deployed
              {versions.length < 2 && ': save or apply one first'}.
            </p>
          </Empty>
        )
      }
    </ResultCard>
  );
}

function GoingOn({
  neuron,
  value,
  rollout,
  onDone,
}: {
  readonly neuron: string;
  readonly value: RolloutValue;
  readonly rollout: Going;
  readonly onDone: () => void;
}) {
  const { candidate, by, since, startedBy, guards = [] } = rollout;
  return (
    <>
      <p>
        <b>{candidate}</b> in place of {value.deployed ?? 'no version'}, by {by}, since{' '}
        <Time timeMs={Date.parse(since)} brief />, by <Line text={startedBy} />.
      </p>
      <Reason rollout={rollout} />
      <Progress value={value} rollout={rollout} />
      <Stages rollout={rollout} />
      <Arms arms={value.arms ?? []} />
      {guards.length > 0 && <Evidence key={`${rollout.id} ${rollout.guardedSince}`} neuron={neuron} />}
      <Moves neuron={neuron} rollout={rollout} onDone={onDone} />
    </>
  );
}

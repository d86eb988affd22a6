// Moves a rollout on, back, or to its end. The command says why a move may not be made yet, or which right is missing.
import { useState } from 'preact/hooks';
import { formatShare } from '../../data/format.ts';
import type { RolloutValue } from '../../data/values.ts';
import { ChangeButton } from '../../parts/change.tsx';
import { TextField } from '../../parts/field.tsx';

interface MovesProps {
  readonly neuron: string;
  readonly rollout: NonNullable<RolloutValue['rollout']>;
  readonly onDone: () => void;
}

export function Moves({ neuron, rollout, onDone }: MovesProps) {
  const { candidate, stage, stages, paused } = rollout;
  const next = stages[stage + 1];
  const common = { parameters: { neuron }, onDone };
  // Keys, so that a dialog stays open while others come and go.
  return (
    <div class="actions">
      {paused === undefined ? (
        <Pause key="pause" neuron={neuron} rollout={rollout} onDone={onDone} />
      ) : (
        <ChangeButton
          key="Resume"
          label="Resume"
          title={`Resume the rollout of ${neuron}`}
          operation="rolloutResume"
          {...common}
        >
          <p>
            {formatShare(stages[stage]?.share ?? 0, 10_000)} of the callers get {candidate} again, the same
            ones as before. The evidence begins anew.
          </p>
        </ChangeButton>
      )}
      {next && paused === undefined && (
        <ChangeButton
          key="Next stage"
          label="Next stage"
          title={`Next stage of ${neuron}`}
          operation="rolloutNext"
          {...common}
        >
          <p>
            {formatShare(next.share, 10_000)} of the callers get {candidate}.
          </p>
        </ChangeButton>
      )}
      <ChangeButton
        key="Promote"
        label="Promote"
        title={`Deploy ${candidate}`}
        operation="rolloutPromote"
        {...common}
      >
        <p>
          Everybody gets {candidate}, which ends the rollout. The response cache of {neuron} starts empty.
        </p>
      </ChangeButton>
      <ChangeButton
        key="Abort"
        label="Abort"
        danger
        title={`Abort the rollout of ${neuron}`}
        operation="rolloutAbort"
        {...common}
      >
        <p>Everybody gets the deployed version, and the rollout ends.</p>
      </ChangeButton>
    </div>
  );
}

function Pause({ neuron, rollout: { candidate }, onDone }: MovesProps) {
  const [reason, setReason] = useState('');
  return (
    <ChangeButton
      label="Pause"
      title={`Pause the rollout of ${neuron}`}
      operation="rolloutPause"
      parameters={{ neuron, reason }}
      onDone={onDone}
    >
      <p>Nobody gets {candidate} until it is resumed. The stage stays.</p>
      <TextField label="Reason" value={reason} onChange={setReason} hint="For the log of changes" />
    </ChangeButton>
  );
}

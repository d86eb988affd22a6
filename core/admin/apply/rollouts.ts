// Moves a rollout on and back. None of these changes the number of the deployment, on which all cached answers depend; a promotion does.
import type { NeuronRecord, RecordedRollout } from '../../ports/administration.ts';
import type { RolloutStage, RolloutSubject } from '../../settings/rollout-schema.ts';
import { deployed } from './deployments.ts';

/** A neuron with a rollout. */
export interface RollingOut extends NeuronRecord {
  readonly rollout: RecordedRollout;
}

export function isRollingOut(neuron: NeuronRecord): neuron is RollingOut {
  return neuron.rollout !== undefined;
}

interface RolloutPlan {
  readonly id: string;
  readonly candidate: string;
  readonly by: RolloutSubject;
  /** At least one. */
  readonly stages: readonly RolloutStage[];
  readonly guards: readonly string[];
}

/** When, in ISO 8601 and UTC, and by which IAM principal. */
interface RolloutStamp {
  readonly since: string;
  readonly by: string;
}

export function startRollout(record: NeuronRecord, plan: RolloutPlan, stamp: RolloutStamp): RollingOut {
  const { since, by: startedBy } = stamp;
  const rollout = {
    ...plan,
    basisPoints: plan.stages[0]?.share ?? 0,
    stage: 0,
    stageSince: since,
    since,
    guardedSince: since,
    startedBy,
  };
  return { ...record, rollout };
}

/** The rollout at its next stage; undefined at the last. */
export function nextStage({ rollout, ...record }: RollingOut, since: string): RollingOut | undefined {
  const stage = rollout.stage + 1;
  const next = rollout.stages[stage];
  if (next === undefined) return undefined;
  return { ...record, rollout: { ...rollout, stage, stageSince: since, basisPoints: next.share } };
}

/** Sends nobody to the candidate. The stage stays. */
export function pauseRollout({ rollout, ...record }: RollingOut, reason: string): RollingOut {
  return { ...record, rollout: { ...rollout, basisPoints: 0, paused: reason } };
}

/** Sends the same callers to the candidate as before the pause, and begins the stage's time again, and the evidence of its guards. */
export function resumeRollout({ rollout, ...record }: RollingOut, since: string): RollingOut {
  const { paused: _ended, stop, ...rest } = rollout;
  const basisPoints = rollout.stages[rollout.stage]?.share ?? 0;
  // A clock that is behind the service's would count again what it stopped the rollout for.
  const guardedSince = stop !== undefined && stop.at > since ? stop.at : since;
  return { ...record, rollout: { ...rest, basisPoints, stageSince: since, guardedSince } };
}

/** Deploys the candidate for everybody. */
export function promoteRollout(record: RollingOut): NeuronRecord {
  return deployed(record, record.rollout.candidate, record.hold);
}

/** Everybody gets the deployed version again. */
export function abortRollout(record: RollingOut): NeuronRecord {
  return { ...record, rollout: undefined };
}

/** The conditions of the stage that are not met yet, as clauses; empty where the next stage may begin. `runs`: those of the candidate. */
export function explainWait(rollout: RecordedRollout, runs: number, nowMs: number): readonly string[] {
  const stage = rollout.stages[rollout.stage];
  if (stage === undefined) return [];
  const leftMs = Date.parse(rollout.stageSince) + stage.for - nowMs;
  return [
    ...(rollout.paused === undefined ? [] : [`it is paused: ${rollout.paused}`]),
    ...(rollout.stop !== undefined && rollout.paused === undefined ? ['the service is stopping it'] : []),
    ...(leftMs > 0 ? [`the stage lasts ${Math.ceil(leftMs / 1_000)} more seconds`] : []),
    ...(runs < stage.runs ? [`the candidate has ${runs} of ${stage.runs} runs`] : []),
  ];
}

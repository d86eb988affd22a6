// Stops one rollout, however often the function that does so is ended on its way: one change, and one event by its id.
import { CHANGE_RETENTION_MS, type ChangeEntry, toChangeId } from '../contract/change-entry.ts';
import type { RolloutStoppedDetail } from '../contract/rollout-event.ts';
import type { RecordedRollout, RolloutStop } from '../ports/administration.ts';
import type { ChangeWriter } from '../ports/change-log.ts';
import type { LineSink } from '../ports/platform.ts';
import type { RolloutEvents, WatchedNeuron, WatchedRollouts } from '../ports/rollout-watch.ts';
import { BUILT_IN_GUARDS } from '../settings/rollout-schema.ts';
import { digestOfParts } from '../text/digest.ts';
import type { TrippedGuard } from './guard-state.ts';

export interface StopPorts {
  readonly rollouts: WatchedRollouts;
  /** A change that is recorded already stays as it is. */
  readonly changes: ChangeWriter;
  readonly events: RolloutEvents;
  readonly lines: LineSink;
  /** The stage's name, for the event. */
  readonly stage: string;
}

/** Beyond it a number says nothing more, and it may be infinite. */
const MAX_EVIDENCE = 1e9;

/** A neuron whose rollout has a stop. */
interface StoppingNeuron extends WatchedNeuron {
  readonly rollout: RecordedRollout & { readonly stop: RolloutStop };
}

/**
 * Writes down first that and when it is stopped, so that every later step has the same names when it is made again. Does nothing where someone
 * else wrote the neuron meanwhile: the next look sees that.
 */
export async function stopRollout(
  neuron: WatchedNeuron,
  { guard, evidence, counts }: TrippedGuard,
  at: string,
  ports: StopPorts,
): Promise<void> {
  const stop = { at, guard, evidence: Math.min(MAX_EVIDENCE, Math.round(evidence)), counts, isTold: false };
  const rollout = { ...neuron.rollout, stop };
  const written = await ports.rollouts.write(neuron, rollout);
  if (written !== undefined) await finishStop({ ...written, rollout }, ports);
}

/** Makes every step that is left. */
export async function finishStop(neuron: StoppingNeuron, ports: StopPorts): Promise<void> {
  const change = toChange(neuron);
  await ports.changes.begin(change);
  const stopped = await takeShare(neuron, ports);
  await ports.changes.end(change, stopped === undefined ? 'failed' : 'made');
  if (stopped === undefined) return;
  await ports.events.send(toDetail(stopped, ports.stage));
  const { stop } = stopped.rollout;
  // Here alone, and so once for each stop: the alarm counts these lines.
  ports.lines.write(
    JSON.stringify({ neuronRolloutStopped: 1, rollout: stopped.rollout.id, guard: stop.guard }),
  );
  await ports.rollouts.write(stopped, { ...stopped.rollout, stop: { ...stop, isTold: true } });
}

/** The neuron once nobody is sent to the candidate; undefined where someone else decided otherwise meanwhile. */
async function takeShare(
  neuron: StoppingNeuron,
  { rollouts }: Pick<StopPorts, 'rollouts'>,
): Promise<StoppingNeuron | undefined> {
  if (isStopped(neuron.rollout)) return neuron;
  const rollout = stoppedRollout(neuron);
  const written = await rollouts.write(neuron, rollout);
  if (written !== undefined) return { ...written, rollout };
  // An answer that was lost on its way is a write that was made.
  const now = await rollouts.read(neuron.organization, neuron.slug);
  const isOwn = now?.rollout.id === rollout.id && now.rollout.stop?.at === rollout.stop.at;
  return now !== undefined && isOwn && isStopped(now.rollout) ? { ...now, rollout } : undefined;
}

function isStopped({ basisPoints, paused }: RecordedRollout): boolean {
  return basisPoints === 0 && paused !== undefined;
}

function stoppedRollout({ rollout, control }: StoppingNeuron): StoppingNeuron['rollout'] {
  const { guard, counts } = rollout.stop;
  const paused = `stopped by itself: ${describe(guard, counts, [control, rollout.candidate])}`;
  return { ...rollout, basisPoints: 0, paused };
}

/** `failed in 18 of 20 runs of v8, and in 1 of 21 of v7`; of a metric the bad values */
function describe(
  guard: string,
  { control, candidate }: RolloutStop['counts'],
  [controlVersion, candidateVersion]: readonly [string, string],
): string {
  const what = BUILT_IN_GUARDS.includes(guard) ? 'runs' : 'values';
  return `${guard} in ${candidate.bad} of ${candidate.count} ${what} of ${candidateVersion}, and in ${control.bad} of ${control.count} of ${controlVersion}`;
}

/** The same entry whenever it is made: its id and its time are those of the stop. */
function toChange(neuron: StoppingNeuron): ChangeEntry {
  const { organization, organizationId, slug, id, rollout } = neuron;
  const { stop, paused: _paused, ...before } = rollout;
  const timeMs = Date.parse(stop.at);
  const share = rollout.stages[rollout.stage]?.share ?? 0;
  return {
    id: toChangeId(timeMs, idBytes(neuron)),
    timeMs,
    by: 'service',
    actions: ['rollout'],
    organization,
    organizationId,
    neuron: slug,
    neuronId: id,
    before: { rollout: { ...before, basisPoints: share } },
    after: { rollout: stoppedRollout(neuron) },
    expiresAt: Math.floor((timeMs + CHANGE_RETENTION_MS) / 1_000),
  };
}

function idBytes({ rollout }: StoppingNeuron): Uint8Array {
  return Buffer.from(digestOfParts([rollout.id, rollout.stop.at]).slice(0, 16), 'hex');
}

function toDetail(neuron: StoppingNeuron, stage: string): RolloutStoppedDetail {
  const { organization, organizationId, slug, id, control, rollout } = neuron;
  const { at, guard, evidence, counts } = rollout.stop;
  const facts = describe(guard, counts, [control, rollout.candidate]);
  return {
    version: 1,
    id: Buffer.from(idBytes(neuron)).toString('hex'),
    stage,
    organization,
    organizationId,
    neuron: slug,
    neuronId: id,
    rollout: rollout.id,
    controlVersion: control,
    candidateVersion: rollout.candidate,
    guard,
    evidence,
    ...counts,
    at,
    summary: `The rollout of ${rollout.candidate} of ${organization}/${slug} was stopped: ${facts}.`,
  };
}

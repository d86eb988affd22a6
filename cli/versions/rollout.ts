// `neuron versions rollout next|pause|resume|promote|abort`: moves a rollout on, back, or to its end.
import { InvalidArgumentError } from 'commander';
import {
  abortRollout,
  isRollingOut,
  nextStage,
  pauseRollout,
  promoteRollout,
  resumeRollout,
} from '../../core/admin/apply/rollouts.ts';
import type { NeuronRecord, RolloutStop } from '../../core/ports/administration.ts';
import { renderShare } from '../../core/settings/rollout-schema.ts';
import { NEURON } from '../command/arguments.ts';
import { command, flag, option } from '../command/command.ts';
import { CommandFailure } from '../output/failure.ts';
import { settingsTakeEffect } from '../session/propagation-delay.ts';
import { requireRollout } from '../session/require-stored.ts';
import type { Session } from '../session/session.ts';
import { createAuditStamp, writeNeuron } from '../session/stamped-writes.ts';
import { type NeuronTarget, renderTarget } from '../session/target.ts';
import { readArms, toValue, waitsOf } from './read-rollout.ts';

export const rolloutNext = command({
  name: 'next',
  description: 'Begins the next stage, once the present one has had its time and its runs.',
  arguments: { neuron: NEURON },
  options: { isForced: flag('--force', 'do not wait for the time and the runs of the present stage') },
  async run({ neuron: target, isForced }, session) {
    const ports = await session.connect();
    const neuron = await requireRollout(ports.store, target);
    const name = renderTarget(target);
    const waits = waitsOf(neuron, await readArms(neuron, ports), ports.clock.now());
    const isStopped = neuron.rollout.paused !== undefined;
    if (waits.length > 0 && (!isForced || isStopped))
      throw new CommandFailure({
        what: `The rollout of ${name} cannot go on yet: ${waits.join(', ')}.`,
        remedy: isStopped ? 'Run `neuron versions rollout resume` first.' : 'Wait, or pass --force.',
      });
    const moved = nextStage(neuron, (await createAuditStamp(ports)).since);
    if (moved === undefined)
      throw new CommandFailure({
        what: `The rollout of ${name} is at its last stage.`,
        remedy: `Run \`neuron versions rollout promote ${name}\` to deploy ${neuron.rollout.candidate}.`,
      });
    const { basisPoints, candidate: id } = moved.rollout;
    await change(target, moved, `Send ${renderShare(basisPoints)} of the callers to ${id}?`, session);
  },
});

export const rolloutPause = command({
  name: 'pause',
  description: 'Sends nobody to the candidate, and keeps the stage.',
  arguments: { neuron: NEURON },
  options: {
    reason: option('--reason <text>', 'why, for the log of changes', parseReason, { default: 'by hand' }),
  },
  async run({ neuron: target, reason }, session) {
    const ports = await session.connect();
    const neuron = await requireRollout(ports.store, target);
    await change(target, pauseRollout(neuron, reason), 'Send nobody to the candidate?', session);
  },
});

export const rolloutResume = command({
  name: 'resume',
  description: 'Sends the share of the present stage to the candidate again.',
  arguments: { neuron: NEURON },
  async run({ neuron: target }, session) {
    const ports = await session.connect();
    const neuron = await requireRollout(ports.store, target);
    const resumed = resumeRollout(neuron, (await createAuditStamp(ports)).since);
    const { basisPoints, candidate } = resumed.rollout;
    await change(target, resumed, `Send ${renderShare(basisPoints)} to ${candidate} again?`, session);
  },
});

export const rolloutPromote = command({
  name: 'promote',
  description: 'Deploys the candidate for everybody, which ends the rollout.',
  arguments: { neuron: NEURON },
  options: { isForced: flag('--force', 'deploy it although the service stopped it') },
  async run({ neuron: target, isForced }, session) {
    const ports = await session.connect();
    const neuron = await requireRollout(ports.store, target);
    const { candidate, stop } = neuron.rollout;
    const name = renderTarget(target);
    if (stop !== undefined && !isForced) throw stoppedFailure(name, candidate, stop);
    const stopped = stop === undefined ? '' : `, although the service stopped it for ${stop.guard}`;
    const before = neuron.deployment?.version ?? 'nothing';
    const question = `Deploy ${candidate} in place of ${before}${stopped}?`;
    await change(target, promoteRollout(neuron), question, session);
  },
});

export const rolloutAbort = command({
  name: 'abort',
  description: 'Ends the rollout: everybody gets the deployed version.',
  arguments: { neuron: NEURON },
  async run({ neuron: target }, session) {
    const ports = await session.connect();
    const neuron = await requireRollout(ports.store, target);
    await change(target, abortRollout(neuron), 'Send everybody to the deployed version?', session);
  },
});

async function change(
  target: NeuronTarget,
  changed: NeuronRecord,
  question: string,
  { out, connect }: Session,
): Promise<void> {
  await out.confirm(question);
  const ports = await connect();
  await writeNeuron(target.organization, changed, ports);
  const name = renderTarget(target);
  const now = isRollingOut(changed)
    ? `${changed.rollout.candidate} gets ${renderShare(changed.rollout.basisPoints)} of the callers.`
    : `everybody gets ${changed.deployment?.version ?? 'no version'}.`;
  out.value(toValue(name, changed), `${name}: ${now} ${settingsTakeEffect(ports.stack)}`);
}

function stoppedFailure(name: string, candidate: string, { guard, counts }: RolloutStop): CommandFailure {
  const { candidate: own, control } = counts;
  const found = `${guard} in ${own.bad} of ${own.count}, and in ${control.bad} of ${control.count} of the control`;
  return new CommandFailure({
    what: `The service stopped ${candidate} of ${name}: ${found}.`,
    remedy: `Run \`neuron versions rollout resume ${name}\` to try it again, or pass --force to deploy it all the same.`,
  });
}

function parseReason(text: string): string {
  if (/^[^\p{Cc}]{1,200}$/u.test(text)) return text;
  throw new InvalidArgumentError('It must be one line of 1 to 200 characters.');
}

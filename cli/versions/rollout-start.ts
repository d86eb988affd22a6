// `neuron versions rollout start`: begins a rollout with the stages of the settings, or with one share.
import { InvalidArgumentError } from 'commander';
import { startRollout } from '../../core/admin/apply/rollouts.ts';
import type { NeuronRecord } from '../../core/ports/administration.ts';
import { neuronSettingsSchema } from '../../core/settings/neuron-schema.ts';
import {
  DEFAULT_GUARDS,
  DEFAULT_STAGES,
  parseShare,
  ROLLOUT_SUBJECTS,
  renderShare,
} from '../../core/settings/rollout-schema.ts';
import { NEURON, VERSION } from '../command/arguments.ts';
import { command, option } from '../command/command.ts';
import { CommandFailure } from '../output/failure.ts';
import { settingsTakeEffect } from '../session/propagation-delay.ts';
import { requireVersion } from '../session/require-stored.ts';
import { createAuditStamp, writeNeuron } from '../session/stamped-writes.ts';
import { renderTarget } from '../session/target.ts';
import { toValue } from './read-rollout.ts';

export const rolloutStart = command({
  name: 'start',
  description: 'Sends a share of the callers to a version that is not deployed.',
  arguments: { neuron: NEURON, id: VERSION },
  options: {
    share: option(
      '--share <percent>',
      'this share in place of the stages of the settings, such as 5%',
      toShare,
    ),
    by: option('--by <subject>', `who stays on one side: ${ROLLOUT_SUBJECTS.join(', ')}`, ROLLOUT_SUBJECTS),
  },
  help: 'Nobody changes sides while the share grows, and no cached answer is lost.',
  async run({ neuron: target, id, share, by }, { out, connect }) {
    const ports = await connect();
    const { neuron } = await requireVersion(ports.store, target, id);
    const name = renderTarget(target);
    requireStartable(neuron, name, id);
    const defaults = neuronSettingsSchema.safeParse(neuron.document).data?.rollout;
    const stages = share === undefined ? (defaults?.stages ?? DEFAULT_STAGES) : [{ share, for: 0, runs: 0 }];
    const plan = {
      id: Buffer.from(ports.random.bytes(8)).toString('hex'),
      candidate: id,
      by: by ?? defaults?.by ?? 'user',
      stages,
      guards: defaults?.guards ?? DEFAULT_GUARDS,
    };
    const started = startRollout(neuron, plan, await createAuditStamp(ports));
    const first = renderShare(started.rollout.basisPoints);
    await out.confirm(`Send ${first} of the callers of ${name} to ${id}?`);
    await writeNeuron(target.organization, started, ports);
    out.value(
      toValue(name, started),
      `${name}: ${id} gets ${first} of the callers, by ${plan.by}. ${settingsTakeEffect(ports.stack)}`,
    );
  },
});

function requireStartable({ deployment, rollout }: NeuronRecord, name: string, id: string): void {
  if (rollout !== undefined)
    throw new CommandFailure({
      what: `A rollout of ${rollout.candidate} of ${name} is going on.`,
      remedy: 'Promote or abort it first.',
    });
  if (deployment === undefined)
    throw new CommandFailure({
      what: `${name} has no deployed version, which a rollout is compared with.`,
      remedy: `Run \`neuron versions deploy ${name} ${id}\`.`,
    });
  if (deployment.version === id)
    throw new CommandFailure({ what: `${id} of ${name} is deployed: everybody gets it already.` });
}

function toShare(text: string): number {
  const share = parseShare(text);
  if (share !== undefined) return share;
  throw new InvalidArgumentError('It must be a share from 0.01% to 100%, such as 5%.');
}

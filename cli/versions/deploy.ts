// `neuron versions deploy|undeploy`: selects the version that callers get.
import { deployed, undeployed } from '../../core/admin/apply/deployments.ts';
import type { NeuronRecord } from '../../core/ports/administration.ts';
import { NEURON, VERSION } from '../command/arguments.ts';
import { command, option, parseLine } from '../command/command.ts';
import { settingsTakeEffect } from '../session/propagation-delay.ts';
import { requireNeuronOf, requireVersion } from '../session/require-stored.ts';
import { createAuditStamp, writeNeuron } from '../session/stamped-writes.ts';
import { renderTarget } from '../session/target.ts';

export const versionsDeploy = command({
  name: 'deploy',
  description: 'Deploys a version; deploying an older one is a rollback.',
  arguments: { neuron: NEURON, id: VERSION },
  options: {
    reason: option(
      '--hold <reason>',
      'keep this version deployed whatever is applied, until another is deployed with this command',
      parseLine,
    ),
  },
  async run({ neuron: target, id, reason }, { out, connect }) {
    const ports = await connect();
    const { neuron } = await requireVersion(ports.store, target, id);
    const name = renderTarget(target);
    const before = neuron.deployment?.version;
    const isDeployed = before === id;
    const rollout = neuron.rollout?.candidate;
    if (isDeployed && reason === undefined && neuron.hold === undefined && rollout === undefined)
      return out.value(toValue(name, neuron), `${name}: ${id} is already deployed.`);
    await out.confirm(describeQuestion(name, id, { before, reason, rollout, held: neuron.hold?.reason }));
    const hold = reason === undefined ? undefined : { reason, ...(await createAuditStamp(ports)) };
    const written = await writeNeuron(target.organization, deployed(neuron, id, hold), ports);
    const instead = before === undefined || isDeployed ? '' : ` in place of ${before}`;
    const held = hold !== undefined ? ' and held' : neuron.hold === undefined ? '' : ', and no longer held';
    const ended = rollout === undefined ? '' : ` The rollout of ${rollout} is over.`;
    const effect = isDeployed && rollout === undefined ? '' : ` ${settingsTakeEffect(ports.stack)}`;
    out.value(toValue(name, written), `${name}: ${id} is deployed${instead}${held}.${ended}${effect}`);
  },
});

function describeQuestion(
  name: string,
  id: string,
  {
    before,
    reason,
    rollout,
    held,
  }: Readonly<Record<'before' | 'reason' | 'rollout' | 'held', string | undefined>>,
): string {
  const ended = rollout === undefined || rollout === id ? '' : `, and end the rollout of ${rollout}`;
  if (before !== id) {
    const hold = reason === undefined ? '' : ', and hold it';
    return `Deploy ${id} of ${name} in place of ${before ?? 'nothing'}${hold}${ended}?`;
  }
  if (reason !== undefined) return `Hold ${id} of ${name}${ended}?`;
  if (held !== undefined) return `End the hold of ${id} of ${name}${ended}?`;
  return `End the rollout of ${rollout} of ${name}, so that everybody gets ${id}?`;
}

/** Settings, versions and preview keys remain. */
export const versionsUndeploy = command({
  name: 'undeploy',
  description: 'Undeploys a neuron.',
  arguments: { neuron: NEURON },
  async run({ neuron: target }, { out, connect }) {
    const ports = await connect();
    const neuron = await requireNeuronOf(ports.store, target);
    const name = renderTarget(target);
    if (neuron.deployment === undefined)
      return out.value(toValue(name, neuron), `${name}: no version is deployed.`);
    await out.confirm(`Undeploy ${name}? Calls are then answered 404.`, { destroys: true });
    const written = await writeNeuron(target.organization, undeployed(neuron), ports);
    out.value(toValue(name, written), `${name} is undeployed. ${settingsTakeEffect(ports.stack)}`);
  },
});

/** The result as `--json` shows it. `deployment` counts every deployment of the neuron, including rollbacks. */
function toValue(neuron: string, { deployment, hold = undefined }: NeuronRecord) {
  return {
    neuron,
    deployed: deployment?.version ?? null,
    deployment: deployment?.number ?? null,
    hold: hold ?? null,
  };
}

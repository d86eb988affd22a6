// `neuron versions deploy|undeploy`: selects the version that callers get.
import { deployed, undeployed } from '../../core/admin/apply/deployments.ts';
import type { NeuronRecord } from '../../core/ports/administration.ts';
import { NEURON, VERSION } from '../command/arguments.ts';
import { command } from '../command/command.ts';
import { settingsTakeEffect } from '../session/propagation-delay.ts';
import { requireNeuronOf, requireVersion } from '../session/require-stored.ts';
import { writeNeuron } from '../session/stamped-writes.ts';
import { renderTarget } from '../session/target.ts';

export const versionsDeploy = command({
  name: 'deploy',
  description: 'Deploys a version; deploying an older one is a rollback.',
  arguments: { neuron: NEURON, id: VERSION },
  async run({ neuron: target, id }, { out, connect }) {
    const ports = await connect();
    const { neuron } = await requireVersion(ports.store, target, id);
    const name = renderTarget(target);
    const before = neuron.deployment?.version;
    if (before === id) return out.value(toValue(name, neuron), `${name}: ${id} is already deployed.`);
    await out.confirm(`Deploy ${id} of ${name} in place of ${before ?? 'nothing'}?`);
    const written = await writeNeuron(target.organization, deployed(neuron, id), ports);
    const instead = before === undefined ? '' : ` in place of ${before}`;
    out.value(
      toValue(name, written),
      `${name}: ${id} is deployed${instead}. ${settingsTakeEffect(ports.stack)}`,
    );
  },
});

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
function toValue(neuron: string, { deployment }: NeuronRecord) {
  return { neuron, deployed: deployment?.version ?? null, deployment: deployment?.number ?? null };
}

// `neuron versions deploy|undeploy`: selects the version that callers get. Deploying an older one is a rollback.
import type { Command } from 'commander';
import { deployed, undeployed } from '../../core/admin/apply/deployments.ts';
import type { NeuronRecord } from '../../core/ports/administration.ts';
import type { Output } from '../output/print.ts';
import { createAuditStamp } from '../session/audit-stamp.ts';
import type { Ports } from '../session/ports.ts';
import { settingsTakeEffect } from '../session/propagation-delay.ts';
import { requireNeuronOf, requireVersion } from '../session/require-stored.ts';
import type { Bind } from '../session/session.ts';
import {
  checkNeuron,
  checkVersion,
  type NeuronTarget,
  toNeuronTarget,
  type VersionTarget,
} from '../session/target.ts';

interface Options<Arguments> {
  readonly args: Arguments;
  readonly ports: Pick<Ports, 'stack' | 'store' | 'clock' | 'author'>;
  readonly out: Output;
}

export function registerVersionsDeploy(versions: Command, bind: Bind): void {
  versions
    .command('deploy')
    .description('Deploys a version; deploying an older one is a rollback.')
    .argument('<organization/neuron>', 'the neuron', checkNeuron)
    .argument('<version>', 'the version, such as v3', checkVersion)
    .action(
      bind(async (session, { args: [text, version = ''] }) => {
        const args = { ...toNeuronTarget(text), version };
        await deployVersion({ args, ports: await session.connect(), out: session.out });
      }),
    );
  versions
    .command('undeploy')
    .description('Undeploys a neuron.')
    .argument('<organization/neuron>', 'the neuron', checkNeuron)
    .action(
      bind(async (session, { args: [text] }) => {
        const args = toNeuronTarget(text);
        await undeployVersion({ args, ports: await session.connect(), out: session.out });
      }),
    );
}

/** One conditional write. Throws `WriteConflict` if someone else changed the neuron since it was read. */
async function deployVersion({ args, ports, out }: Options<VersionTarget>): Promise<void> {
  const { neuron, version } = await requireVersion(ports.store, args);
  const name = `${args.organization}/${args.neuron}`;
  if (neuron.deployment?.version === version.id) {
    out.value(toValue(name, neuron), `${name}: ${version.id} is already deployed.`);
    return;
  }
  const before = neuron.deployment?.version;
  await out.confirm(`Deploy ${version.id} of ${name} in place of ${before ?? 'nothing'}?`);
  const written = await write(args.organization, deployed(neuron, version.id), ports);
  const instead = before === undefined ? '' : ` in place of ${before}`;
  out.value(
    toValue(name, written),
    `${name}: ${version.id} is deployed${instead}. ${settingsTakeEffect(ports.stack)}`,
  );
}

/** Settings, versions and preview keys remain. */
async function undeployVersion({ args, ports, out }: Options<NeuronTarget>): Promise<void> {
  const neuron = await requireNeuronOf(ports.store, args);
  const name = `${args.organization}/${args.neuron}`;
  if (neuron.deployment === undefined) {
    out.value(toValue(name, neuron), `${name}: no version is deployed.`);
    return;
  }
  await out.confirm(`Undeploy ${name}? Calls are then answered 404.`, { destroys: true });
  const written = await write(args.organization, undeployed(neuron), ports);
  out.value(toValue(name, written), `${name} is undeployed. ${settingsTakeEffect(ports.stack)}`);
}

async function write(organization: string, neuron: NeuronRecord, ports: Options<unknown>['ports']) {
  const { since, by } = await createAuditStamp(ports);
  return ports.store.writeNeuron(organization, { ...neuron, updatedAt: since, updatedBy: by }, neuron.write);
}

/** As `--json` shows it; the deployment's number counts every deployment of the neuron, rollbacks included. */
function toValue(neuron: string, { deployment }: NeuronRecord) {
  return { neuron, deployed: deployment?.version ?? null, deployment: deployment?.number ?? null };
}

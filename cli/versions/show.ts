// `neuron versions show`: the flow of one version, as in a settings file.
import type { Command } from 'commander';
import { printYaml } from '../../adapters/yaml/print-yaml.ts';
import type { Output } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import { requireVersion } from '../session/require-stored.ts';
import type { Bind } from '../session/session.ts';
import { checkNeuron, checkVersion, toNeuronTarget, type VersionTarget } from '../session/target.ts';
import { orderMembers } from '../settings/member-order.ts';
import { toListedVersion } from './list.ts';

export function registerVersionsShow(versions: Command, bind: Bind): void {
  versions
    .command('show')
    .description('Prints the flow of a version.')
    .argument('<organization/neuron>', 'the neuron', checkNeuron)
    .argument('<version>', 'the version, such as v3', checkVersion)
    .action(
      bind(async (session, { args: [text, version = ''] }) => {
        const args = { ...toNeuronTarget(text), version };
        await showVersion({ args, ports: await session.connect(), out: session.out });
      }),
    );
}

/** Prints the flow in YAML, and on standard error who made the version and when. */
async function showVersion({
  args,
  ports,
  out,
}: {
  readonly args: VersionTarget;
  readonly ports: Pick<Ports, 'store'>;
  readonly out: Output;
}): Promise<void> {
  const { neuron, version } = await requireVersion(ports.store, args);
  const listed = toListedVersion(neuron, version);
  if (out.json) {
    out.value({ ...listed, flow: version.flow }, '');
    return;
  }
  const state = listed.deployed ? ', deployed' : '';
  const message = listed.message === null ? '' : `: ${listed.message}`;
  out.message(`${version.id}${state}, created ${version.createdAt} by ${version.author}${message}`);
  out.raw(printYaml([orderMembers({ flow: version.flow })]));
}

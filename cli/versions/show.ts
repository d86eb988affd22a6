// `neuron versions show`: prints the flow and variables of a version, as in a settings file.
import { printYaml } from '../../adapters/yaml/print-yaml.ts';
import { contentOf } from '../../core/admin/apply/changes.ts';
import { NEURON, VERSION } from '../command/arguments.ts';
import { command } from '../command/command.ts';
import { requireVersion } from '../session/require-stored.ts';
import { orderMembers } from '../settings/member-order.ts';
import { toListedVersion } from './list.ts';

export const versionsShow = command({
  name: 'show',
  description: 'Prints the flow and variables of a version.',
  arguments: { neuron: NEURON, id: VERSION },
  async run({ neuron: target, id }, { out, connect }) {
    const { neuron, version } = await requireVersion((await connect()).store, target, id);
    const { createdAt, author } = version;
    const content = contentOf(version);
    const listed = toListedVersion(neuron, version);
    if (out.json) return out.value({ ...listed, ...content }, '');
    const state = listed.deployed ? ', deployed' : '';
    const message = listed.message === null ? '' : `: ${listed.message}`;
    out.message(`${id}${state}, created ${createdAt} by ${author}${message}`);
    out.raw(printYaml([orderMembers(content)]));
  },
});

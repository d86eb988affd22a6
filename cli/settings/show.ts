// `neuron show`: prints stored settings as a file that `neuron apply` accepts without a change.
import { printYaml } from '../../adapters/yaml/print-yaml.ts';
import { contentOf } from '../../core/admin/apply/changes.ts';
import { mapAtOnce } from '../../core/async/at-once.ts';
import type { NeuronRecord, OrganizationRecord } from '../../core/ports/administration.ts';
import { parseTarget } from '../command/arguments.ts';
import { argument, command } from '../command/command.ts';
import type { Output } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import { requireNeurons, requireOrganization } from '../session/require-stored.ts';
import { orderMembers } from './member-order.ts';

const READS_AT_ONCE = 16;

export const show = command({
  name: 'show',
  arguments: {
    target: argument('<organization[/neuron]>', 'the organization or neuron to print', parseTarget),
  },
  // Prints the flow of the newest version, with which `apply` compares.
  async run({ target }, { out, connect }) {
    const { store } = await connect();
    const organization = await requireOrganization(store, target.organization);
    const neurons = await requireNeurons(store, organization, target);
    const read = (neuron: NeuronRecord) => readDocument(store, organization, neuron, out);
    const documents = [
      ...(target.neuron === undefined ? [organization.document] : []),
      ...(await mapAtOnce(neurons, READS_AT_ONCE, read)),
    ].map(orderMembers);
    if (out.json) for (const document of documents) out.value(document, '');
    else out.raw(printYaml(documents));
  },
});

async function readDocument(
  store: Ports['store'],
  { slug }: OrganizationRecord,
  neuron: NeuronRecord,
  out: Output,
): Promise<unknown> {
  const [newest] = await store.listVersions(slug, neuron.id);
  if (newest === undefined) return neuron.document;
  const deployed = neuron.deployment?.version;
  if (deployed !== newest.id) {
    const state = deployed === undefined ? 'No version is deployed.' : `${deployed} is deployed.`;
    out.message(`${slug}/${neuron.slug}: the flow is that of the newest version, ${newest.id}. ${state}`);
  }
  const version = await store.readVersion(slug, neuron.id, newest.id);
  return { ...(neuron.document as object), ...(version === undefined ? {} : contentOf(version)) };
}

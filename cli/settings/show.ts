// `neuron show`: prints stored settings as a file that `neuron apply` accepts without a change.
import type { Command } from 'commander';
import { printYaml } from '../../adapters/yaml/print-yaml.ts';
import { mapAtOnce } from '../../core/async/at-once.ts';
import type { NeuronRecord, OrganizationRecord } from '../../core/ports/administration.ts';
import type { Output } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import { requireNeuron, requireOrganization } from '../session/require-stored.ts';
import type { Bind } from '../session/session.ts';
import { checkTarget, type Target, toTarget } from '../session/target.ts';
import { orderMembers } from './member-order.ts';

/** Neurons whose versions are read at once. */
const READS_AT_ONCE = 16;

export function registerShow(program: Command, bind: Bind): void {
  program
    .command('show')
    .description('Prints an organization with its neurons, or one neuron, as a settings file.')
    .argument('<organization[/neuron]>', 'the organization or neuron to print', checkTarget)
    .action(
      bind(async (session, { args: [text] }) => {
        await showSettings({ args: toTarget(text), ports: await session.connect(), out: session.out });
      }),
    );
}

/** Prints documents: settings as stored, and the flow of the newest version, which is what `apply` compares with. */
async function showSettings({
  args,
  ports: { store },
  out,
}: {
  readonly args: Target;
  readonly ports: Pick<Ports, 'store'>;
  readonly out: Output;
}): Promise<void> {
  const organization = await requireOrganization(store, args.organization);
  const neurons =
    args.neuron === undefined
      ? await store.listNeurons(organization)
      : [await requireNeuron(store, organization, args.neuron)];
  const documents = [
    ...(args.neuron === undefined ? [organization.document] : []),
    ...(await mapAtOnce(neurons, READS_AT_ONCE, (neuron) => readDocument(store, organization, neuron, out))),
  ].map(orderMembers);
  if (out.json) for (const document of documents) out.value(document, '');
  else out.raw(printYaml(documents));
}

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
  return { ...(neuron.document as object), flow: version?.flow };
}

// `neuron list`: the organizations, or the neurons of one.
import type { Command } from 'commander';
import type { NeuronRecord, OrganizationRecord } from '../../core/ports/administration.ts';
import type { ListedNeuron, ListedOrganization } from '../json/settings.ts';
import type { Output } from '../output/print.ts';
import type { Column } from '../output/table.ts';
import type { Ports } from '../session/ports.ts';
import { requireOrganization } from '../session/require-stored.ts';
import type { Bind } from '../session/session.ts';
import { checkOrganization } from '../session/target.ts';

const ORGANIZATION_COLUMNS: readonly Column<ListedOrganization>[] = [
  { head: 'ORGANIZATION', cell: ({ organization }) => organization },
  { head: 'NAME', cell: ({ name }) => name },
  { head: 'STATE', cell: ({ paused }) => (paused ? 'paused' : 'open') },
  { head: 'CHANGED', cell: ({ updatedAt }) => updatedAt, drop: 2 },
  { head: 'BY', cell: ({ updatedBy }) => updatedBy, flexible: true, drop: 1 },
];

const NEURON_COLUMNS: readonly Column<ListedNeuron>[] = [
  { head: 'NEURON', cell: ({ neuron }) => neuron },
  { head: 'NAME', cell: ({ name }) => name },
  { head: 'DEPLOYED', cell: ({ deployed }) => deployed ?? undefined },
  { head: 'NEWEST', cell: ({ newest }) => newest ?? undefined },
  { head: 'CHANGED', cell: ({ updatedAt }) => updatedAt, drop: 2 },
  { head: 'BY', cell: ({ updatedBy }) => updatedBy, flexible: true, drop: 1 },
];

export function registerList(program: Command, bind: Bind): void {
  program
    .command('list')
    .description('Lists the organizations, or the neurons of one.')
    .argument('[organization]', 'the organization', checkOrganization)
    .action(
      bind(async (session, { args: [organization] }) => {
        await listSettings({ args: { organization }, ports: await session.connect(), out: session.out });
      }),
    );
}

/** Lists what is stored, by slug. */
async function listSettings({
  args,
  ports: { store },
  out,
}: {
  readonly args: { readonly organization: string | undefined };
  readonly ports: Pick<Ports, 'store'>;
  readonly out: Output;
}): Promise<void> {
  if (args.organization === undefined) {
    const found = await store.listOrganizations();
    out.list(found.map(toListedOrganization), ORGANIZATION_COLUMNS, 'There are no organizations yet.');
    return;
  }
  const organization = await requireOrganization(store, args.organization);
  const neurons = await store.listNeurons(organization);
  out.list(
    neurons.map((neuron) => toListedNeuron(organization, neuron)),
    NEURON_COLUMNS,
    `${args.organization} has no neurons yet.`,
  );
}

function toListedOrganization({
  slug,
  document,
  pause,
  updatedAt,
  updatedBy,
}: OrganizationRecord): ListedOrganization {
  const name = nameOf(document) ?? slug;
  return { organization: slug, name, paused: pause !== undefined, updatedAt, updatedBy };
}

function toListedNeuron(organization: OrganizationRecord, neuron: NeuronRecord): ListedNeuron {
  const { slug, document, deployment, latestVersion, updatedAt, updatedBy } = neuron;
  return {
    neuron: `${organization.slug}/${slug}`,
    name: nameOf(document) ?? slug,
    deployed: deployment?.version ?? null,
    newest: latestVersion === undefined ? null : `v${latestVersion}`,
    updatedAt,
    updatedBy,
  };
}

/** A stored document is not validated here, so its name may be anything. */
function nameOf(document: unknown): string | undefined {
  const name = (document as { readonly name?: unknown } | null | undefined)?.name;
  return typeof name === 'string' ? name : undefined;
}

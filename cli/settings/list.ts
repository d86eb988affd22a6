// `neuron list`: lists the organizations, or the neurons of one.
import type { NeuronRecord, OrganizationRecord } from '../../core/ports/administration.ts';
import { pauseAt } from '../../core/settings/blocks/pause.ts';
import { memberOf, toJsonObject, toList } from '../../core/text/json.ts';
import { parseOrganization } from '../command/arguments.ts';
import { argument, command, option } from '../command/command.ts';
import type { ListedNeuron, ListedOrganization } from '../json/settings.ts';
import type { Column } from '../output/table.ts';
import { requireOrganization } from '../session/require-stored.ts';
import { listProviderUses, PROVIDER_USE_COLUMNS, parseProvider } from './provider-uses.ts';

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
  { head: 'STATE', cell: ({ paused }) => (paused ? 'paused' : 'open') },
  { head: 'NEWEST', cell: ({ newest }) => newest ?? undefined },
  { head: 'ACCESS', cell: ({ access }) => access.join(', ') || 'closed', drop: 3 },
  { head: 'CHANGED', cell: ({ updatedAt }) => updatedAt, drop: 2 },
  { head: 'BY', cell: ({ updatedBy }) => updatedBy, flexible: true, drop: 1 },
];

export const list = command({
  name: 'list',
  arguments: { organization: argument('[organization]', 'the organization', parseOrganization) },
  options: {
    provider: option(
      '--provider <name>',
      'list the models of this provider that deployed versions ask, and where',
      parseProvider,
    ),
  },
  async run({ organization: slug, provider }, { out, connect }) {
    const { store, clock } = await connect();
    const nowMs = clock.now();
    if (provider !== undefined) {
      const uses = await listProviderUses(provider, slug, store);
      return out.list(uses, PROVIDER_USE_COLUMNS, `No deployed version asks ${provider}.`);
    }
    if (slug === undefined) {
      const organizations = (await store.listOrganizations()).map((one) => toListedOrganization(one, nowMs));
      return out.list(organizations, ORGANIZATION_COLUMNS, 'There are no organizations yet.');
    }
    const organization = await requireOrganization(store, slug);
    const neurons = await store.listNeurons(organization);
    out.list(
      neurons.map((neuron) => toListedNeuron(organization, neuron, nowMs)),
      NEURON_COLUMNS,
      `${slug} has no neurons yet.`,
    );
  },
});

function toListedOrganization(
  { slug, document, pause, updatedAt, updatedBy }: OrganizationRecord,
  nowMs: number,
): ListedOrganization {
  const name = nameOf(document) ?? slug;
  return { organization: slug, name, paused: pauseAt(pause, nowMs) !== undefined, updatedAt, updatedBy };
}

function toListedNeuron(organization: OrganizationRecord, neuron: NeuronRecord, nowMs: number): ListedNeuron {
  const { slug, document, deployment, latestVersion, pause, updatedAt, updatedBy } = neuron;
  return {
    neuron: `${organization.slug}/${slug}`,
    name: nameOf(document) ?? slug,
    deployed: deployment?.version ?? null,
    newest: latestVersion === undefined ? null : `v${latestVersion}`,
    paused: pauseAt(pause, nowMs) !== undefined,
    access: Object.keys(toJsonObject(memberOf(document, 'access')) ?? {}),
    rateLimits: toList(memberOf(document, 'rateLimits')).length,
    updatedAt,
    updatedBy,
  };
}

/** The stored document is not validated here, so its members may have any type. */
function nameOf(document: unknown): string | undefined {
  const name = memberOf(document, 'name');
  return typeof name === 'string' ? name : undefined;
}

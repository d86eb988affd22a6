// `neuron list --provider`: the places of all neurons that ask a provider, in the versions that answer calls.
import { InvalidArgumentError } from 'commander';
import { findGuardUses, findProviderUses } from '../../core/admin/provider-uses.ts';
import { mapAtOnce } from '../../core/async/at-once.ts';
import type { AdminStore, NeuronRecord, OrganizationRecord } from '../../core/ports/administration.ts';
import { findNearest } from '../../core/settings/members.ts';
import { providerName } from '../../core/settings/scalars.ts';
import type { ListedProviderUse } from '../json/settings.ts';
import { CommandFailure } from '../output/failure.ts';
import type { Column } from '../output/table.ts';
import { requireOrganization } from '../session/require-stored.ts';

/** Organizations, and neurons of each, that are read at once. */
const READS_AT_ONCE = 8;

export const PROVIDER_USE_COLUMNS: readonly Column<ListedProviderUse>[] = [
  { head: 'NEURON', cell: ({ neuron }) => neuron },
  { head: 'VERSION', cell: ({ version }) => version ?? undefined },
  { head: 'MODEL', cell: ({ model }) => model ?? undefined },
  { head: 'AT', cell: ({ at }) => at, flexible: true },
];

/** Throws `InvalidArgumentError`. */
export function parseProvider(text: string): string {
  if (providerName.safeParse(text).success) return text;
  throw new InvalidArgumentError('It must be the name of a provider, such as openai.');
}

/** Only neurons of organizations that have the provider are read. Throws `CommandFailure` where none has it. */
export async function listProviderUses(
  provider: string,
  organization: string | undefined,
  store: AdminStore,
): Promise<readonly ListedProviderUse[]> {
  const all =
    organization === undefined
      ? await store.listOrganizations()
      : [await requireOrganization(store, organization)];
  const having = all.filter((one) => providersOf(one).includes(provider));
  if (having.length === 0) throw unknownProvider(provider, organization, all);
  const uses = await mapAtOnce(having, READS_AT_ONCE, async (one) => {
    const neurons = await store.listNeurons(one);
    const found = await mapAtOnce(neurons, READS_AT_ONCE, (neuron) =>
      usesOf(neuron, provider, one.slug, store),
    );
    return found.flat();
  });
  return [...having.flatMap((one) => guardUsesOf(one, provider)), ...uses.flat()];
}

/** Guards of an organization may judge for each of its neurons. */
function guardUsesOf({ slug, document }: OrganizationRecord, provider: string): readonly ListedProviderUse[] {
  return findGuardUses(document, provider).map(({ at, model = null }) => ({
    neuron: slug,
    version: null,
    at,
    model,
  }));
}

/** Those of the settings beside the flow, and of the deployed version and the candidate of a rollout. */
async function usesOf(
  { id, slug, document, deployment, rollout }: NeuronRecord,
  provider: string,
  organization: string,
  store: AdminStore,
): Promise<readonly ListedProviderUse[]> {
  const answering = [deployment?.version, rollout?.candidate].filter((version) => version !== undefined);
  const versions = await mapAtOnce([...new Set(answering)], READS_AT_ONCE, (version) =>
    store.readVersion(organization, id, version),
  );
  const documents = [
    { version: null, document },
    ...versions.map((version) => ({ version: version?.id ?? null, document: { flow: version?.flow } })),
  ];
  return documents.flatMap((one) =>
    findProviderUses(one.document, provider).map(({ at, model = null }) => ({
      neuron: `${organization}/${slug}`,
      version: one.version,
      at,
      model,
    })),
  );
}

/** The stored document is not validated here, so its providers may have any type. */
function providersOf({ document }: OrganizationRecord): readonly string[] {
  const providers = (document as { readonly providers?: unknown } | null | undefined)?.providers;
  return typeof providers === 'object' && providers !== null ? Object.keys(providers) : [];
}

function unknownProvider(
  provider: string,
  organization: string | undefined,
  all: readonly OrganizationRecord[],
): CommandFailure {
  const known = [...new Set(all.flatMap(providersOf))].sort();
  const nearest = findNearest(provider, known);
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  const what = organization === undefined ? 'No organization has a' : `${organization} has no`;
  return new CommandFailure({
    what: `${what} provider ${provider}.${hint}`,
    remedy:
      organization === undefined
        ? 'Run `neuron show ORGANIZATION` to see the providers of one.'
        : `Run \`neuron show ${organization}\` to see its providers.`,
  });
}

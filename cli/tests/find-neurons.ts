// Finds the neurons of a test: in files, or in the settings of a stack.
import type { SettingsInput } from '../../core/admin/apply/changes.ts';
import { once } from '../../core/async/once.ts';
import { neuronSettingsSchema } from '../../core/settings/neuron-schema.ts';
import { organizationSchema } from '../../core/settings/organization-schema.ts';
import { parseVersion } from '../../core/settings/variables/version-content.ts';
import type { TestedNeuron } from '../../core/tests/run/tested-neuron.ts';
import { CommandFailure } from '../output/failure.ts';
import { requireNeuron, requireOrganization } from '../session/require-stored.ts';
import type { Session } from '../session/session.ts';
import { renderTarget } from '../session/target.ts';

/** Throws `CommandFailure` where there is no such neuron, or none with a flow. */
export type FindNeuron = (name: string) => Promise<TestedNeuron>;

/** Those of files; one that is in none is the deployed one of the stack. */
export function findInFiles(settings: SettingsInput, session: Session): FindNeuron {
  const stored = findStored('deployed', session);
  return remember(async (name) => {
    const found = settings.neurons.find((one) => `${one.organization}/${one.slug}` === name);
    const [organizationSlug] = name.split('/');
    const own = settings.organizations.find(({ slug }) => slug === organizationSlug);
    if (found?.flow === undefined)
      return own === undefined ? stored(name) : stored(name).catch(rejectUnfound(name));
    const organization = own === undefined ? await readOrganization(found.organization, session) : undefined;
    return toTested(name, {
      document: own?.document ?? organization?.document,
      id: organization?.id,
      settings: found.settings,
      content: found,
    });
  });
}

/** An organization in the files may never have been applied: that it is not stored would be half of the reason. */
function rejectUnfound(name: string) {
  return (cause: unknown): never => {
    if (!(cause instanceof CommandFailure)) throw cause;
    throw new CommandFailure(
      {
        what: `${name} is in none of the files that were passed, and was not found on a stack.`,
        why: cause.message,
        remedy: 'Pass the file with its settings too, or correct its name in the tests.',
      },
      { cause },
    );
  };
}

async function readOrganization(slug: string, { connect }: Session) {
  const { store } = await connect();
  return requireOrganization(store, slug);
}

/** Those of a stack: the deployed version, or another one. */
export function findStored(version: string, { connect }: Session): FindNeuron {
  return remember(async (name) => {
    const { store } = await connect();
    const [slug = '', neuronSlug = ''] = name.split('/');
    const organization = await requireOrganization(store, slug);
    const neuron = await requireNeuron(store, organization, neuronSlug);
    const id = version === 'deployed' ? neuron.deployment?.version : version;
    const found = id === undefined ? undefined : await store.readVersion(slug, neuron.id, id);
    if (found === undefined) throw missing(renderTarget({ organization: slug, neuron: neuronSlug }), id);
    return toTested(name, {
      document: organization.document,
      id: organization.id,
      settings: neuron.document,
      content: found,
    });
  });
}

function missing(name: string, id: string | undefined): CommandFailure {
  return new CommandFailure({
    what: id === undefined ? `No version of ${name} is deployed.` : `${name} has no version ${id}.`,
    remedy: `Run \`neuron versions list ${name}\` to see its versions, or pass the files with its settings.`,
  });
}

interface WrittenNeuron {
  readonly document: unknown;
  readonly id?: string | undefined;
  readonly settings: unknown;
  readonly content: Parameters<typeof parseVersion>[0];
}

/** Throws `CommandFailure` for settings that this release cannot read. */
export function toTested(name: string, { document, id, settings, content }: WrittenNeuron): TestedNeuron {
  const organization = organizationSchema.safeParse(document);
  const neuron = neuronSettingsSchema.safeParse(settings);
  const parsed = parseVersion(content);
  if (organization.success && neuron.success && parsed !== undefined)
    return {
      name,
      organizationId: id,
      organization: organization.data,
      settings: neuron.data,
      ...parsed,
    };
  throw new CommandFailure({
    what: `The settings of ${name} cannot be used by this release.`,
    remedy: 'Run `neuron doctor`, and apply its settings again.',
  });
}

function remember(find: FindNeuron): FindNeuron {
  const found = new Map<string, () => Promise<TestedNeuron>>();
  return (name) => {
    const known = found.get(name) ?? once(() => find(name));
    found.set(name, known);
    return known();
  };
}

// Reads the access settings of a neuron: the applied ones, or those of a file.
import type { AccessSettings } from '../../core/access/settings.ts';
import type { AdminStore } from '../../core/ports/administration.ts';
import { type NeuronSettings, neuronSettingsSchema } from '../../core/settings/neuron-schema.ts';
import { toUsableSettings } from '../../core/settings/usable-settings.ts';
import { CommandFailure } from '../output/failure.ts';
import type { Session } from '../session/session.ts';
import { type NeuronTarget, renderTarget } from '../session/target.ts';
import { renderDiagnosticLine, validateFiles } from './validate-files.ts';

interface SettingsFile {
  /** A file or a folder, relative to `folder`. */
  readonly path: string;
  readonly folder: string;
  readonly allowLoopback: boolean;
}

/** Max. deadline of settings. The limit of a stage does not matter for access. */
const MAX_DEADLINE_MS = 240_000;

/** Explaining a file without a token needs no stack and no ids. */
export async function readAccess(
  target: NeuronTarget,
  file: string | undefined,
  needsIds: boolean,
  { options, terminal, connect }: Session,
): Promise<AccessSettings> {
  if (file === undefined) return readAppliedAccess(target, (await connect()).store);
  const allowLoopback = options.local !== undefined;
  const store = needsIds ? (await connect()).store : undefined;
  return readFileAccess(target, { path: file, folder: terminal.folder, allowLoopback }, store);
}

/** The settings that the authorizer uses; an unknown neuron is `not_found`. */
async function readAppliedAccess(target: NeuronTarget, store: AdminStore): Promise<AccessSettings> {
  const organization = await store.readOrganization(target.organization);
  const neuron = organization && (await store.readNeuron(organization, target.neuron));
  const verdict = toUsableSettings({ organization, neuron, maintenance: undefined });
  if (!verdict.usable) return { outcome: 'not_found', reason: verdict.reason };
  const { organizationId, neuronId } = verdict.settings;
  const { neuron: slug } = target;
  return { outcome: 'usable', organizationId, neuronId, slug, ...accessOf(verdict.settings.neuron) };
}

/**
 * The settings that the authorizer would use once the file is applied. `store` has the ids that keys belong to; without it, and for
 * settings that are not stored yet, no key fits. Throws `CommandFailure` for an invalid file, or one without the neuron.
 */
async function readFileAccess(
  target: NeuronTarget,
  { path, folder, allowLoopback }: SettingsFile,
  store: AdminStore | undefined,
): Promise<AccessSettings> {
  const validated = await validateFiles(
    { paths: [path], overlays: [], folder },
    {
      addresses: { allowLoopback },
      maxDeadlineMs: MAX_DEADLINE_MS,
      transferMode: 'STREAM',
    },
  );
  if (validated.errors.length > 0) {
    throw new CommandFailure({
      what: `${path} is invalid, so there is no decision to explain.`,
      why: validated.errors.map(renderDiagnosticLine).join('\n'),
    });
  }
  const { organization, neuron } = target;
  const input = validated.input.neurons.find(
    (one) => one.organization === organization && one.slug === neuron,
  );
  if (input === undefined) {
    throw new CommandFailure({
      what: `${path} has no settings for ${renderTarget(target)}.`,
      remedy: `Add a document with \`neuron: ${renderTarget(target)}\`, or omit --file to explain the applied settings.`,
    });
  }
  const settings = neuronSettingsSchema.parse(input.settings);
  return { outcome: 'usable', ...(await findIds(target, store)), slug: neuron, ...accessOf(settings) };
}

function accessOf({ access, rateLimits }: NeuronSettings) {
  return { access, conditions: rateLimits.flatMap(({ when }) => when ?? []) };
}

/** Ids are created when a file is applied. No key has an empty one. */
async function findIds(
  { organization, neuron }: NeuronTarget,
  store: AdminStore | undefined,
): Promise<{ readonly organizationId: string; readonly neuronId: string }> {
  const owner = await store?.readOrganization(organization);
  const stored = owner && (await store?.readNeuron(owner, neuron));
  return { organizationId: owner?.id ?? '', neuronId: stored?.id ?? '' };
}

// Reads the guards that a command runs: of a neuron, or of the library of an organization, as applied or as in settings files.
import { isPhoneNumber } from '../../adapters/phone/is-phone-number.ts';
import { type ActiveGuard, activeGuards } from '../../core/guards/active-guards.ts';
import { STAGES } from '../../core/settings/guards/guards-schema.ts';
import { neuronSettingsSchema } from '../../core/settings/neuron-schema.ts';
import { type Organization, organizationSchema } from '../../core/settings/organization-schema.ts';
import { CommandFailure } from '../output/failure.ts';
import { requireNeuron, requireOrganization } from '../session/require-stored.ts';
import type { Session } from '../session/session.ts';
import { renderTarget, type Target } from '../session/target.ts';
import { renderDiagnosticLine, validateFiles } from '../settings/validate-files.ts';

/** Max. deadline of settings. The limit of a stage does not matter for guards. */
const MAX_DEADLINE_MS = 240_000;

interface GuardDocuments {
  readonly organization: unknown;
  /** Undefined where the library is asked for. */
  readonly neuron: unknown;
}

interface ReadGuards {
  readonly guards: readonly ActiveGuard[];
  readonly organization: Organization;
}

/** Throws `CommandFailure` for an unknown owner, for invalid files, and where there is no guard. */
export async function readGuards(
  target: Target,
  settings: string | undefined,
  session: Session,
): Promise<ReadGuards> {
  const documents =
    settings === undefined ? await readApplied(target, session) : await readFiles(target, settings, session);
  const organization = organizationSchema.parse(documents.organization);
  const neuron = target.neuron === undefined ? undefined : neuronSettingsSchema.parse(documents.neuron);
  const all =
    neuron === undefined
      ? activateLibrary(organization)
      : activeGuards({ organization, neuron }, { isPhoneNumber });
  if (all.length > 0) return { guards: all, organization };
  throw new CommandFailure({
    what: `${renderTarget(target)} has no guards.`,
    remedy: 'Add `guards` to its settings (docs/guards.md).',
  });
}

/** Every guard of the library, on every stage; it only flags. */
function activateLibrary({ guards = {} }: Organization): readonly ActiveGuard[] {
  const uses = Object.keys(guards).map((use) => ({ use, on: [...STAGES], action: 'flag' as const }));
  return activeGuards({ organization: { guards }, neuron: { guards: uses } }, { isPhoneNumber });
}

async function readApplied(target: Target, { connect }: Session): Promise<GuardDocuments> {
  const { store } = await connect();
  const organization = await requireOrganization(store, target.organization);
  const neuron =
    target.neuron === undefined ? undefined : await requireNeuron(store, organization, target.neuron);
  return { organization: organization.document, neuron: neuron?.document };
}

async function readFiles(
  { organization, neuron }: Target,
  path: string,
  { options, terminal }: Session,
): Promise<GuardDocuments> {
  const { input, errors } = await validateFiles(
    { paths: [path], overlays: [], folder: terminal.folder },
    {
      addresses: { allowLoopback: options.local !== undefined },
      maxDeadlineMs: MAX_DEADLINE_MS,
      transferMode: 'STREAM',
    },
  );
  if (errors.length > 0)
    throw new CommandFailure({
      what: `${path} is invalid, so no guard was run.`,
      why: errors.map(renderDiagnosticLine).join('\n'),
    });
  const own = input.organizations.find(({ slug }) => slug === organization);
  const found = input.neurons.find((one) => one.organization === organization && one.slug === neuron);
  const missing = own === undefined ? organization : `${organization}/${neuron}`;
  if (own === undefined || (neuron !== undefined && found === undefined))
    throw new CommandFailure({
      what: `${path} has no settings for ${missing}.`,
      remedy: 'Pass a folder that has the organization and the neuron, or leave --settings out.',
    });
  return { organization: own.document, neuron: found?.settings };
}

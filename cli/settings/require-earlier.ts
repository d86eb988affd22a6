// Says why there are no earlier settings to go back to, or why they cannot be used.
import type { EarlierSettings } from '../../core/admin/revert/find-settings.ts';
import { neuronSettingsSchema } from '../../core/settings/neuron-schema.ts';
import { organizationSchema } from '../../core/settings/organization-schema.ts';
import type { BlockOwner } from '../blocks/stored-blocks.ts';
import { CommandFailure } from '../output/failure.ts';
import { renderTarget, type Target } from '../session/target.ts';

type Found = Extract<EarlierSettings, { outcome: 'found' }>;

/** Throws `CommandFailure` that says why there is nothing to go back to. */
export function requireFound(earlier: EarlierSettings, target: Target, to: string): Found {
  if (earlier.outcome === 'found') return earlier;
  const name = renderTarget(target);
  if (earlier.outcome === 'other') {
    const { organization, neuron, actions } = earlier.change;
    throw new CommandFailure({
      what: `The change ${to} is not one of the settings of ${name}.`,
      why: `It is ${actions.join(', ')} of ${neuron == null ? (organization ?? 'the service') : `${organization}/${neuron}`}.`,
      remedy: `Run \`neuron logs ${name} --changes\` to see the changes of ${name}.`,
    });
  }
  if (earlier.outcome === 'created')
    throw new CommandFailure({
      what: `Before ${to} there was no ${name}.`,
      why: 'That change created it.',
      remedy: `Run \`neuron delete ${name}\` to remove it, or pass a later change.`,
    });
  if (earlier.outcome === 'cut')
    throw new CommandFailure({
      what: `The settings before ${to} are not in the log.`,
      why: 'They were too large to be kept there.',
      remedy: 'Apply the settings file of that time.',
    });
  throw new CommandFailure({
    what: `There is no change ${to} of ${name}.`,
    why: 'It may belong to another organization, or be older than a year.',
    remedy: `Run \`neuron logs ${name} --changes\` to see the changes of ${name}.`,
  });
}

/** Throws `CommandFailure` for settings that this release does not take: it may be newer than the change. */
export function requireUsable(document: unknown, { neuron }: BlockOwner, to: string): void {
  const schema = neuron === undefined ? organizationSchema : neuronSettingsSchema;
  const parsed = schema.safeParse(document);
  if (parsed.success) return;
  throw new CommandFailure({
    what: `The settings before ${to} cannot be used.`,
    why: `This release does not take them: ${parsed.error.issues[0]?.path.join('.') ?? ''} ${parsed.error.issues[0]?.message ?? ''}`,
    remedy: 'Apply a settings file.',
  });
}

// Warns of secrets that settings name and nobody has set.
import type { Given, StoredOrganizationState } from '../core/config/changes.ts';
import { findMissingSecrets } from '../core/config/find-missing-secrets.ts';
import { renderCommand } from './command-line.ts';
import type { Ports } from './ports.ts';
import type { Output } from './print.ts';

/** One warning a secret, with the command that sets it. */
export async function warnOfMissingSecrets(
  given: Given,
  stored: readonly StoredOrganizationState[],
  { secrets, stack }: Pick<Ports, 'secrets' | 'stack'>,
  out: Output,
): Promise<void> {
  for (const { organization, name, purpose } of await findMissingSecrets(given, stored, secrets)) {
    const command = renderCommand(
      `secrets set ${organization} ${name} --for ${purpose}`,
      stack.local?.folder,
    );
    out.warn(`The secret ${name} is not set: \`${command}\`.`);
  }
}

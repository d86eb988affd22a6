// Warns of secrets that settings name and nobody has set.
import type { Given, StoredOrganizationState } from '../../core/admin/apply/changes.ts';
import { findMissingSecrets } from '../../core/admin/apply/find-missing-secrets.ts';
import type { Output } from '../output/print.ts';
import { renderCommand } from '../session/command-line.ts';
import type { Ports } from '../session/ports.ts';

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

// Validates settings files against a stack: its rules, and the settings stored in it.
import type { SettingsInput, StoredOrganizationState } from '../../core/admin/apply/changes.ts';
import { findMissingSecrets } from '../../core/admin/apply/find-missing-secrets.ts';
import type { BedrockGrants } from '../../core/admin/validate/places/bedrock.ts';
import { mapAtOnce } from '../../core/async/at-once.ts';
import { isDenied } from '../output/aws-failures.ts';
import { renderCommand } from '../output/command-line.ts';
import { CommandFailure } from '../output/failure.ts';
import { count, type Output } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import { toProviderHosts } from '../session/stack.ts';
import type { MergedFiles, SettingsPaths } from './read-with-overlays.ts';
import {
  type FileContext,
  renderDiagnosticLine,
  type ValidatedFiles,
  validateFiles,
  validateMerged,
} from './validate-files.ts';

const READS_AT_ONCE = 16;

type ValidationPorts = Pick<Ports, 'stack' | 'store' | 'secretReader'>;

/** Prints warnings. Throws `CommandFailure` with all errors, if there are any. */
export async function validateForStack(
  paths: SettingsPaths,
  ports: ValidationPorts,
  out: Output,
): Promise<SettingsInput> {
  return requireValid(await validateFiles(paths, toContext(ports)), out);
}

/** The same for documents that were read already, with warnings of these members alone. */
export async function validateMergedForStack(
  merged: MergedFiles,
  members: readonly string[],
  ports: ValidationPorts,
  out: Output,
): Promise<SettingsInput> {
  const validated = await validateMerged(merged, toContext(ports));
  const warnings = validated.warnings.filter(({ path: [member] }) => members.includes(String(member)));
  return requireValid({ ...validated, warnings }, out);
}

function requireValid(validated: ValidatedFiles, out: Output): SettingsInput {
  for (const warning of validated.warnings) out.warn(renderDiagnosticLine(warning));
  if (validated.errors.length > 0) throw toValidationFailure(validated);
  return validated.input;
}

function toContext({ stack, store, secretReader }: ValidationPorts): FileContext {
  const { maxDeadlineMs, transferMode, stageName, bedrockModels, apiUrl } = stack.outputs;
  return {
    addresses: { allowLoopback: stack.local !== undefined },
    ownHost: stack.local === undefined ? new URL(apiUrl).host : undefined,
    providerHosts: toProviderHosts(stack),
    maxDeadlineMs: Number(maxDeadlineMs),
    transferMode: transferMode === 'BUFFERED' ? 'BUFFERED' : 'STREAM',
    bedrock: { stage: stageName, allowed: JSON.parse(bedrockModels) as BedrockGrants },
    readStored: async (slugs) => {
      const found = await mapAtOnce(slugs, READS_AT_ONCE, (slug) => store.readOrganization(slug));
      return new Map(found.flatMap((one) => (one === undefined ? [] : [[one.slug, one.document] as const])));
    },
    readSharedSecret: async (organization, name) => {
      const id = (await store.readOrganization(organization))?.id;
      return id === undefined ? undefined : unlessDenied(() => secretReader.read(id, 'jwt', name));
    },
  };
}

function toValidationFailure({ errors }: ValidatedFiles): CommandFailure {
  return new CommandFailure({
    what: `${count(errors.length, 'error')}. Nothing was written.`,
    why: errors.map(renderDiagnosticLine).join('\n'),
  });
}

/** Prints one warning for each secret, with the command that sets it. */
export async function warnOfMissingSecrets(
  input: SettingsInput,
  stored: readonly StoredOrganizationState[],
  { secrets, stack }: Pick<Ports, 'secrets' | 'stack'>,
  out: Output,
): Promise<void> {
  const missing = await unlessDenied(() => findMissingSecrets(input, stored, secrets));
  if (missing === undefined)
    out.warn('These credentials may not read secrets, so the secrets that settings name were not checked.');
  for (const { organization, name, purpose } of missing ?? []) {
    const command = renderCommand(
      `secrets set ${organization} ${name} --for ${purpose}`,
      stack.local?.folder,
    );
    out.warn(`The secret ${name} is not set. Set it with \`${command}\`.`);
  }
}

/** Undefined where IAM denies the call: authors of settings have no right to read secrets. */
export async function unlessDenied<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isDenied(error)) return undefined;
    throw error;
  }
}

// The arguments and options that name a secret.
import { InvalidArgumentError } from 'commander';
import type { SecretPurpose } from '../../core/ports/stores.ts';
import { SECRET_NAME_PATTERN } from '../../core/settings/scalars.ts';
import { ORGANIZATION } from '../command/arguments.ts';
import { argument, option } from '../command/command.ts';

export const PURPOSES = ['providers', 'jwt'] as const satisfies readonly SecretPurpose[];

const FOR = ['--for <purpose>', 'what the secret is for: providers or JWTs', PURPOSES] as const;

export const OPTIONAL_PURPOSE = option(...FOR);
export const PURPOSE = option(...FOR, { required: true });

export const SECRET = {
  organization: ORGANIZATION,
  name: argument('<name>', 'name of the secret in settings files', parseName),
};

function parseName(text: string): string {
  if (!SECRET_NAME_PATTERN.test(text))
    throw new InvalidArgumentError('It must be 1 to 63 characters of a-z, 0-9 and -, such as openai-key.');
  return text;
}

/** `openai-key of acme for providers` */
export function renderSecret({
  organization,
  name,
  purpose,
}: {
  readonly organization: string;
  readonly name: string;
  readonly purpose: SecretPurpose;
}): string {
  return `${name} of ${organization} for ${purpose}`;
}

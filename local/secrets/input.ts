// Reads the members of a request to Secrets Manager, and refuses those of the wrong type.

import { SecretsError, type Tag } from './secret.ts';

/** The parsed body of a request. */
export type Input = Readonly<Record<string, unknown>>;

// API reference, CreateSecret: 65,536 bytes at most.
const LONGEST_VALUE_BYTES = 65_536;
const NAME = /^[A-Za-z0-9/_+=.@-]{1,512}$/;
const TOKEN = /^.{32,64}$/;

/** A text that must be there. */
export function requiredText(input: Input, member: string): string {
  const value = optionalText(input, member);
  if (value === undefined || value === '') throw invalid(`You must provide a value for ${member}.`);
  return value;
}

/** A text. */
export function optionalText(input: Input, member: string): string | undefined {
  const value = input[member];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw invalid(`${member} is not a text.`);
  return value;
}

/** A whole number within bounds. */
export function optionalNumber(
  input: Input,
  member: string,
  least: number,
  most: number,
): number | undefined {
  const value = input[member];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  throw invalid(`${member} must be a whole number from ${least} to ${most}.`);
}

/** A list of texts. */
export function optionalTexts(input: Input, member: string): readonly string[] | undefined {
  const value = input[member];
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value;
  throw invalid(`${member} is not a list of texts.`);
}

/** The name of a new secret. */
export function secretName(input: Input): string {
  const name = requiredText(input, 'Name');
  if (NAME.test(name)) return name;
  throw invalid(
    'Invalid name. Must be a valid name containing alphanumeric characters, or any of the following: -/_+=.@!',
  );
}

/** The id of a new version; the SDK makes one where the caller does not. */
export function versionId(input: Input, generate: () => string): string {
  const token = optionalText(input, 'ClientRequestToken') ?? generate();
  if (TOKEN.test(token)) return token;
  throw invalid('ClientRequestToken must have 32 to 64 characters.');
}

/** The value of a request: a text, bytes in base64, or none. */
export function secretValue(input: Input): { secretString?: string; secretBinary?: string } {
  const text = optionalText(input, 'SecretString');
  const binary = optionalText(input, 'SecretBinary');
  if (text !== undefined && binary !== undefined)
    throw invalid(
      "You can't specify both a binary secret value and a string secret value in the same secret.",
    );
  const value = text ?? binary;
  if (
    value !== undefined &&
    Buffer.byteLength(value) > LONGEST_VALUE_BYTES * (text === undefined ? 4 / 3 : 1)
  )
    throw invalid(`The value is longer than ${LONGEST_VALUE_BYTES} bytes.`);
  return {
    ...(text === undefined ? {} : { secretString: text }),
    ...(binary === undefined ? {} : { secretBinary: binary }),
  };
}

/** Labels. */
export function tags(input: Input): readonly Tag[] {
  const value = input['Tags'] ?? [];
  if (!Array.isArray(value)) throw invalid('Tags is not a list.');
  return value.map((tag: Input) => ({
    Key: requiredText(tag, 'Key'),
    Value: optionalText(tag, 'Value') ?? '',
  }));
}

/** A request that Secrets Manager refuses because of one of its parameters. */
export function invalid(message: string): SecretsError {
  return new SecretsError('InvalidParameterException', message);
}

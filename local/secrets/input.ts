// Reads the members of a request to Secrets Manager, and rejects those of the wrong type.

import { AwsError } from '../loopback/serve.ts';

export type Input = Readonly<Record<string, unknown>>;

// API reference, CreateSecret: 65,536 bytes at most.
const MAX_VALUE_BYTES = 65_536;
const NAME = /^[A-Za-z0-9/_+=.@-]{1,512}$/;
const TOKEN = /^.{32,64}$/;

export function requiredText(input: Input, member: string): string {
  const value = optionalText(input, member);
  if (value === undefined || value === '') throw invalid(`You must provide a value for ${member}.`);
  return value;
}

export function optionalText(input: Input, member: string): string | undefined {
  const value = input[member] ?? undefined;
  if (value !== undefined && typeof value !== 'string') throw invalid(`${member} is not a text.`);
  return value;
}

export function optionalTexts(input: Input, member: string): readonly string[] | undefined {
  const value = input[member] ?? undefined;
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value;
  throw invalid(`${member} is not a list of texts.`);
}

/** A whole number within bounds. */
export function optionalNumber(input: Input, member: string, min: number, max: number): number | undefined {
  const value = input[member] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw invalid(`${member} must be a whole number from ${min} to ${max}.`);
}

export function secretName(input: Input): string {
  const name = requiredText(input, 'Name');
  if (NAME.test(name)) return name;
  throw invalid(
    'Invalid name. Must be a valid name containing alphanumeric characters, or any of the following: -/_+=.@!',
  );
}

/** The id of a new version; the SDK makes one unless the caller does. */
export function versionId(input: Input, generate: () => string): string {
  const token = optionalText(input, 'ClientRequestToken') ?? generate();
  if (TOKEN.test(token)) return token;
  throw invalid('ClientRequestToken must have 32 to 64 characters.');
}

/** The value in a request: a text, bytes in base64, or none. */
export function secretValue(input: Input): { secretString?: string; secretBinary?: string } {
  const text = optionalText(input, 'SecretString');
  const binary = optionalText(input, 'SecretBinary');
  if (text !== undefined && binary !== undefined)
    throw invalid(
      "You can't specify both a binary secret value and a string secret value in the same secret.",
    );
  if (
    Buffer.byteLength(text ?? '') > MAX_VALUE_BYTES ||
    Buffer.byteLength(binary ?? '', 'base64') > MAX_VALUE_BYTES
  )
    throw invalid(`The value is longer than ${MAX_VALUE_BYTES} bytes.`);
  return {
    ...(text === undefined ? {} : { secretString: text }),
    ...(binary === undefined ? {} : { secretBinary: binary }),
  };
}

export function invalid(message: string): AwsError {
  return new AwsError('InvalidParameterException', message);
}

// The value of a secret: a JSON object of names and values. There is one secret per organization and purpose.
import {
  GetSecretValueCommand,
  InvalidRequestException,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { isJsonObject } from '../../core/text/json.ts';

export type SecretValues = ReadonlyMap<string, string>;

export interface CurrentSecret {
  readonly values: SecretValues;
  readonly versionId: string;
}

/** The current version; undefined when there is no such secret or it is being deleted. Throws on every other failure. */
export async function readCurrent(
  client: SecretsManagerClient,
  secretId: string,
): Promise<CurrentSecret | undefined> {
  try {
    const { SecretString, VersionId } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
    if (VersionId === undefined) throw new Error(`the secret ${secretId} has no version`);
    return { values: parseSecret(SecretString, secretId), versionId: VersionId };
  } catch (thrown) {
    // Secrets Manager answers InvalidRequestException for a secret in its recovery window.
    if (thrown instanceof ResourceNotFoundException || thrown instanceof InvalidRequestException) {
      return undefined;
    }
    throw thrown;
  }
}

/** Throws errors of its own: those of `JSON.parse` quote the secret. */
function parseSecret(text: string | undefined, secretId: string): SecretValues {
  const malformed = () => new Error(`the secret ${secretId} is not a JSON object of texts`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text ?? '');
  } catch {
    throw malformed();
  }
  if (!isJsonObject(parsed)) throw malformed();
  const entries = Object.entries(parsed);
  if (!entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')) throw malformed();
  return new Map(entries);
}

/** The text that `readCurrent` reads back. */
export function renderSecret(values: SecretValues): string {
  return JSON.stringify(Object.fromEntries(values));
}

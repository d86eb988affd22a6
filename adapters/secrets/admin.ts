// Changes secrets by compare and swap: adds a version, and moves AWSCURRENT to it from the very version that was read, so that two
// operators at the same time lose no value of each other.
import { randomBytes, randomUUID } from 'node:crypto';
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  InvalidParameterException,
  InvalidRequestException,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { type SecretAdmin, SecretError } from '../../core/ports/administration.ts';
import { LOG_KEY_NAME, logKeyId } from '../../core/ports/log-key.ts';
import type { SecretPurpose } from '../../core/ports/stores.ts';
import { USER_KEY_NAME } from '../../core/ports/user-key.ts';
import { SECRET_NAME_PATTERN } from '../../core/settings/scalars.ts';
import { toSecretId } from './secret-id.ts';
import { readCurrent, renderSecret, type SecretValues } from './secret-value.ts';

const MINTED = [LOG_KEY_NAME, USER_KEY_NAME];
const LOG_KEY_BYTES = 32;
/** Secrets Manager's bound on a secret (docs.aws.amazon.com/secretsmanager/latest/userguide/reference_limits.html). */
const MAX_SECRET_BYTES = 65_536;
/** Each lost race means that another operator's change was written. */
const MAX_TRIES = 8;
const PURPOSES: readonly SecretPurpose[] = ['providers', 'jwt'];

/** Changes values; undefined when there is nothing to change. */
type Change = (values: SecretValues) => SecretValues | undefined;

interface SecretStore {
  readonly client: SecretsManagerClient;
  readonly keyArn: string | undefined;
}

/**
 * Secrets named `PREFIX/ORGANIZATION_ID/PURPOSE`. `keyArn` is the KMS key of secrets that are made, by default the account's
 * `aws/secretsmanager`; a secret that exists keeps its own.
 */
export function createSecretAdmin(
  client: SecretsManagerClient,
  prefix: string,
  keyArn?: string,
): SecretAdmin {
  const change = (secretId: string, make: Change) => changeSecret({ client, keyArn }, secretId, make);
  const idOf = (organizationId: string, purpose: SecretPurpose) =>
    toSecretId(prefix, organizationId, purpose);
  return {
    async list(organizationId, purpose) {
      const current = await readCurrent(client, idOf(organizationId, purpose));
      return [...(current?.values.keys() ?? [])].filter((name) => SECRET_NAME_PATTERN.test(name)).sort();
    },
    async set(organizationId, purpose, name, value) {
      rejectBadSecret(name, value);
      await change(idOf(organizationId, purpose), (values) =>
        values.get(name) === value ? undefined : new Map(values).set(name, value),
      );
    },
    remove: (organizationId, purpose, name) =>
      change(idOf(organizationId, purpose), (values) =>
        SECRET_NAME_PATTERN.test(name) && values.has(name)
          ? new Map([...values].filter(([other]) => other !== name))
          : undefined,
      ),
    async mintKeys(organizationId) {
      const minted = new Map(MINTED.map((name) => [name, randomBytes(LOG_KEY_BYTES).toString('base64')]));
      await change(idOf(organizationId, 'providers'), (values) =>
        MINTED.every((name) => values.has(name)) ? undefined : new Map([...minted, ...values]),
      );
    },
    async rotateLogKey(organizationId) {
      const key = randomBytes(LOG_KEY_BYTES).toString('base64');
      let previous: string | undefined;
      await change(idOf(organizationId, 'providers'), (values) => {
        const before = values.get(LOG_KEY_NAME);
        previous = before === undefined ? undefined : logKeyId(before);
        const kept = new Map(values).set(LOG_KEY_NAME, key);
        return before === undefined ? kept : kept.set(`${LOG_KEY_NAME}-${previous}`, before);
      });
      return { current: logKeyId(key), previous };
    },
    async removeAll(organizationId) {
      for (const purpose of PURPOSES) await removeSecret(client, idOf(organizationId, purpose));
    },
  };
}

function rejectBadSecret(name: string, value: string): void {
  if (!SECRET_NAME_PATTERN.test(name)) {
    throw new Error(`"${name}" is not a name of a secret; use 1 to 63 characters of a-z, 0-9 and -`);
  }
  if (value === '') throw new Error('the value of a secret must not be empty');
}

/** True when something was changed. Throws when others keep changing the secret, or when it would grow too large. */
async function changeSecret(store: SecretStore, secretId: string, make: Change): Promise<boolean> {
  const { client } = store;
  let written: string | undefined;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const current = await readCurrent(client, secretId);
    // The SDK sends a call again whose answer was lost; the second one then loses the race against the first.
    if (written !== undefined && current?.versionId === written) return true;
    const values = make(current?.values ?? new Map());
    if (values === undefined) return false;
    const text = renderSecret(values);
    rejectTooLarge(text);
    written = randomUUID();
    const isWritten =
      current === undefined
        ? await create(store, secretId, text, written)
        : await replace(client, secretId, { from: current.versionId, text, versionId: written });
    if (isWritten) return true;
  }
  throw new SecretError(`the secret ${secretId} keeps being changed by others`, 'Try again.');
}

function rejectTooLarge(text: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_SECRET_BYTES) return;
  throw new SecretError(
    `all values of one purpose may take ${MAX_SECRET_BYTES} bytes together, and would take ${bytes}`,
    'Remove some first.',
  );
}

async function create(
  { client, keyArn }: SecretStore,
  secretId: string,
  text: string,
  versionId: string,
): Promise<boolean> {
  try {
    await client.send(
      new CreateSecretCommand({
        Name: secretId,
        SecretString: text,
        ClientRequestToken: versionId,
        ...(keyArn === undefined ? {} : { KmsKeyId: keyArn }),
      }),
    );
    return true;
  } catch (thrown) {
    if (thrown instanceof ResourceExistsException) return false;
    if (thrown instanceof InvalidRequestException) {
      const remedy = 'Restore it, or wait until it is gone.';
      throw new SecretError(`the secret ${secretId} is being deleted`, remedy, { cause: thrown });
    }
    throw thrown;
  }
}

async function replace(
  client: SecretsManagerClient,
  SecretId: string,
  { from, text, versionId }: { readonly from: string; readonly text: string; readonly versionId: string },
): Promise<boolean> {
  // A version without a label may be deleted at once, and one with AWSCURRENT is used at once: until it is moved, it has a label of
  // ours. There are 16 such labels, of 20 that a secret may have, however many writes were interrupted.
  const pending = `NEURON_PENDING_${versionId.charAt(0)}`;
  await client.send(
    new PutSecretValueCommand({
      SecretId,
      SecretString: text,
      ClientRequestToken: versionId,
      VersionStages: [pending],
    }),
  );
  const moved = await moveStage(client, {
    SecretId,
    VersionStage: 'AWSCURRENT',
    RemoveFromVersionId: from,
    MoveToVersionId: versionId,
  });
  // If the race was lost, the version has no label then, and Secrets Manager deletes it.
  await moveStage(client, { SecretId, VersionStage: pending, RemoveFromVersionId: versionId });
  return moved;
}

/** False when the label is not on the version to move it from, or an unused version has been deleted. */
async function moveStage(
  client: SecretsManagerClient,
  input: ConstructorParameters<typeof UpdateSecretVersionStageCommand>[0],
): Promise<boolean> {
  try {
    await client.send(new UpdateSecretVersionStageCommand(input));
    return true;
  } catch (thrown) {
    if (thrown instanceof InvalidParameterException || thrown instanceof ResourceNotFoundException)
      return false;
    throw thrown;
  }
}

async function removeSecret(client: SecretsManagerClient, SecretId: string): Promise<void> {
  try {
    await client.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }));
  } catch (thrown) {
    if (!(thrown instanceof ResourceNotFoundException)) throw thrown;
  }
}

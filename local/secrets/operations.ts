// The operations of Secrets Manager, each from a parsed request to the members of the answer.
// Behaviour and messages: AWS Secrets Manager API Reference, one page per operation.
import { randomUUID } from 'node:crypto';
import { AwsError } from '../loopback/serve.ts';
import { addVersion, CURRENT, moveStage, type Secret, versionWithStage } from './secret.ts';
import type { SecretStore } from './store.ts';

interface SecretsContext {
  readonly store: SecretStore;
  /** Seconds since 1970. */
  readonly now: () => number;
  /** The ARN of a new secret. */
  readonly arnOf: (name: string) => string;
}

/** @throws AwsError */
type SecretsOperation = (context: SecretsContext, input: Input) => Readonly<Record<string, unknown>>;

const DAY_SECONDS = 24 * 3600;
const MARKED = "You can't perform this operation on the secret because it was marked for deletion.";

const createSecret: SecretsOperation = ({ store, now, arnOf }, input) => {
  const name = secretName(input);
  const id = versionId(input, randomUUID);
  const value = secretValue(input);
  const existing = store.find(name);
  if (existing?.deletedAt !== undefined)
    throw new AwsError(
      'InvalidRequestException',
      "You can't create this secret because a secret with this name is already scheduled for deletion.",
    );
  if (existing !== undefined) {
    // The SDK repeats a request whose answer was lost.
    const isRepeated = existing.versions[id] !== undefined && hasValue(existing, id, value);
    if (isRepeated) return { ARN: existing.arn, Name: name, VersionId: id };
    throw new AwsError(
      'ResourceExistsException',
      `The operation failed because the secret ${name} already exists.`,
    );
  }
  const secret: Secret = { name, arn: arnOf(name), versions: {} };
  const isEmpty = Object.keys(value).length === 0;
  store.put(isEmpty ? secret : addVersion(secret, id, { ...value, createdAt: now(), stages: [CURRENT] }));
  return { ARN: secret.arn, Name: name, ...(isEmpty ? {} : { VersionId: id }) };
};

const putSecretValue: SecretsOperation = (context, input) => {
  const { store, now } = context;
  const secret = findActive(context, input);
  const id = versionId(input, randomUUID);
  const value = secretValue(input);
  if (Object.keys(value).length === 0) throw invalid('You must provide either SecretString or SecretBinary.');
  const stages = optionalTexts(input, 'VersionStages') ?? [CURRENT];
  const existing = secret.versions[id];
  if (existing !== undefined && !hasValue(secret, id, value)) {
    const text = `You can't modify an existing version, you can only create a new one: a version with the id ${id} already exists.`;
    throw new AwsError('ResourceExistsException', text);
  }
  if (existing === undefined) {
    store.put(addVersion(secret, id, { ...value, createdAt: now(), stages }));
  }
  return { ...identity(secret), VersionId: id, VersionStages: existing?.stages ?? stages };
};

const getSecretValue: SecretsOperation = (context, input) => {
  const secret = findActive(context, input);
  const requested = optionalText(input, 'VersionId');
  const stage = optionalText(input, 'VersionStage') ?? (requested === undefined ? CURRENT : undefined);
  const id = requested ?? versionWithStage(secret, stage ?? CURRENT);
  const version = id === undefined ? undefined : secret.versions[id];
  if (version === undefined) {
    const what = requested === undefined ? `staging label: ${stage}` : `VersionId: ${requested}`;
    throw notFound(`Secrets Manager can't find the specified secret value for ${what}`);
  }
  if (stage !== undefined && !version.stages.includes(stage)) {
    const text = 'You provided a VersionStage that is not associated to the provided VersionId.';
    throw new AwsError('InvalidRequestException', text);
  }
  return {
    ...identity(secret),
    VersionId: id,
    SecretString: version.secretString,
    SecretBinary: version.secretBinary,
    VersionStages: version.stages,
    CreatedDate: version.createdAt,
  };
};

const updateSecretVersionStage: SecretsOperation = (context, input) => {
  const secret = findActive(context, input);
  const stage = requiredText(input, 'VersionStage');
  const from = optionalText(input, 'RemoveFromVersionId');
  const to = optionalText(input, 'MoveToVersionId');
  const holder = versionWithStage(secret, stage);
  for (const id of [from, to]) {
    if (id !== undefined && secret.versions[id] === undefined)
      throw notFound(`Secrets Manager can't find the specified secret version: ${id}`);
  }
  if (from !== undefined && from !== holder)
    throw invalid(`The staging label ${stage} isn't currently attached to version ${from}.`);
  if (from === undefined && holder !== undefined && holder !== to)
    throw invalid(
      `The parameter RemoveFromVersionId can't be empty. Staging label ${stage} is currently attached to version ${holder}, so you must explicitly reference that version in RemoveFromVersionId.`,
    );
  if (to === undefined && stage === CURRENT)
    throw invalid(
      'You can only move staging label AWSCURRENT to a different secret version. It cannot be removed altogether.',
    );
  if (to === undefined && from === undefined)
    throw invalid('You must specify MoveToVersionId, RemoveFromVersionId or both.');
  context.store.put(moveStage(secret, stage, to));
  return identity(secret);
};

const deleteSecret: SecretsOperation = ({ store, now, arnOf }, input) => {
  const id = requiredText(input, 'SecretId');
  const force = input['ForceDeleteWithoutRecovery'] === true;
  const days = optionalNumber(input, 'RecoveryWindowInDays', 7, 30);
  if (force && days !== undefined)
    throw invalid("You can't use ForceDeleteWithoutRecovery in conjunction with RecoveryWindowInDays.");
  const secret = store.find(id);
  if (force) {
    if (secret !== undefined) store.remove(secret.name);
    // Forcing the deletion of what does not exist succeeds.
    return {
      ...(secret === undefined ? { ARN: arnOf(id), Name: id } : identity(secret)),
      DeletionDate: now(),
    };
  }
  if (secret === undefined) throw notFound();
  if (secret.deletedAt !== undefined) throw new AwsError('InvalidRequestException', MARKED);
  const deletedAt = now() + (days ?? 30) * DAY_SECONDS;
  store.put({ ...secret, deletedAt });
  return { ...identity(secret), DeletionDate: deletedAt };
};

/** By the name in `X-Amz-Target`. */
export const OPERATIONS: Readonly<Record<string, SecretsOperation>> = {
  CreateSecret: createSecret,
  DeleteSecret: deleteSecret,
  GetSecretValue: getSecretValue,
  PutSecretValue: putSecretValue,
  UpdateSecretVersionStage: updateSecretVersionStage,
};

function findActive({ store }: SecretsContext, input: Input): Secret {
  const secret = store.find(requiredText(input, 'SecretId'));
  if (secret === undefined) throw notFound();
  if (secret.deletedAt !== undefined) throw new AwsError('InvalidRequestException', MARKED);
  return secret;
}

function notFound(message = "Secrets Manager can't find the specified secret."): AwsError {
  return new AwsError('ResourceNotFoundException', message);
}

function hasValue(secret: Secret, id: string, value: ReturnType<typeof secretValue>): boolean {
  const version = secret.versions[id];
  return version?.secretString === value.secretString && version?.secretBinary === value.secretBinary;
}

function identity({ arn, name }: Secret) {
  return { ARN: arn, Name: name };
}

type Input = Readonly<Record<string, unknown>>;

// API reference, CreateSecret: 65,536 bytes at most.
const MAX_VALUE_BYTES = 65_536;
const NAME = /^[A-Za-z0-9/_+=.@-]{1,512}$/;
const TOKEN = /^.{32,64}$/;

function requiredText(input: Input, member: string): string {
  const value = optionalText(input, member);
  if (value === undefined || value === '') throw invalid(`You must provide a value for ${member}.`);
  return value;
}

function optionalText(input: Input, member: string): string | undefined {
  const value = input[member] ?? undefined;
  if (value !== undefined && typeof value !== 'string') throw invalid(`${member} is not a text.`);
  return value;
}

function optionalTexts(input: Input, member: string): readonly string[] | undefined {
  const value = input[member] ?? undefined;
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value;
  throw invalid(`${member} is not a list of texts.`);
}

/** A whole number within bounds. */
function optionalNumber(input: Input, member: string, min: number, max: number): number | undefined {
  const value = input[member] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw invalid(`${member} must be a whole number from ${min} to ${max}.`);
}

function secretName(input: Input): string {
  const name = requiredText(input, 'Name');
  if (NAME.test(name)) return name;
  throw invalid(
    'Invalid name. Must be a valid name containing alphanumeric characters, or any of the following: -/_+=.@!',
  );
}

/** The id of a new version; the SDK makes one unless the caller does. */
function versionId(input: Input, generate: () => string): string {
  const token = optionalText(input, 'ClientRequestToken') ?? generate();
  if (TOKEN.test(token)) return token;
  throw invalid('ClientRequestToken must have 32 to 64 characters.');
}

/** The value in a request: a text, bytes in base64, or none. */
function secretValue(input: Input): { secretString?: string; secretBinary?: string } {
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

function invalid(message: string): AwsError {
  return new AwsError('InvalidParameterException', message);
}

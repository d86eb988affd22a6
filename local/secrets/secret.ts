// One secret with its versions and staging labels, and the moves that Secrets Manager makes with them.

/** A version of a secret's value. */
interface SecretVersion {
  /** Seconds since 1970. */
  readonly createdAt: number;
  readonly secretString?: string;
  /** In base64. */
  readonly secretBinary?: string;
  readonly stages: readonly string[];
}

/** A secret as it is stored. Times are seconds since 1970. */
export interface Secret {
  readonly name: string;
  readonly arn: string;
  readonly description?: string;
  readonly tags: readonly Tag[];
  readonly createdAt: number;
  readonly changedAt: number;
  /** When it was asked to be deleted, and when it will be. */
  readonly deletion?: { readonly requestedAt: number; readonly dueAt: number };
  readonly versions: Readonly<Record<string, SecretVersion>>;
  /** Digest of the template's properties that last set the value. */
  readonly templateDigest?: string;
}

/** A label. */
export interface Tag {
  readonly Key: string;
  readonly Value: string;
}

/** An error of Secrets Manager; `name` is the exception that the SDK throws. */
export class SecretsError extends Error {
  constructor(
    name:
      | 'DecryptionFailure'
      | 'InvalidNextTokenException'
      | 'InvalidParameterException'
      | 'InvalidRequestException'
      | 'ResourceExistsException'
      | 'ResourceNotFoundException'
      | 'UnknownOperationException',
    message: string,
  ) {
    super(message);
    this.name = name;
  }
}

export const CURRENT = 'AWSCURRENT';
const PREVIOUS = 'AWSPREVIOUS';

// Secrets Manager User Guide, quotas: versions without a label are removed beyond about 100.
const MOST_VERSIONS = 100;

/** The version that has a label. */
export function versionWithStage(secret: Secret, stage: string): string | undefined {
  return Object.keys(secret.versions).find((id) => secret.versions[id]?.stages.includes(stage));
}

/** Adds a version and gives it labels; each is taken from the version that had it. */
export function addVersion(secret: Secret, id: string, version: SecretVersion): Secret {
  const added = { ...secret, versions: { ...secret.versions, [id]: { ...version, stages: [] } } };
  return prune(version.stages.reduce((all, stage) => moveStage(all, stage, id), added));
}

/**
 * Moves a label; with AWSCURRENT goes AWSPREVIOUS, to the version that was current.
 * @param to undefined takes the label away
 */
export function moveStage(secret: Secret, stage: string, to: string | undefined): Secret {
  const from = versionWithStage(secret, stage);
  if (from === to) return secret;
  const moved = relabel(secret, stage, to);
  return stage === CURRENT && from !== undefined ? relabel(moved, PREVIOUS, from) : moved;
}

function relabel(secret: Secret, stage: string, to: string | undefined): Secret {
  const versions = Object.entries(secret.versions).map(([id, version]) => {
    const others = version.stages.filter((other) => other !== stage);
    return [id, { ...version, stages: id === to ? [...others, stage] : others }] as const;
  });
  return { ...secret, versions: Object.fromEntries(versions) };
}

function prune(secret: Secret): Secret {
  const entries = Object.entries(secret.versions);
  const surplus = entries.length - MOST_VERSIONS;
  if (surplus <= 0) return secret;
  const removable = entries
    .filter(([, { stages }]) => stages.length === 0)
    .toSorted(([, a], [, b]) => a.createdAt - b.createdAt)
    .slice(0, surplus)
    .map(([id]) => id);
  return {
    ...secret,
    versions: Object.fromEntries(entries.filter(([id]) => !removable.includes(id))),
  };
}

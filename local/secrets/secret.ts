// One secret with its versions and staging labels, and how Secrets Manager moves the labels.

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
  /** When it will be deleted. */
  readonly deletedAt?: number;
  readonly versions: Readonly<Record<string, SecretVersion>>;
}

export const CURRENT = 'AWSCURRENT';
const PREVIOUS = 'AWSPREVIOUS';

// Secrets Manager User Guide, quotas: versions without a label are removed beyond about 100.
const MAX_VERSIONS = 100;

export function versionWithStage(secret: Secret, stage: string): string | undefined {
  return Object.keys(secret.versions).find((id) => secret.versions[id]?.stages.includes(stage));
}

/** Adds a version with its labels, which are removed from the versions that had them. */
export function addVersion(secret: Secret, id: string, version: SecretVersion): Secret {
  const added = { ...secret, versions: { ...secret.versions, [id]: { ...version, stages: [] } } };
  return prune(version.stages.reduce((all, stage) => moveStage(all, stage, id), added));
}

/**
 * Moves a label. If it is AWSCURRENT, the version that had it gets AWSPREVIOUS.
 * @param to undefined removes the label
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
  const surplus = entries.length - MAX_VERSIONS;
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

// Keeps secrets as files: one each, readable by this user only, on disk before a call returns.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { flushFolder, writeFileAtomically } from '../data-folder/write-file.ts';
import { localFailure } from '../failure.ts';
import type { Secret } from './secret.ts';

export interface SecretStore {
  /** By name, by ARN, or by an ARN without its last hyphen and six characters. */
  find(id: string): Secret | undefined;
  put(secret: Secret): void;
  remove(name: string): void;
}

/**
 * Opens the folder, created if needed.
 * @param now seconds since 1970
 * @throws LocalFailure `DATA_FOLDER_UNREADABLE`
 */
export function openSecretStore(folder: string, now: () => number): SecretStore {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const secrets = new Map(readAll(folder).map((secret) => [secret.name, secret] as const));
  const pathOf = (name: string) => join(folder, `${createHash('sha256').update(name).digest('hex')}.json`);
  const remove = (name: string): void => {
    if (!secrets.delete(name)) return;
    rmSync(pathOf(name), { force: true });
    flushFolder(folder);
  };
  return {
    find: (id) => {
      for (const { name, deletedAt } of secrets.values()) {
        if (deletedAt !== undefined && deletedAt <= now()) remove(name);
      }
      return secrets
        .values()
        .find(({ name, arn }) => id === name || id === arn || id === arn.slice(0, -'-123456'.length));
    },
    put: (secret) => {
      writeFileAtomically(pathOf(secret.name), JSON.stringify(secret));
      secrets.set(secret.name, secret);
    },
    remove,
  };
}

function readAll(folder: string): readonly Secret[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      try {
        return JSON.parse(readFileSync(join(folder, file), 'utf8')) as Secret;
      } catch (error) {
        const text = `The secret in ${join(folder, file)} cannot be read. Delete the file and set the secret again.`;
        throw localFailure('DATA_FOLDER_UNREADABLE', text, error);
      }
    });
}

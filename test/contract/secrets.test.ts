// One suite for every keeper of secrets: what an operator sets is what a function reads, and nothing is lost between operators.
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { startSecrets } from 'run-template-locally';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSecretAdmin } from '../../adapters/secrets/admin.ts';
import { createSecretsClient } from '../../adapters/secrets/read-secret.ts';
import { createSecretReader } from '../../adapters/secrets/reader.ts';
import type { SecretAdmin } from '../../core/ports/administration.ts';
import { LOG_KEY_NAME, logKeyId } from '../../core/ports/log-key.ts';
import type { SecretReader } from '../../core/ports/stores.ts';
import { USER_KEY_NAME } from '../../core/ports/user-key.ts';
import { startSecretsManager } from '../adapters/secrets/fake-secrets-manager.ts';
import { createMemoryClock } from '../support/memory/clock.ts';
import {
  createMemorySecretAdmin,
  createMemorySecretReader,
  type SecretPath,
} from '../support/memory/secrets.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Keeper {
  /** An operator; each has a client of its own. */
  readonly admin: () => SecretAdmin;
  /** A function that has read nothing yet. */
  readonly reader: () => SecretReader;
}

const keepers: Readonly<Record<string, () => Promise<Keeper>>> = {
  memory: async () => {
    const values = new Map<SecretPath, string>();
    return { admin: () => createMemorySecretAdmin(values), reader: () => createMemorySecretReader(values) };
  },
  'Secrets Manager': async () => toKeeper((await startSecretsManager()).connect),
  'the Secrets Manager of the local run': async () => {
    const server = await startSecrets(temporaryFolder());
    onTestFinished(() => server.stop());
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    return toKeeper(() =>
      createSecretsClient({ region: 'us-east-1', endpoint: server.endpoint, credentials }),
    );
  },
};

function toKeeper(connect: () => SecretsManagerClient): Keeper {
  const clock = createMemoryClock();
  const prefix = 'neuron/test';
  return {
    admin: () => createSecretAdmin(connect(), prefix),
    reader: () => createSecretReader({ prefix, ttlMs: 1, clock, client: connect() }),
  };
}

describe.each(Object.entries(keepers))('secrets in %s', (_name, start) => {
  it('are read as they were set', async () => {
    const { admin, reader } = await start();
    const value = ' sk-"ü\n{{input}} ';
    await admin().set('org-1', 'providers', 'openai-key', value);
    expect(await reader().read('org-1', 'providers', 'openai-key')).toBe(value);
  });

  it('are replaced when set again', async () => {
    const { admin, reader } = await start();
    await admin().set('org-1', 'jwt', 'support', 'one');
    await admin().set('org-1', 'jwt', 'support', 'two');
    expect(await reader().read('org-1', 'jwt', 'support')).toBe('two');
    expect(await admin().list('org-1', 'jwt')).toEqual(['support']);
  });

  it('are of one organization and one purpose', async () => {
    const { admin, reader } = await start();
    await admin().set('org-1', 'providers', 'key', 'x');
    expect(await reader().read('org-2', 'providers', 'key')).toBeUndefined();
    expect(await reader().read('org-1', 'jwt', 'key')).toBeUndefined();
    expect(await admin().list('org-2', 'providers')).toEqual([]);
  });

  it('are not what every object has by birth', async () => {
    const { admin, reader } = await start();
    await admin().set('org-1', 'providers', 'constructor', 'x');
    expect(await reader().read('org-1', 'providers', 'toString')).toBeUndefined();
    expect(await reader().read('org-1', 'providers', '__proto__')).toBeUndefined();
    expect(await reader().read('org-1', 'providers', 'constructor')).toBe('x');
  });

  it('are listed by name, sorted', async () => {
    const { admin } = await start();
    for (const name of ['b', 'a', 'c']) await admin().set('org-1', 'providers', name, 'x');
    expect(await admin().list('org-1', 'providers')).toEqual(['a', 'b', 'c']);
  });

  it('are gone when removed, and the others stay', async () => {
    const { admin, reader } = await start();
    await admin().set('org-1', 'providers', 'a', 'x');
    await admin().set('org-1', 'providers', 'b', 'y');
    expect(await admin().remove('org-1', 'providers', 'a')).toBe(true);
    expect(await admin().remove('org-1', 'providers', 'a')).toBe(false);
    expect(await admin().remove('org-2', 'providers', 'b')).toBe(false);
    expect(await reader().read('org-1', 'providers', 'a')).toBeUndefined();
    expect(await reader().read('org-1', 'providers', 'b')).toBe('y');
  });

  it('of several operators at once are all kept', async () => {
    const { admin, reader } = await start();
    const names = ['a', 'b', 'c', 'd'];
    await Promise.all(names.map((name) => admin().set('org-1', 'providers', name, `value ${name}`)));
    expect(await admin().list('org-1', 'providers')).toEqual(names);
    expect(await reader().read('org-1', 'providers', 'c')).toBe('value c');
  });

  it('for the log are minted once, whoever mints, and are 32 bytes in base64', async () => {
    const { admin, reader } = await start();
    await Promise.all([admin().mintKeys('org-1'), admin().mintKeys('org-1'), admin().mintKeys('org-1')]);
    const key = await reader().read('org-1', 'providers', LOG_KEY_NAME);
    await admin().mintKeys('org-1');
    expect(await reader().read('org-1', 'providers', LOG_KEY_NAME)).toBe(key);
    expect(Buffer.from(key ?? '', 'base64')).toHaveLength(32);
    expect(await reader().read('org-2', 'providers', LOG_KEY_NAME)).toBeUndefined();
  });

  it('for usernames are minted beside that of the log, once, and stay when that one is rotated', async () => {
    const { admin, reader } = await start();
    const read = (name: string) => reader().read('org-1', 'providers', name);
    // An organization of a release that had no key of usernames.
    await admin().rotateLogKey('org-1');
    const log = await read(LOG_KEY_NAME);
    await Promise.all([admin().mintKeys('org-1'), admin().mintKeys('org-1')]);
    const user = await read(USER_KEY_NAME);
    expect(Buffer.from(user ?? '', 'base64')).toHaveLength(32);
    expect(user).not.toBe(log);
    expect(await read(LOG_KEY_NAME)).toBe(log);
    await admin().rotateLogKey('org-1');
    await admin().mintKeys('org-1');
    expect(await read(USER_KEY_NAME)).toBe(user);
    expect(await admin().list('org-1', 'providers')).toEqual([]);
    expect(await admin().remove('org-1', 'providers', USER_KEY_NAME)).toBe(false);
  });

  it('for the log are rotated: the new one is used, and every earlier one kept by its id', async () => {
    const { admin, reader } = await start();
    const read = (name: string) => reader().read('org-1', 'providers', name);
    expect((await admin().rotateLogKey('org-1')).previous).toBeUndefined();
    const first = (await read(LOG_KEY_NAME)) ?? '';
    const rotated = await admin().rotateLogKey('org-1');
    const second = (await read(LOG_KEY_NAME)) ?? '';
    expect(rotated).toEqual({ current: logKeyId(second), previous: logKeyId(first) });
    expect(new Set([first, second]).size).toBe(2);
    expect(Buffer.from(second, 'base64')).toHaveLength(32);
    await admin().mintKeys('org-1');
    expect(await read(LOG_KEY_NAME)).toBe(second);
    await admin().rotateLogKey('org-1');
    expect(await read(`${LOG_KEY_NAME}-${logKeyId(first)}`)).toBe(first);
    expect(await read(`${LOG_KEY_NAME}-${logKeyId(second)}`)).toBe(second);
  });

  it('for the log are neither listed nor removed by name, and stay beside those of providers', async () => {
    const { admin, reader } = await start();
    await admin().mintKeys('org-1');
    await admin().set('org-1', 'providers', 'key', 'x');
    const key = await reader().read('org-1', 'providers', LOG_KEY_NAME);
    expect(key).toBeDefined();
    expect(await admin().list('org-1', 'providers')).toEqual(['key']);
    expect(await admin().remove('org-1', 'providers', LOG_KEY_NAME)).toBe(false);
    await expect(admin().set('org-1', 'providers', LOG_KEY_NAME, 'known')).rejects.toThrow('is not a name');
    await admin().remove('org-1', 'providers', 'key');
    expect(await reader().read('org-1', 'providers', LOG_KEY_NAME)).toBe(key);
  });

  it('of an organization are all removed at once, and no others', async () => {
    const { admin, reader } = await start();
    await admin().mintKeys('org-1');
    await admin().set('org-1', 'providers', 'a', 'x');
    await admin().set('org-10', 'providers', 'a', 'y');
    await admin().removeAll('org-1');
    await admin().removeAll('org-1');
    expect(await reader().read('org-1', 'providers', LOG_KEY_NAME)).toBeUndefined();
    expect(await admin().list('org-1', 'providers')).toEqual([]);
    expect(await reader().read('org-10', 'providers', 'a')).toBe('y');
  });

  it('refuses an empty value', async () => {
    const { admin } = await start();
    await expect(admin().set('org-1', 'providers', 'a', '')).rejects.toThrow();
    expect(await admin().list('org-1', 'providers')).toEqual([]);
  });
});

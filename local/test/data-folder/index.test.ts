// Tests of the data folder's lock.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { identifyProcess, openDataFolder } from '../../data-folder/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function sleeper(): Promise<{ pid: number; kill(): Promise<void> }> {
  const child = spawn('/bin/sh', ['-c', 'exec sleep 60'], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  return { pid: child.pid ?? 0, kill };
}

const lockOf = (folder: string) => join(folder, 'lock.json');
const leaveLock = (folder: string, lock: object) => writeFileSync(lockOf(folder), JSON.stringify(lock));
const GONE = { pid: 1, started: 'another boot' };

describe('openDataFolder', () => {
  it('creates a folder that only this user can read', async () => {
    const path = join(temporaryFolder(), 'deep', 'data');
    const folder = await openDataFolder(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    folder.close();
  });

  it('refuses at once a folder that cannot be created', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    // Nothing can be made below /proc, where Node's own recursion would not end.
    for (const path of [file, join(file, 'below'), '/proc/nothing/data']) {
      await expect(openDataFolder(path)).rejects.toThrow(
        expect.objectContaining({
          code: 'DATA_FOLDER_NOT_MADE',
          message: expect.stringContaining(`The data folder ${path} cannot be created: `),
        }),
      );
    }
  });

  it('refuses a folder in use by another run, and names its process', async () => {
    const path = temporaryFolder();
    const other = await sleeper();
    leaveLock(path, { runner: identifyProcess(other.pid) });
    await expect(openDataFolder(path)).rejects.toThrow(
      expect.objectContaining({
        code: 'DATA_FOLDER_IN_USE',
        message: expect.stringContaining(`Process ${other.pid} uses the data folder`),
      }),
    );
  });

  it('gives the folder to one of two runs that start at once', async () => {
    const path = temporaryFolder();
    const results = await Promise.allSettled([openDataFolder(path), openDataFolder(path)]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('takes over the folder of a killed run, also when another program has its process id', async () => {
    const path = temporaryFolder();
    const other = await sleeper();
    leaveLock(path, { runner: { pid: other.pid, started: '1' } });
    const folder = await openDataFolder(path);
    expect(JSON.parse(readFileSync(lockOf(path), 'utf8'))).toMatchObject({ runner: { pid: process.pid } });
    folder.close();
  });

  it('waits for the database of the killed run to end', async () => {
    const path = temporaryFolder();
    const database = await sleeper();
    leaveLock(path, { runner: GONE, engine: identifyProcess(database.pid) });
    let open = false;
    const opening = openDataFolder(path).then((folder) => {
      open = true;
      return folder;
    });
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(open).toBe(false);
    await database.kill();
    (await opening).close();
  });

  it('takes over a lock that cannot be read', async () => {
    const path = temporaryFolder();
    writeFileSync(lockOf(path), '{"runn');
    (await openDataFolder(path)).close();
  });

  it('releases the folder at the end, and deletes a temporary one', async () => {
    const path = temporaryFolder();
    (await openDataFolder(path)).close();
    (await openDataFolder(path)).close();
    const ephemeral = await openDataFolder(undefined);
    expect(existsSync(ephemeral.path)).toBe(true);
    ephemeral.close();
    expect(existsSync(ephemeral.path)).toBe(false);
  });
});

// `neuron logs verify --from FOLDER`: an archive shows by itself, without any table, what somebody did to it.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createArchive } from '../../../core/admin/verify-archive/archive-world.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { createMemoryPorts, runWith } from '../../memory-ports.ts';

async function archived(): Promise<{ folder: string; head: string }> {
  const folder = temporaryFolder();
  const { objects, seals } = await createArchive();
  for (const [name, text] of objects) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const { sequence, hash } = seals.get('org-a')?.[40] ?? { sequence: 0, hash: '' };
  return { folder, head: `${sequence}:${hash}` };
}

const verify = (folder: string, ...words: string[]) =>
  runWith(createMemoryPorts(), ['logs', 'verify', '--from', folder, '--to', '2026-11-22', ...words]);

const OBJECT = 'chains/org-a/2026-11-21-0001.jsonl';

describe('neuron logs verify --from', () => {
  it('says that an archive is intact, and from when to when it is', async () => {
    const { folder, head } = await archived();
    const { exitCode, stdout } = await verify(folder);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('is intact: 288 whole; 3 days, 6 objects, 144 seals.');
    expect(stdout).toContain('It has 2026-11-20 to 2026-11-22');
    expect((await verify(folder, '--head', head)).stdout).not.toContain('--head');
    expect(await verify(folder, '--first-day', '2026-11-20')).toMatchObject({ exitCode: 0 });
  });

  it.each<[string, (folder: string) => void, string]>([
    [
      'a flipped byte',
      (folder) => {
        const path = join(folder, OBJECT);
        writeFileSync(
          path,
          readFileSync(path, 'utf8').replace('"costMicrodollars":12', '"costMicrodollars":13'),
        );
      },
      'org-a: 2026-11-21T00:01:00.000Z org-a-1795219260000 was changed: costMicrodollars',
    ],
    [
      'a missing day',
      (folder) => rmSync(join(folder, 'days/2026-11-21.json')),
      '2026-11-21 is missing: it has no manifest',
    ],
    [
      'a foreign file',
      (folder) => writeFileSync(join(folder, 'notes.txt'), 'x'),
      'notes.txt is foreign: no day names it',
    ],
    [
      'a manifest that names a file elsewhere',
      (folder) => {
        const path = join(folder, 'days/2026-11-21.json');
        writeFileSync(path, readFileSync(path, 'utf8').replaceAll(OBJECT, '../../../../etc/hostname'));
      },
      '../../../../etc/hostname is missing',
    ],
  ])('finds %s, and says which', async (_what, change, said) => {
    const { folder } = await archived();
    change(folder);
    const { exitCode, stdout } = await verify(folder);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('is NOT intact');
    expect(stdout).toContain(said);
  });

  it('prints problems and the summary as lines of JSON', async () => {
    const { folder } = await archived();
    rmSync(join(folder, OBJECT));
    const { stdout } = await verify(folder, '--json');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string });
    expect(lines[0]).toEqual({ kind: 'object missing', name: OBJECT });
    expect(lines.at(-1)).toMatchObject({
      kind: 'summary',
      place: folder,
      intact: false,
      lastDay: '2026-11-22',
    });
  });

  it.each([
    [['logs', 'verify', 'acme', '--from', './folder'], 'An archive has its own organizations.'],
    [['logs', 'acme', '--from', 's3://bucket/folder'], 's3://bucket/folder is no time.'],
    [['logs', 'verify', 'acme', '--first-day', '2026-11-21'], '--first-day is of archives.'],
    [['logs', 'verify', '--from', './folder', '--user', 'ann'], '--user does not apply'],
  ])('refuses %j', async (words, message) => {
    const { exitCode, stderr } = await runWith(createMemoryPorts(), words);
    expect([exitCode, stderr.includes(message)]).toEqual([2, true]);
  });

  it.each([
    ['/no/such/folder', '/no/such/folder cannot be read.'],
    ['s3://B/x', 's3://B/x is no place in S3.'],
  ])('fails for %s', async (place, message) => {
    const { exitCode, stderr } = await verify(place);
    expect([exitCode, stderr.includes(message)]).toEqual([1, true]);
  });
});

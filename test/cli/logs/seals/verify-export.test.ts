// `neuron logs verify MANIFEST`: an export shows by itself, without any table, what somebody did to it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeSeal, renderHead } from '../../../../core/logs/seals/seal.ts';
import { toEntryToSeal } from '../../../../core/logs/seals/sealed-entry.ts';
import type { Seal } from '../../../../core/ports/seals.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { createMemoryPorts, logEntry, NOW_MS, organizationRecord, runWith } from '../../memory-ports.ts';

/** An export of four calls, which two seals cover, and the head of the chain. */
async function exported(format = 'jsonl'): Promise<{ path: string; head: string }> {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  const lines: string[] = [];
  for (const [index, executionId] of ['a', 'b', 'c', 'd'].entries())
    await ports.logStore.put(
      logEntry({
        executionId,
        timeMs: NOW_MS - 120_000 + index * 1_000,
        username: 'ann',
        expiresAt: NOW_MS / 1000 + 86_400,
      }),
    );
  const query = { organizationId: 'id-acme', organization: 'acme', fromMs: 0, toMs: NOW_MS, nowMs: NOW_MS };
  for await (const { record } of ports.storedEntries.list(query))
    lines.push(toEntryToSeal(record, NOW_MS / 1000 - 100).line);
  const seals: Seal[] = [];
  for (const some of [lines.slice(0, 2), lines.slice(2)])
    seals.push(makeSeal('id-acme', seals.at(-1), some, NOW_MS - 90_000));
  for (const seal of seals) await ports.usage.add([], [], [seal]);
  const path = join(temporaryFolder(), 'log');
  const words = ['logs', 'export', 'acme', '--since', '1d', '--format', format, '--out', path];
  expect(await runWith(ports, words)).toMatchObject({ exitCode: 0 });
  return { path, head: renderHead(seals[1]!) };
}

/** Without a stack: whoever verifies has the files alone. */
const verify = (path: string, ...words: string[]) => {
  const none = () => Promise.reject(new Error('no table may be asked'));
  const ports = createMemoryPorts();
  const store = { ...ports.store, readOrganization: none };
  return runWith({ ...ports, store }, ['logs', 'verify', `${path}.manifest.json`, ...words]);
};

function edit(path: string, change: (text: string) => string): void {
  const text = readFileSync(path, 'utf8');
  const changed = change(text);
  expect(changed).not.toBe(text);
  writeFileSync(path, changed);
}

// No export is of the future, whatever the clock of this machine says.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW_MS }));
afterEach(() => void vi.useRealTimers());

describe('neuron logs verify of a manifest', () => {
  it.each(['jsonl', 'csv', 'parquet'])(
    'says that an export as %s is intact, and that it has a kept head',
    async (format) => {
      const { path, head } = await exported(format);
      const { stdout, exitCode } = await verify(path, '--head', head);
      expect(stdout).toContain(`The log of acme in this export is intact: 4 whole; 2 seals, head ${head}.`);
      expect(exitCode).toBe(0);
    },
  );

  it.each([
    [
      'one character',
      (text: string) => text.replace('"username":"ann"', '"username":"anm"'),
      ' a was changed',
    ],
    [
      'a line that was deleted',
      (text: string) => text.replace(/^.*"executionId":"b".*\n/m, ''),
      ' b is missing',
    ],
    [
      'an old time that was put in',
      (text: string) =>
        text +
        text.split('\n')[0]!.replaceAll('#a"', '#z"').replace('"executionId":"a"', '"executionId":"z"'),
      ' z is not sealed yet',
    ],
  ])('finds %s, and that the file is another', async (_name, change, found) => {
    const { path } = await exported();
    edit(path, change);
    const { stdout, exitCode } = await verify(path);
    expect(stdout).toContain('log is not the file that the manifest describes: its SHA-256 differs\n');
    expect(stdout).toContain(found);
    expect(exitCode).toBe(1);
  });

  it('finds one character in CSV, even where the manifest was made anew', async () => {
    const { path } = await exported('csv');
    edit(path, (text) => text.replace(',ann,', ',anm,'));
    const { stdout, exitCode } = await verify(path, '--json');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toEqual({ kind: 'file', file: 'log', problem: 'its SHA-256 differs' });
    expect(lines).toContainEqual(expect.objectContaining({ kind: 'changed', id: 'a' }));
    expect(exitCode).toBe(1);
  });

  it('finds seals that were cut off, edited, or all made anew', async () => {
    const { path, head } = await exported();
    edit(`${path}.seals.jsonl`, (text) => `${text.split('\n')[0]}\n`);
    const cut = await verify(path);
    expect(cut).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('c is not sealed yet') });
    expect(cut.stdout).toContain(`the chain does not contain the head beside the chain ${head}`);
    edit(`${path}.seals.jsonl`, (text) => text.replace('"previousAtMs":0', '"previousAtMs":1'));
    expect((await verify(path)).stdout).toContain('seal 1 was edited');
    const { stdout, exitCode } = await verify((await exported()).path, '--head', `2:${'0'.repeat(64)}`);
    expect(exitCode).toBe(1);
    expect(stdout).toContain(`the chain does not contain the kept head 2:${'0'.repeat(64)}`);
  });

  it('refuses a period, which the export has already', async () => {
    const { path } = await exported();
    expect(await verify(path, '--since', '1d')).toMatchObject({ exitCode: 2 });
  });
});

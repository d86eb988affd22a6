// `neuron logs restore`: entries that were lost with their function, brought back from its output.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMemoryLineReader } from '../../../adapters/memory/line-reader.ts';
import { renderLine } from '../../../core/logs/line.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryPorts, logEntry, NOW_MS, runWith } from '../memory-ports.ts';

async function withEntries(...entries: ReturnType<typeof logEntry>[]) {
  const ports = createMemoryPorts();
  for (const entry of entries) await ports.logStore.put(entry);
  return ports;
}

describe('neuron logs restore', () => {
  function writeLog(...lines: string[]): string {
    const file = join(temporaryFolder(), 'execute.log');
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
    return file;
  }

  it('puts what a line stands for and is not stored, once, and passes over everything else', async () => {
    const ports = await withEntries(logEntry({ executionId: 'there=' }));
    const file = writeLog(
      'START RequestId: 1',
      renderLine(logEntry({ executionId: 'there=' }), { stage: 'test' }),
      `2026-11-21T11:59:00Z ${renderLine(logEntry({ executionId: 'lost=' }), { stage: 'test' })}`,
      renderLine(logEntry({ executionId: 'expired=', expiresAt: NOW_MS / 1000 - 1 }), { stage: 'test' }),
      '{"neuronEntry":1,"broken',
    );
    const first = await runWith(ports, ['logs', 'restore', file, '--json']);
    expect(first).toMatchObject({ exitCode: 0, stdout: '{"sources":1,"lines":2,"restored":1}\n' });
    expect(await ports.logReader.find('there=')).toMatchObject({ restored: false });
    expect(await ports.logReader.find('lost=')).toMatchObject({ restored: true });
    const second = await runWith(ports, ['logs', 'restore', file]);
    expect(second.stdout).toBe('Restored 0 of 2 entries; the others were there.\n');
  });

  it('takes every log file of the local run where none is named', async () => {
    const ports = await withEntries();
    const logFolder = temporaryFolder();
    writeFileSync(
      join(logFolder, 'a.log'),
      `${renderLine(logEntry({ executionId: 'a=' }), { stage: 'test' })}\n`,
    );
    writeFileSync(
      join(logFolder, 'b.log'),
      `${renderLine(logEntry({ executionId: 'b=' }), { stage: 'test' })}\n`,
    );
    writeFileSync(
      join(logFolder, 'note.txt'),
      `${renderLine(logEntry({ executionId: 'c=' }), { stage: 'test' })}\n`,
    );
    const local = { folder: '/', dynamodb: '', secretsmanager: '', logFolder };
    const { exitCode } = await runWith({ ...ports, stack: { ...ports.stack, local } }, ['logs', 'restore']);
    expect(exitCode).toBe(0);
    for (const [id, isThere] of [
      ['a=', true],
      ['b=', true],
      ['c=', false],
    ] as const) {
      expect([id, (await ports.logReader.find(id)) !== undefined]).toEqual([id, isThere]);
    }
  });

  it('takes the log groups of both functions where none is named, a day back or as far as is said', async () => {
    const ports = await withEntries();
    const hoursAgo = (hours: number) => NOW_MS - hours * 3_600_000;
    const line = (executionId: string) => renderLine(logEntry({ executionId }), { stage: 'test' });
    const lines = createMemoryLineReader({
      '/aws/lambda/authorizer': [[hoursAgo(1), line('refused=')]],
      '/aws/lambda/execute': [
        [hoursAgo(25), line('old=')],
        [hoursAgo(2), line('lost=')],
      ],
    });
    const first = await runWith({ ...ports, lines }, ['logs', 'restore', '--json']);
    expect(first).toMatchObject({ exitCode: 0, stdout: '{"sources":2,"lines":2,"restored":2}\n' });
    const second = await runWith({ ...ports, lines }, ['logs', 'restore', '--since', '2d']);
    expect(second.stdout).toBe('Restored 1 of 3 entries; the others were there.\n');
    expect(await ports.logReader.find('old=')).toMatchObject({ restored: true });
  });

  it('says which log group cannot be read, and what right it takes', async () => {
    const denied = { next: () => Promise.reject(new Error('not authorized')) };
    const lines = { read: () => ({ [Symbol.asyncIterator]: () => denied }) };
    const { exitCode, stderr } = await runWith({ ...(await withEntries()), lines }, ['logs', 'restore']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('/aws/lambda/authorizer cannot be read');
    expect(stderr).toContain('logs:FilterLogEvents');
  });

  it('refuses a time for files, which are read whole', async () => {
    expect((await runWith(await withEntries(), ['logs', 'restore', 'a.log', '--since', '1h'])).exitCode).toBe(
      2,
    );
  });

  it('fails for a file that cannot be read', async () => {
    const { exitCode, stderr } = await runWith(await withEntries(), ['logs', 'restore', '/no/such/file']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('error: /no/such/file cannot be read.');
  });
});

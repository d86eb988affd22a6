// `neuron logs restore`: entries that were lost with their function, brought back from its output.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderLine } from '../../../core/logs/line.ts';
import { createMemoryPorts, logEntry, NOW_MS, runWith } from '../memory-ports.ts';

async function withEntries(...entries: ReturnType<typeof logEntry>[]) {
  const ports = createMemoryPorts();
  for (const entry of entries) await ports.logStore.put(entry);
  return ports;
}

describe('neuron logs restore', () => {
  function writeLog(...lines: string[]): string {
    const file = join(mkdtempSync(join(tmpdir(), 'neuron-logs-')), 'execute.log');
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
    expect(first).toMatchObject({ exitCode: 0, stdout: '{"files":1,"lines":2,"restored":1}\n' });
    expect(await ports.logReader.find('there=')).toMatchObject({ restored: false });
    expect(await ports.logReader.find('lost=')).toMatchObject({ restored: true });
    const second = await runWith(ports, ['logs', 'restore', file]);
    expect(second.stdout).toBe('Restored 0 of 2 entries; the others were there.\n');
  });

  it('takes every log file of the local run where none is named', async () => {
    const ports = await withEntries();
    const logFolder = mkdtempSync(join(tmpdir(), 'neuron-logs-'));
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

  it('refuses to guess on AWS, and says how to get the lines', async () => {
    const { exitCode, stderr } = await runWith(await withEntries(), ['logs', 'restore']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("aws logs tail '/aws/lambda/execute'");
  });

  it('fails for a file that cannot be read', async () => {
    const { exitCode, stderr } = await runWith(await withEntries(), ['logs', 'restore', '/no/such/file']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('error: /no/such/file cannot be read.');
  });
});

// `neuron logs restore`: entries that were lost with their function, brought back from its output.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderLine } from '../../../../core/logs/line.ts';
import type { LogStore } from '../../../../core/ports/stores.ts';
import { createMemoryLineReader } from '../../../support/memory/line-reader.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { logEntry, type MemoryPorts, NOW_MS, runWith } from '../../memory-ports.ts';
import { lineOf, withEntries, writeLog } from './restore-log.ts';

const RESTORED_ONE_OF_TWO =
  '{"sources":1,"complete":true,"entries":2,"restored":1,"there":1,"erased":0,"failed":0,"failures":[]}\n';

/** The same store, but that `put` fails where it is told to. */
function failing(ports: MemoryPorts, errorFor: (executionId: string) => Error | undefined): MemoryPorts {
  const logStore: LogStore = {
    put: async (entry) => {
      const error = errorFor(entry.executionId);
      if (error !== undefined) throw error;
      return ports.logStore.put(entry);
    },
  };
  return { ...ports, logStore };
}

/** An error as the clients of AWS throw it. */
const awsError = (name: string, message: string) => Object.assign(new Error(message), { name });

describe('neuron logs restore', () => {
  it('writes entries that are missing, once, and skips everything else', async () => {
    const ports = await withEntries(logEntry({ executionId: 'there=' }));
    const file = writeLog(
      'START RequestId: 1',
      renderLine(logEntry({ executionId: 'there=' }), { stage: 'test' }),
      `2026-11-21T11:59:00Z ${renderLine(logEntry({ executionId: 'lost=' }), { stage: 'test' })}`,
      renderLine(logEntry({ executionId: 'expired=', expiresAt: NOW_MS / 1000 - 1 }), { stage: 'test' }),
      '{"neuronEntry":1,"broken',
    );
    const first = await runWith(ports, ['logs', 'restore', file, '--json']);
    expect(first).toMatchObject({ exitCode: 0, stdout: RESTORED_ONE_OF_TWO });
    expect(await ports.logReader.find('there=')).toMatchObject({ restored: false });
    expect(await ports.logReader.find('lost=')).toMatchObject({ restored: true });
    const second = await runWith(ports, ['logs', 'restore', file]);
    expect(second.stdout).toBe('Restored 0 of 2 entries; the others already existed.\n');
  });

  it('reads every log file of the local run by default', async () => {
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

  it('reads the log groups of both functions by default, a day back or for the given time range', async () => {
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
    expect(first.exitCode).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({ sources: 2, entries: 2, restored: 2 });
    const second = await runWith({ ...ports, lines }, ['logs', 'restore', '--since', '2d']);
    expect(second.stdout).toBe('Restored 1 of 3 entries; the others already existed.\n');
    expect(await ports.logReader.find('old=')).toMatchObject({ restored: true });
  });

  it('says which log group cannot be read, and which permission is needed', async () => {
    const denied = { next: () => Promise.reject(new Error('not authorized')) };
    const lines = { read: () => ({ [Symbol.asyncIterator]: () => denied }) };
    const { exitCode, stderr } = await runWith({ ...(await withEntries()), lines }, ['logs', 'restore']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('/aws/lambda/authorizer cannot be read');
    expect(stderr).toContain('logs:FilterLogEvents');
  });

  it('refuses a time range for files, which are read in full', async () => {
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

describe('neuron logs restore, where an entry cannot be written', () => {
  const ids = Array.from({ length: 40 }, (_, index) => `id-${index}=`);

  it('continues past it, names it with a reason without internals, and exits with 1', async () => {
    const reject = (id: string) =>
      id === 'id-3=' ? awsError('ValidationException', 'Item of table secret-table is too large') : undefined;
    const ports = await withEntries(logEntry({ executionId: 'id-0=' }));
    const file = writeLog(...ids.map(lineOf));
    const { exitCode, stdout, stderr } = await runWith(failing(ports, reject), ['logs', 'restore', file]);
    expect(exitCode).toBe(1);
    expect(stdout).toBe('Restored 38 of 40 entries; 1 already existed, 1 failed.\n');
    expect(stderr).toBe(
      [
        'warning: Not restored:',
        '  id-3=: The table rejected the entry.',
        'It is safe to run the command again: it keeps existing entries and retries missing ones.\n',
      ].join('\n'),
    );
    const again = await runWith(ports, ['logs', 'restore', file]);
    expect(again).toMatchObject({
      exitCode: 0,
      stdout: 'Restored 1 of 40 entries; the others already existed.\n',
    });
  });

  it('names the first five in --json, and counts all', async () => {
    const reject = (id: string) => (id.startsWith('id-1') ? new Error('socket secret-host') : undefined);
    const ports = failing(await withEntries(), reject);
    const { exitCode, stdout, stderr } = await runWith(ports, [
      'logs',
      'restore',
      writeLog(...ids.map(lineOf)),
      '--json',
    ]);
    const why = 'The log could not be reached or failed.';
    expect([exitCode, JSON.parse(stdout)]).toEqual([
      1,
      {
        ...{ sources: 1, complete: true, entries: 40, restored: 29, there: 0, erased: 0, failed: 11 },
        failures: ['id-1=', 'id-10=', 'id-11=', 'id-12=', 'id-13='].map((executionId) => ({
          executionId,
          why,
        })),
      },
    ]);
    expect(stderr).toContain('and 6 more');
    expect(stderr).not.toContain('secret-host');
  });

  it('gives up when too many fail in a row', async () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => lineOf(`id-${index}=`));
    let puts = 0;
    const ports = failing(await withEntries(), () => {
      puts += 1;
      return awsError('AccessDeniedException', 'not authorized on arn:aws:dynamodb:::table/secret-table');
    });
    const { exitCode, stdout, stderr } = await runWith(ports, [
      'logs',
      'restore',
      writeLog(...lines),
      writeLog(lineOf('another=')),
      '--json',
    ]);
    expect([exitCode, puts]).toEqual([1, 32]);
    expect(JSON.parse(stdout)).toMatchObject({ complete: false, entries: 32, restored: 0, failed: 32 });
    expect(stderr).toContain('error: The last 32 entries failed, so the remaining ones were skipped.');
    expect(stderr).toContain('These credentials lack a permission for this command.');
    expect(stderr).not.toContain('secret-table');
  });

  it('says that no local run was found if that is the reason', async () => {
    const down = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const ports = failing(await withEntries(), down);
    const local = { folder: '/data', dynamodb: '', secretsmanager: '', logFolder: '/data/logs' };
    const file = writeLog(lineOf('lost='));
    const { exitCode, stderr } = await runWith({ ...ports, stack: { ...ports.stack, local } }, [
      'logs',
      'restore',
      file,
    ]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('  lost=: No local run uses the data folder /data.\n');
  });

  it('does not give up while others succeed in between', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => lineOf(`id-${index}=`));
    const ports = failing(await withEntries(), (id) =>
      Number(id.slice(3, -1)) % 20 === 0 ? undefined : new Error('down'),
    );
    const { stdout } = await runWith(ports, ['logs', 'restore', writeLog(...lines), '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ complete: true, entries: 200, restored: 10, failed: 190 });
  });
});

describe('neuron logs restore, where an entry comes twice', () => {
  const twice = { entries: 2, restored: 1, there: 1, failed: 0 };

  it('counts it once within a source and over several', async () => {
    const ports = await withEntries(logEntry({ executionId: 'there=' }));
    const both = [lineOf('lost='), lineOf('there='), lineOf('lost='), lineOf('there=')];
    const { stdout } = await runWith(ports, [
      'logs',
      'restore',
      writeLog(...both),
      writeLog(...both),
      '--json',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ sources: 2, ...twice });
  });

  it('counts one that another process wrote meanwhile as existing, and leaves it', async () => {
    const ports = await withEntries();
    // Another run of the command, or the function itself, is faster by a moment.
    const logReader = {
      ...ports.logReader,
      find: async (executionId: string) => {
        const found = await ports.logReader.find(executionId);
        if (executionId === 'raced=')
          await ports.logStore.put(logEntry({ executionId, refererHost: 'theirs' }));
        return found;
      },
    };
    const file = writeLog(lineOf('raced='), lineOf('lost='));
    const { stdout } = await runWith({ ...ports, logReader }, ['logs', 'restore', file, '--json']);
    expect(JSON.parse(stdout)).toMatchObject(twice);
    expect(await ports.logReader.find('raced=')).toMatchObject({ refererHost: 'theirs', restored: false });
  });
});

describe('neuron logs restore, where a source ends in the middle', () => {
  it('reports what was restored before it fails', async () => {
    const lines = {
      async *read() {
        for (let index = 0; index < 16; index += 1) yield lineOf(`id-${index}=`);
        throw new Error('the connection ended');
      },
    };
    const { exitCode, stdout, stderr } = await runWith({ ...(await withEntries()), lines }, [
      'logs',
      'restore',
      '--json',
    ]);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ complete: false, entries: 16, restored: 16 });
    expect(stderr).toContain('cannot be read');
  });
});

// `neuron guards report`: tables and one object of what guards found, from the log.
import { describe, expect, it } from 'vitest';
import type { LogEntry, LoggedGuard } from '../../../core/contract/log-entry.ts';
import {
  createMemoryPorts,
  logEntry,
  NOW_MS,
  neuronRecord,
  organizationRecord,
  runWith,
} from '../memory-ports.ts';

const DAY_MS = 86_400_000;
const found = (changes: Partial<LoggedGuard> = {}): LoggedGuard => ({
  guard: 'pii',
  type: 'pii',
  stage: 'input',
  action: 'flag',
  finds: [{ type: 'email', count: 2 }],
  ...changes,
});

async function portsWith(entries: readonly Partial<LogEntry>[]) {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  await ports.store.writeNeuron('acme', neuronRecord('acme', 'hello'), 'absent');
  for (const [index, changes] of entries.entries())
    await ports.logStore.put(
      logEntry({ executionId: `e-${index}`, expiresAt: NOW_MS / 1000 + 999_999, ...changes }),
    );
  return ports;
}

const ENTRIES: readonly Partial<LogEntry>[] = [
  { guards: [found()] },
  { guards: [found({ guard: 'words', type: 'patterns', action: 'block' })], outcome: 'refused', status: 422 },
  { timeMs: NOW_MS - 2 * DAY_MS, guards: [found()] },
  { timeMs: NOW_MS - 9 * DAY_MS, guards: [found()] },
  {},
];

describe('neuron guards report', () => {
  it('prints what each guard found in seven days, and the days', async () => {
    const { exitCode, stdout, stderr } = await runWith(await portsWith(ENTRIES), [
      'guards',
      'report',
      'acme',
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['NEURON', 'GUARD', 'TYPE', 'STAGE', 'ACTION', 'REQUESTS', 'BLOCKED', 'WOULD BLOCK', 'FINDS'],
      ['hello', 'pii', 'pii', 'input', 'flag', '2', '-', '2', 'email 4'],
      ['hello', 'words', 'patterns', 'input', 'block', '1', '1', '-', 'email 2'],
      [''],
      ['DAY (UTC)', 'REQUESTS', 'BLOCKED', 'FLAGGED'],
      ['2026-11-19', '1', '0', '1'],
      ['2026-11-21', '2', '1', '1'],
      [''],
    ]);
  });

  it('is one object with --json, of one neuron, one guard and one period', async () => {
    const ports = await portsWith(ENTRIES);
    const words = ['guards', 'report', 'acme/hello', '--since', '1d', '--guard', 'pii', '--json'];
    expect(JSON.parse((await runWith(ports, words)).stdout)).toEqual({
      organization: 'acme',
      neuron: 'hello',
      from: '2026-11-20T12:00:00.001Z',
      to: '2026-11-21T12:00:00.001Z',
      complete: true,
      read: 3,
      requests: 1,
      guards: [
        {
          neuron: 'hello',
          guard: 'pii',
          type: 'pii',
          stage: 'input',
          action: 'flag',
          requests: 1,
          blocked: 0,
          wouldBlock: 1,
          finds: [{ type: 'email', count: 2 }],
        },
      ],
      days: [{ day: '2026-11-21', requests: 1, blocked: 0, flagged: 1 }],
    });
    const older = await runWith(ports, [
      'guards',
      'report',
      'acme',
      '--from',
      '2026-11-12',
      '--to',
      '2026-11-13',
      '--json',
    ]);
    expect(JSON.parse(older.stdout)).toMatchObject({ requests: 1, days: [{ day: '2026-11-12' }] });
  });

  it('says where nothing was found, and how much was read', async () => {
    const { stdout, stderr } = await runWith(await portsWith([{}]), ['guards', 'report', 'acme']);
    expect(stdout).toBe('');
    expect(stderr).toBe(
      'No guard of acme found anything between 2026-11-14T12:00:00.001Z and 2026-11-21T12:00:00.001Z. Entries read: 1.\n',
    );
  });

  it('warns where there were too many entries to read', async () => {
    const ports = await portsWith([]);
    const parts = async function* () {
      yield { fromMs: NOW_MS - DAY_MS, scanned: 200_000, entries: [] };
      throw new Error('read on');
    };
    const { exitCode, stderr } = await runWith({ ...ports, guardedEntries: { parts } }, [
      'guards',
      'report',
      'acme',
    ]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      'warning: Only entries since 2026-11-20T12:00:00.000Z were read: 200000 are enough.',
    );
  });

  it('refuses an unknown owner, and two starts', async () => {
    const ports = await portsWith([]);
    expect((await runWith(ports, ['guards', 'report', 'acme/other'])).stderr).toContain('acme/other');
    const both = ['guards', 'report', 'acme', '--since', '1d', '--from', 'yesterday'];
    expect(await runWith(ports, both)).toMatchObject({ exitCode: 2, stdout: '' });
  });
});

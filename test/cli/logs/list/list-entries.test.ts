// What `neuron logs` says beside the entries: how far a long query has come, and where to look when there is nothing.
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { LogReader } from '../../../../core/ports/log-reader.ts';
import { createMemoryPorts, logEntry, NOW_MS, organizationRecord, runWith } from '../../memory-ports.ts';

async function withOrganization() {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  return ports;
}

it('reports the progress of a long query every other second, and nothing at its end', async () => {
  const ports = await withOrganization();
  let nowMs = NOW_MS;
  const clock = { ...ports.clock, now: () => nowMs };
  const logReader: LogReader = {
    ...ports.logReader,
    async *list(_query, onProgress) {
      for (const hoursRead of [1, 2, 3, 4]) {
        nowMs += 1_500;
        yield logEntry({ executionId: `id-${hoursRead}` });
        onProgress?.({ hoursRead, hoursInAll: 4 });
      }
    },
  };
  const { stdout, stderr } = await runWith({ ...ports, clock, logReader }, ['logs', 'acme', '--json']);
  expect(stdout.match(/"executionId"/g)).toHaveLength(4);
  expect(stderr).toBe('2 entries so far, 1 of 4 hours read\n4 entries so far, 3 of 4 hours read\n');
});

describe('without entries', () => {
  it.each([
    [['--since', '3h'], '2026-11-21T09:00:00.001Z', '2026-11-21T12:00:00.001Z', true],
    [['--since', '2 weeks'], '2026-11-07T12:00:00.001Z', '2026-11-21T12:00:00.001Z', false],
  ] as const)(
    'after %j says between when, and how to look back further where that may help',
    async (words, from, to, hints) => {
      const { exitCode, stderr } = await runWith(await withOrganization(), ['logs', 'acme', ...words]);
      const hint = hints ? ' Run `neuron logs acme --since 1d` to look further back.' : '';
      expect([exitCode, stderr]).toEqual([0, `No entries of acme between ${from} and ${to}.${hint}\n`]);
    },
  );
});

describe('hints', () => {
  it('repeat what was asked for, and lead to the same local run', async () => {
    const words = ['--local', 'logs', 'acme', '--user', 'ann b', '--status', '429'];
    const { stderr } = await runWith(await withOrganization(), words);
    expect(stderr).toContain("Run `neuron --local logs acme --user 'ann b' --status 429 --since 1d` to look");
    const failed = await runWith(await withOrganization(), ['--local=runs/b', 'logs', 'other']);
    expect(failed.stderr).toContain('Run `neuron --local=runs/b list` to see the organizations');
  });
});

describe('entries that stand for many', () => {
  it('show how many, with a code or without one', async () => {
    const ports = await withOrganization();
    await ports.logStore.put(logEntry({ executionId: 'replays', replayOf: 'first', count: 58 }));
    const rejected = { outcome: 'refused', status: 429, code: 'rate_limited', count: 7 } as const;
    await ports.logStore.put(logEntry({ executionId: 'refusals', ...rejected }));
    const { stdout } = await runWith(ports, ['logs', 'acme']);
    expect(stdout).toMatch(/ 200 +×58 /);
    expect(stdout).toMatch(/ 429 +rate_limited ×7 /);
    expect(stdout).not.toContain('undefined');
  });
});

describe('on a terminal', () => {
  it('leaves out columns instead of wrapping, and colours failures', async () => {
    const ports = await withOrganization();
    const reason = 'the provider refused our key, which is the operator’s to mend';
    const failure = { outcome: 'failed', status: 500, code: 'configuration', reason } as const;
    await ports.logStore.put(logEntry({ executionId: 'KyLvZGJ6oAMEabc=', ...failure }));
    const { stdout, stderr } = await runWith(ports, ['logs', 'acme'], { typed: [], columns: 80 });
    const lines = stripVTControlCharacters(stdout).trimEnd().split('\n');
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    expect(lines[1]).toContain('configuration');
    expect(lines[1]).toContain('KyLvZGJ6oAMEabc=');
    expect(stdout).toContain('\u001b[31m');
    expect(stderr).toContain('No room for TOKENS, CACHE');
  });
});

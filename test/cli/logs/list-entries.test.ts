// What `neuron logs` says beside the entries: how far a long query has come, and where to look when there is nothing.
import { describe, expect, it } from 'vitest';
import type { LogReader } from '../../../core/ports/log-reader.ts';
import { createMemoryPorts, logEntry, NOW_MS, organizationRecord, runWith } from '../memory-ports.ts';

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
    [['--to', '1970-01-02'], '1970-01-03T00:00:00.000Z', '1970-01-03T00:00:00.000Z', false],
  ] as const)(
    'after %j says between when, and how to look back further where that may help',
    async (words, from, to, hints) => {
      const { exitCode, stderr } = await runWith(await withOrganization(), ['logs', 'acme', ...words]);
      const hint = hints ? ' Pass --since 1d to look further back.' : '';
      expect([exitCode, stderr]).toEqual([0, `No entries of acme between ${from} and ${to}.${hint}\n`]);
    },
  );
});

// Periods at which no entry can be stored: an empty list of them would read like a finding.
import { expect, it } from 'vitest';
import { createMemoryPorts, organizationRecord, runWith } from '../memory-ports.ts';

async function withOrganization() {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  return ports;
}

it.each([
  [['logs', 'acme'], '2027-01-01', '2027-01-02', 'The period begins in the future.'],
  [['logs', 'acme', '--changes'], '2027-01-01', '2027-01-02', 'The period begins in the future.'],
  [['logs', 'verify', 'acme'], '2027-01-01', '2027-01-02', 'The period begins in the future.'],
  [['logs', 'restore'], '2027-01-01', '2027-01-02', 'The period begins in the future.'],
  [['logs', 'acme'], '2024-01-01', '2024-02-01', 'The period ends more than 365 days ago.'],
  [['logs', 'verify', 'acme'], '2024-01-01', '2024-02-01', 'The period ends more than 365 days ago.'],
  [
    ['logs', 'export', 'acme', '--out', '/nowhere/log'],
    '2027-01',
    '2027-02',
    'The period begins in the future.',
  ],
  [
    ['logs', 'export', 'acme', '--out', '/nowhere/log'],
    '12:00:01',
    '12:30',
    'The period begins in the future.',
  ],
])(
  'shows no empty list of a time at which nothing can be stored: %j from %s',
  async (words, from, to, what) => {
    const { exitCode, stdout, stderr } = await runWith(await withOrganization(), [
      ...words,
      '--from',
      from,
      '--to',
      to,
    ]);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(what);
  },
);

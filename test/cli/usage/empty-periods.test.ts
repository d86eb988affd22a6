// Periods without usage: those to come are refused, since an empty report of them would read like a finding.
import { expect, it } from 'vitest';
import { createMemoryPorts, organizationRecord, runWith } from '../memory-ports.ts';

const NOON_MS = Date.UTC(2026, 10, 21, 12);

async function usageOf(period: string) {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  const clock = { ...ports.clock, now: () => NOON_MS };
  return runWith({ ...ports, clock }, ['usage', 'acme', '--period', period]);
}

it.each(['2026-12', '2026-11-22', '2027-01-01'])('the period %s, which is still to come', async (period) => {
  const { exitCode, stdout, stderr } = await usageOf(period);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain(`The period ${period} begins in the future.`);
});

it.each([
  ['month', 'from 2026-11-01 to 2026-11-30. Calls appear after a few seconds.'],
  ['2026-11-21', 'from 2026-11-21 to 2026-11-21. Calls appear after a few seconds.'],
  ['2026-11-20', 'from 2026-11-20 to 2026-11-20.'],
  ['2026-10', 'from 2026-10-01 to 2026-10-31.'],
])('the period %s has calls to wait for only where it is not over', async (period, said) => {
  const { exitCode, stderr } = await usageOf(period);
  expect([exitCode, stderr]).toEqual([0, `No usage of acme ${said}\n`]);
});

// `neuron logs --csv`: a line for each entry, and nothing in it that a spreadsheet would evaluate.
import { expect, it } from 'vitest';
import { createMemoryPorts, logEntry, organizationRecord, runWith } from '../../memory-ports.ts';

async function withEntry(username: string) {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  await ports.logStore.put(logEntry({ username, code: 'configuration', reason: 'a "b", c', status: 500 }));
  return ports;
}

it('prints a header and a line for each entry, quoted as RFC 4180 says', async () => {
  const { exitCode, stdout } = await runWith(await withEntry('ann'), ['logs', 'acme', '--csv']);
  expect(exitCode).toBe(0);
  expect(stdout).toBe(
    [
      'time,organization,neuron,version,outcome,status,code,reason,count,cache,latencyMs,tokensInput,tokensOutput,costMicrodollars,username,keyId,sourceIp,executionId,restored,timeMs,keyName',
      '2026-11-21T11:59:00.000Z,acme,hello,v1,success,500,configuration,"a ""b"", c",1,miss,120.4,11,22,,ann,,203.0.113.7,exec-1=,false,1795262340000,',
      '',
    ].join('\r\n'),
  );
});

it.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  ['\t=1', "'\\u{09}'=1"],
  // In a locale whose separator is `;`, the second half is a cell.
  ['x;=1+1', '"x;\'=1+1"'],
])('does not let a spreadsheet evaluate the name %j', async (name, shown) => {
  const { stdout } = await runWith(await withEntry(name), ['logs', 'acme', '--csv']);
  expect(stdout.split('\r\n')[1]).toContain(`,${shown},`);
});

it.each([['--json'], ['--follow'], ['--changes'], ['--id', 'x']])(
  'refuses --csv with %s',
  async (...words) => {
    expect((await runWith(await withEntry('ann'), ['logs', 'acme', '--csv', ...words])).exitCode).toBe(2);
  },
);

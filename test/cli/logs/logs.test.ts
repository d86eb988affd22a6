// `neuron logs`: the audit trail as operators read it.
import { describe, expect, it } from 'vitest';
import { LOGS_VERBS, logsWords } from '../../../cli/logs/logs-words.ts';
import type { LogQuery } from '../../../core/ports/log-reader.ts';
import {
  createMemoryPorts,
  logEntry,
  NOW_MS,
  neuronRecord,
  organizationRecord,
  runWith,
} from '../memory-ports.ts';

const MINUTE_MS = 60_000;

async function withEntries(...entries: ReturnType<typeof logEntry>[]) {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  await ports.store.writeNeuron('acme', neuronRecord('acme', 'hello'), 'absent');
  for (const entry of entries) await ports.logStore.put(entry);
  return ports;
}

const idsOf = (stdout: string) =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { executionId: string }).executionId);

describe('neuron logs', () => {
  it('lists the last hour of an organization, newest first, in columns', async () => {
    const ports = await withEntries(
      logEntry({ executionId: 'old=', timeMs: NOW_MS - 61 * MINUTE_MS }),
      logEntry({ executionId: 'one=', timeMs: NOW_MS - 2 * MINUTE_MS }),
      logEntry({
        executionId: 'two=',
        outcome: 'refused',
        status: 429,
        code: 'rate_limited',
        reason: 'limit 3 of requests',
        count: 4,
        cache: undefined,
        username: 'ada',
        latencyMs: 2,
        tokensInput: 0,
        tokensOutput: 0,
        costMicrodollars: 1500,
      }),
    );
    expect((await runWith(ports, ['logs', 'acme'])).stdout).toBe(
      [
        'TIME (UTC)           NEURON  OUTCOME  STATUS  CODE             REASON               CACHE   MS  TOKENS       COST  CALLER               EXECUTION ID',
        '2026-11-21 11:59:00  hello   refused     429  rate_limited ×4  limit 3 of requests  -        2     0/0  $0.001500  user ada             two=',
        '2026-11-21 11:58:00  hello   success     200  -                -                    miss   120   11/22    unknown  address 203.0.113.7  one=',
        '',
      ].join('\n'),
    );
  });

  it('takes a length of time, or a start and an end time', async () => {
    const ports = await withEntries(
      logEntry({ executionId: 'a', timeMs: Date.UTC(2026, 10, 20, 8) }),
      logEntry({ executionId: 'b', timeMs: Date.UTC(2026, 10, 21, 8) }),
      logEntry({ executionId: 'c', timeMs: NOW_MS }),
    );
    const ids = async (...words: string[]) =>
      idsOf((await runWith(ports, ['logs', 'acme', '--json', ...words])).stdout);
    expect(await ids('--since', '1d')).toEqual(['c', 'b']);
    expect(await ids('--from', '2026-11-20')).toEqual(['c', 'b', 'a']);
    expect(await ids('--from', '2026-11-20T08:00', '--to', '2026-11-21T08:00:00Z')).toEqual(['a']);
    expect(await ids('--from', '2026-11-21T09:00+01:00', '--to', '2026-11-21T08:00:01Z')).toEqual(['b']);
  });

  it('refuses invalid time ranges', async () => {
    const ports = await withEntries();
    for (const words of [
      ['--since', '1h', '--from', '2026-11-20'],
      ['--from', 'tomorrow'],
      ['--from', '2026-02-30'],
      ['--to', '25:00'],
      ['--status', '42'],
      ['--outcome', 'bad'],
      ['--follow', '--to', 'now'],
      ['--from', '2026-13-01'],
      ['--to', '1'],
      ['--since', '0 days'],
      ['--since', '1 fortnight'],
      ['--since', '1ws'],
      ['--from', '2026-13'],
      ['--from', '2026-00'],
      ['--from', '2026-11-21', '--to', '2026-11-20'],
    ]) {
      expect((await runWith(ports, ['logs', 'acme', ...words])).exitCode).toBe(2);
    }
  });

  it('takes times in everyday words', async () => {
    const ports = await withEntries(
      logEntry({ executionId: 'monday', timeMs: Date.UTC(2026, 10, 16, 8) }),
      logEntry({ executionId: 'yesterday', timeMs: Date.UTC(2026, 10, 20, 23, 59) }),
      logEntry({ executionId: 'today', timeMs: Date.UTC(2026, 10, 21, 8) }),
      logEntry({ executionId: 'now', timeMs: NOW_MS }),
    );
    const ids = async (...words: string[]) =>
      idsOf((await runWith(ports, ['logs', 'acme', '--json', ...words])).stdout);
    expect(await ids('--since', 'today')).toEqual(['now', 'today']);
    expect(await ids('--from', 'yesterday', '--to', 'yesterday')).toEqual(['yesterday']);
    expect(await ids('--from', 'monday', '--to', '1h')).toEqual(['today', 'yesterday', 'monday']);
    expect(await ids('--from', '08:00', '--to', '08:01')).toEqual(['today']);
    expect(await ids('--since', '1w')).toEqual(['now', 'today', 'yesterday', 'monday']);
    expect(await ids('--since', '13 Hours')).toEqual(['now', 'today', 'yesterday']);
    expect(await ids('--from', '1 week ago', '--to', '1 day ago')).toEqual(['monday']);
    expect(await ids('--from', '2026-10', '--to', '2026-11')).toHaveLength(4);
    expect(await ids('--from', '2026-10', '--to', '2026-10')).toEqual([]);
    expect(await ids('--from', 'yesterday 23:00', '--to', '2026-11-21 01:00+01:00')).toEqual(['yesterday']);
  });

  it('never queries a time beyond the retention or in the future', async () => {
    const ports = await withEntries();
    let asked: unknown;
    const logReader = {
      ...ports.logReader,
      list(query: LogQuery) {
        asked = { fromMs: query.fromMs, toMs: query.toMs };
        return ports.logReader.list(query);
      },
    };
    await runWith({ ...ports, logReader }, ['logs', 'acme', '--from', '1970-01-01', '--to', '2999-12-31']);
    expect(asked).toEqual({ fromMs: Date.UTC(2025, 10, 20, 12), toMs: Date.UTC(2026, 10, 22, 12) });
  });

  it('takes a username, an outcome and a status', async () => {
    const ports = await withEntries(
      logEntry({ executionId: 'ada', username: 'ada' }),
      logEntry({ executionId: 'limited', username: 'ada', outcome: 'refused', status: 429 }),
      logEntry({ executionId: 'closed', outcome: 'refused', status: 403 }),
    );
    const ids = async (...words: string[]) =>
      idsOf((await runWith(ports, ['logs', 'acme', '--json', ...words])).stdout).sort();
    expect(await ids('--user', 'ada')).toEqual(['ada', 'limited']);
    expect(await ids('--outcome', 'refused')).toEqual(['closed', 'limited']);
    expect(await ids('--outcome', 'refused', '--status', '429', '--user', 'ada')).toEqual(['limited']);
    expect(await ids('--user', 'nobody')).toEqual([]);
  });

  it('takes an API key, by id or as it was found, and an address', async () => {
    const key = 'nrn_AbCdEfGh1234';
    const ports = await withEntries(
      logEntry({ executionId: 'key', keyId: 'AbCdEfGh1234' }),
      logEntry({ executionId: 'both', keyId: 'AbCdEfGh1234', sourceIp: '192.0.2.1' }),
      logEntry({ executionId: 'address', sourceIp: '192.0.2.1' }),
    );
    const ids = async (...words: string[]) =>
      idsOf((await runWith(ports, ['logs', 'acme', '--json', ...words])).stdout).sort();
    expect(await ids('--key', 'AbCdEfGh1234')).toEqual(['both', 'key']);
    expect(await ids('--key', `${key}_${'x'.repeat(36)}`)).toEqual(['both', 'key']);
    expect(await ids('--ip', '192.0.2.1')).toEqual(['address', 'both']);
    expect(await ids('--ip', '192.0.2.1', '--key', key)).toEqual(['both']);
    for (const words of [
      ['--ip', 'here'],
      ['--key', 'short'],
      ['--changes', '--ip', '192.0.2.1'],
    ]) {
      expect((await runWith(ports, ['logs', 'acme', ...words])).exitCode).toBe(2);
    }
  });

  it('shows the newest thousand, and says how many are not shown and where to continue', async () => {
    const entries = Array.from({ length: 1_003 }, (_, index) =>
      logEntry({ executionId: `id-${index}`, timeMs: NOW_MS - index * 1_000 }),
    );
    const ports = await withEntries(...entries);
    const { stdout, stderr } = await runWith(ports, ['logs', 'acme']);
    expect(stdout.split('\n')).toHaveLength(1_002);
    expect(stderr).toBe(
      '3 older entries are not shown. Continue with `neuron logs acme --from 2026-11-21T11:00:00.001Z --to 2026-11-21T11:43:21.001Z`, narrow the time range, or pass --json.\n',
    );
    const next = await runWith(ports, ['logs', 'acme', '--to', '2026-11-21T11:43:21.001Z', '--json']);
    expect(idsOf(next.stdout)).toEqual(['id-999', 'id-1000', 'id-1001', 'id-1002']);
  });

  it('keeps to one neuron, and to what is stored under the id that the slug has now', async () => {
    const ports = await withEntries(
      logEntry({ executionId: 'other', neuron: 'chat-bot', neuronId: 'id-chat-bot' }),
      logEntry({ executionId: 'earlier', neuronId: 'id-of-an-earlier-hello' }),
      logEntry({ executionId: 'own' }),
    );
    expect(idsOf((await runWith(ports, ['logs', 'acme/hello', '--json'])).stdout)).toEqual(['own']);
  });

  it('shows control characters of callers as code points', async () => {
    const ports = await withEntries(logEntry({ username: 'eve\u001b]0;owned\u0007\n2026 fake' }));
    const { stdout } = await runWith(ports, ['logs', 'acme']);
    expect(stdout).toContain('eve\\u{1b}]0;owned\\u{07}\\u{0a}2026 fake');
    expect(stdout).not.toContain('\u001b');
    expect(stdout.split('\n')).toHaveLength(3);
  });

  it('is a line of JSON per entry with the same members in each', async () => {
    const { stdout } = await runWith(await withEntries(logEntry()), ['logs', 'acme', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      executionId: 'exec-1=',
      timeMs: 1795262340000,
      time: '2026-11-21T11:59:00.000Z',
      organization: 'acme',
      neuron: 'hello',
      version: 'v1',
      outcome: 'success',
      status: 200,
      code: null,
      reason: null,
      sourceIp: '203.0.113.7',
      username: null,
      keyId: null,
      keyName: null,
      cache: 'miss',
      latencyMs: 120.4,
      tokensInput: 11,
      tokensOutput: 22,
      costMicrodollars: null,
      count: 1,
      restored: false,
    });
  });

  it('says on standard error that there are no entries', async () => {
    expect(await runWith(await withEntries(), ['logs', 'acme'])).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr:
        'No entries of acme between 2026-11-21T11:00:00.001Z and 2026-11-21T12:00:00.001Z. Run `neuron logs acme --since 1d` to look further back.\n',
    });
  });
});

describe('an organization that is named like a verb', () => {
  it.each(LOGS_VERBS)('is shown by `list %s`, and hints say so', async (slug) => {
    const ports = createMemoryPorts();
    await ports.store.writeOrganization(organizationRecord(slug), 'absent');
    await ports.logStore.put(
      logEntry({ organizationId: `id-${slug}`, organization: slug, timeMs: NOW_MS - 1 }),
    );
    const { stdout, exitCode } = await runWith(ports, ['logs', 'list', slug, '--json']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ organization: slug });
    expect(logsWords(slug)).toBe(`logs list ${slug}`);
    expect(logsWords(`acme ${slug}`)).toBe(`logs acme ${slug}`);
  });

  it('takes the options of `neuron logs`', async () => {
    const ports = await withEntries(
      logEntry({ executionId: 'a=' }),
      logEntry({ executionId: 'b=', status: 500 }),
    );
    const { stdout } = await runWith(ports, [
      'logs',
      '--since',
      '1d',
      'list',
      'acme',
      '--status',
      '500',
      '--json',
    ]);
    expect(idsOf(stdout)).toEqual(['b=']);
  });

  it('is known for every verb', async () => {
    const { stdout } = await runWith(createMemoryPorts(), ['logs', '--help']);
    const commands = stdout.slice(stdout.indexOf('Commands:'));
    const verbs = [...commands.matchAll(/^ {2}([\w-]+)/gm)].map(([, verb]) => verb);
    expect(verbs.toSorted()).toEqual([...LOGS_VERBS].toSorted());
  });
});

// `neuron logs verify` and `neuron logs head`: what they print, and with which code they end.
import { describe, expect, it } from 'vitest';
import { describeDiscrepancy } from '../../../../cli/logs/seals/discrepancy-view.ts';
import type { Discrepancy } from '../../../../core/admin/verify-log/discrepancies.ts';
import { makeSeal, renderHead } from '../../../../core/logs/seals/seal.ts';
import { toEntryToSeal } from '../../../../core/logs/seals/sealed-entry.ts';
import type { Seal } from '../../../../core/ports/seals.ts';
import {
  createMemoryPorts,
  logEntry,
  type MemoryPorts,
  NOW_MS,
  organizationRecord,
  runWith,
} from '../../memory-ports.ts';

const DAY_S = 86_400;
const CHAIN = 'id-acme';
const TIME = '2026-11-21T11:59:00.000Z';

/** Three calls, of which the first `sealedCount` are sealed; `tamper` changes what is read of them. */
async function withSealed(sealedCount = 3): Promise<{ ports: MemoryPorts; seal: Seal }> {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  for (const id of ['a', 'b', 'c'])
    await ports.logStore.put(
      logEntry({ executionId: id, timeMs: NOW_MS - 60_000, expiresAt: NOW_MS / 1000 + DAY_S }),
    );
  const lines: string[] = [];
  const query = { organizationId: CHAIN, organization: 'acme', fromMs: 0, toMs: NOW_MS, nowMs: NOW_MS };
  for await (const { record } of ports.storedEntries.list(query))
    lines.push(toEntryToSeal(record, NOW_MS / 1000 - 50).line);
  const seal = makeSeal(CHAIN, undefined, lines.slice(0, sealedCount), NOW_MS - 40_000);
  await ports.usage.add([], [], [seal]);
  return { ports, seal };
}

/** Ports whose log lacks an entry. */
function without(ports: MemoryPorts, id: string): MemoryPorts {
  const { list, find } = ports.storedEntries;
  return {
    ...ports,
    storedEntries: {
      find: async (position) => (position.sk.endsWith(`#${id}`) ? undefined : find(position)),
      async *list(query) {
        for await (const entry of list(query)) if (!entry.sk.endsWith(`#${id}`)) yield entry;
      },
    },
  };
}

describe('neuron logs verify', () => {
  it('says that a log is intact, and that only a kept head shows that it was not made anew', async () => {
    const { ports, seal } = await withSealed();
    const { stdout, exitCode } = await runWith(ports, ['logs', 'verify', 'acme']);
    expect(stdout).toBe(
      `The log of acme is intact: 3 whole; 1 seal, head 1:${seal.hash}.\n` +
        'Only a head that was kept elsewhere shows that nobody made all of it anew: pass --head.\n',
    );
    expect(exitCode).toBe(0);
  });

  it('takes a kept head, which the chain must contain', async () => {
    const { ports, seal } = await withSealed();
    const kept = await runWith(ports, ['logs', 'verify', 'acme', '--head', renderHead(seal)]);
    expect(kept.stdout).toBe(`The log of acme is intact: 3 whole; 1 seal, head 1:${seal.hash}.\n`);
    const other = `2:${'a'.repeat(64)}`;
    const lost = await runWith(ports, ['logs', 'verify', 'acme', '--head', other]);
    expect(lost.stdout).toContain(
      `the chain does not contain the kept head ${other}: it has no seal 2, so its end was cut off or all of it was made anew\n`,
    );
    expect(lost.stdout).toContain('is NOT intact: 3 whole, 1 problem of the chain;');
    expect(lost.exitCode).toBe(1);
  });

  it('names what is missing and what waits for its seal, and fails', async () => {
    const { ports } = await withSealed(2);
    const { stdout, exitCode } = await runWith(without(ports, 'a'), ['logs', 'verify', 'acme']);
    const [missing, unsealed, verdict] = stdout.split('\n');
    expect(missing).toBe(`${TIME} a is missing: its retention ends 2026-11-22T12:00:00.000Z`);
    expect(unsealed).toBe(`${TIME} c is not sealed yet`);
    expect(verdict).toMatch(
      /^The log of acme is NOT intact: 1 whole, 1 missing, 1 not sealed yet; 1 seal, head 1:/,
    );
    expect(exitCode).toBe(1);
  });

  it('prints a line of JSON for each discrepancy, and the summary last', async () => {
    const { ports, seal } = await withSealed();
    const { stdout } = await runWith(without(ports, 'b'), ['logs', 'verify', 'acme', '--json']);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    const sk = `${TIME}#b`;
    const pk = 'id-hello#2026-11-21T11#0';
    expect(lines).toEqual([
      {
        kind: 'missing',
        time: TIME,
        id: 'b',
        pk,
        sk,
        sequence: 1,
        retainedUntil: '2026-11-22T12:00:00.000Z',
      },
      {
        ...{
          kind: 'summary',
          organization: 'acme',
          chain: CHAIN,
          seals: 1,
          sealed: 3,
          whole: 2,
          erased: 0,
          erasureProblems: 0,
          expired: 0,
        },
        ...{ changed: 0, missing: 1, late: 0, unsealed: 0, inconsistent: 0, chainProblems: 0 },
        head: { sequence: 1, hash: seal.hash, sealedAtMs: NOW_MS - 40_000 },
        intact: false,
      },
    ]);
  });

  it('looks at the given time alone', async () => {
    const { ports } = await withSealed();
    const { stdout } = await runWith(ports, ['logs', 'verify', 'acme', '--since', '10s']);
    expect(stdout).toContain('is intact: 0 whole; 1 seal');
  });

  it('verifies the changes of the service without an organization', async () => {
    const ports = createMemoryPorts();
    const { stdout, exitCode } = await runWith(ports, ['logs', 'verify']);
    expect(stdout).toContain('The log of changes of the service is intact: 0 whole; no seal.');
    expect(exitCode).toBe(0);
  });

  it('reports progress on standard error while it goes on', async () => {
    const { ports } = await withSealed();
    let nowMs = NOW_MS;
    const clock = { ...ports.clock, now: () => (nowMs += 1_500) };
    const { stderr } = await runWith({ ...ports, clock }, ['logs', 'verify', 'acme']);
    expect(stderr).toContain(`entries and 1 seal so far, up to ${TIME}`);
  });

  it.each([
    [['--head', '12'], /It must be SEQUENCE:HASH/],
    [['--user', 'ann'], /--user does not apply/],
  ])('refuses %j', async (words, message) => {
    const { ports } = await withSealed();
    const { stderr, exitCode } = await runWith(ports, ['logs', 'verify', 'acme', ...words]);
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(2);
  });
});

describe('neuron logs head', () => {
  it('prints the head, as verify takes it', async () => {
    const { ports, seal } = await withSealed();
    const text = await runWith(ports, ['logs', 'head', 'acme']);
    expect(text.stdout).toBe(`1:${seal.hash}\n`);
    const json = await runWith(ports, ['logs', 'head', 'acme', '--json']);
    expect(JSON.parse(json.stdout)).toEqual({
      ...{ organization: 'acme', chain: CHAIN, head: `1:${seal.hash}`, sequence: 1, hash: seal.hash },
      sealedAt: '2026-11-21T11:59:20.000Z',
    });
  });

  it('fails where nothing is sealed yet', async () => {
    const { stderr, exitCode } = await runWith(createMemoryPorts(), ['logs', 'head']);
    expect(stderr).toContain('The log of changes of the service has no seals yet.');
    expect(exitCode).toBe(1);
  });
});

describe('a discrepancy', () => {
  const named = { time: TIME, id: 'a\u001b[2J', pk: 'p', sk: 's' };
  const shown = `${TIME} a\\u{1b}[2J`;
  const head = { sequence: 7, hash: 'f'.repeat(64) };
  const found: [Discrepancy, string][] = [
    [
      {
        ...{ kind: 'changed', ...named, sequence: 1 },
        differences: { changed: ['status', 'username'], added: ['more'], removed: 2 },
      },
      `${shown} was changed: status, username; more added; 2 attributes removed`,
    ],
    [
      { kind: 'changed', ...named, sequence: 1, differences: undefined },
      `${shown} was changed: its content differs, in attributes that its seal cannot name`,
    ],
    [
      { kind: 'missing', ...named, sequence: 1, retainedUntil: null },
      `${shown} is missing: it has no end of retention`,
    ],
    [
      {
        ...{ kind: 'late', ...named, sequence: 2, putAt: '2026-11-21T13:59:00.000Z' },
        restoredBy: null,
      },
      `${shown} was put in later: at 2026-11-21T13:59:00.000Z, 120 minutes after its time`,
    ],
    [
      { kind: 'late', ...named, sequence: null, putAt: null, restoredBy: null },
      `${shown} was put in later: no seal has it, though those of its time are there`,
    ],
    [
      { kind: 'late', ...named, sequence: 2, putAt: '2026-11-21T13:59:00.000Z', restoredBy: 'chg-1' },
      `${shown} was put in later: at 2026-11-21T13:59:00.000Z, 120 minutes after its time (restored by chg-1: compare it with the log of the function)`,
    ],
    [
      { kind: 'seal', sequence: 7, problem: 'edited' },
      'seal 7 was edited: its hash is not that of its content',
    ],
    [
      { kind: 'seal', sequence: 7, problem: 'detached' },
      'seal 7 does not follow the seal before it: one of the two was replaced',
    ],
    [{ kind: 'seal', sequence: 7, problem: 'unreadable' }, 'seal 7 is unreadable: it lacks what a seal has'],
    [
      { kind: 'seal', sequence: 7, problem: 'format' },
      'seal 7 has a format that this release does not know: update the command',
    ],
    [{ kind: 'seals missing', first: 7, last: 7 }, 'seal 7 is missing'],
    [{ kind: 'seals missing', first: 7, last: 9 }, 'seals 7 to 9 are missing'],
    [
      { kind: 'head', source: 'table', problem: 'different', ...head },
      `the chain does not contain the head beside the chain 7:${head.hash}: its seal 7 has another hash, so it was made anew`,
    ],
    [
      { kind: 'head', source: 'kept', problem: 'expired', ...head },
      `the chain cannot show that it contains the kept head 7:${head.hash}: the seals of that time have expired`,
    ],
  ];

  it.each(found)('%j is said in words', (discrepancy, words) => {
    expect(describeDiscrepancy(discrepancy)).toBe(words);
  });
});

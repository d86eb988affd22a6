// `neuron cases from-logs`: a document of tests, once for each text, without what guards find.
import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../../adapters/yaml/parse-yaml.ts';
import type { LogEntry } from '../../../core/contract/log-entry.ts';
import {
  createMemoryPorts,
  logEntry,
  NOW_MS,
  neuronRecord,
  organizationRecord,
  runWith,
} from '../memory-ports.ts';

const full = (text: string) => ({ kind: 'full', text, bytes: text.length }) as const;
const MAIL = 'ann.lee@mail.example.com';

async function portsWith(entries: readonly Partial<LogEntry>[]) {
  const ports = createMemoryPorts();
  const organization = organizationRecord('acme');
  const guards = { pii: { type: 'pii', entities: ['email'] } };
  const document = { organization: 'acme', guards };
  await ports.store.writeOrganization({ ...organization, document }, 'absent');
  await ports.store.writeNeuron('acme', neuronRecord('acme', 'hello'), 'absent');
  await ports.store.createVersion('acme', {
    id: 'v1',
    number: 1,
    neuronId: 'id-hello',
    createdAt: '2026-11-20T12:00:00.000Z',
    author: 'test',
    message: undefined,
    flow: [{ stop: {} }],
    flowDigest: 'x',
    variables: { days: { type: 'number' }, role: { type: 'string' } },
  });
  for (const [index, changes] of entries.entries())
    await ports.logStore.put(
      logEntry({
        executionId: `e-${index}`,
        timeMs: NOW_MS - (index + 1) * 1_000,
        expiresAt: NOW_MS / 1000 + 999_999,
        ...changes,
      }),
    );
  return ports;
}

const call = ['cases', 'from-logs', 'acme/hello'];
const logged = (input: string, role = '') => full(JSON.stringify({ input, variables: { days: '3', role } }));

describe('neuron cases from-logs', () => {
  it('writes each text once, and redacts what guards find in any of them', async () => {
    const entries = [
      { input: logged(`Mail ${MAIL}`, MAIL) },
      { input: logged('Hi') },
      { input: logged('Hi') },
      { input: { kind: 'hash', hash: 'h', bytes: 2 } as const },
    ];
    const { exitCode, stdout, stderr } = await runWith(await portsWith(entries), [...call, '--yes']);
    expect(exitCode).toBe(0);
    expect(parseYaml('a.yaml', stdout).documents.map(({ value }) => value)).toEqual([
      {
        tests: 'acme/hello',
        cases: [
          { name: 'e-0 v1', input: 'Mail [EMAIL]', variables: { days: 3, role: '[EMAIL]' }, assert: [] },
          { name: 'e-1 v1', input: 'Hi', variables: { days: 3 }, assert: [] },
        ],
      },
    ]);
    expect(stdout).not.toContain('ann.lee');
    expect(stderr).toContain('Read 4 calls. Left out: 1 that repeat another, 1 without their texts in full.');
    expect(stderr).toContain('2 cases with texts of callers of acme/hello. The log deletes them by');
  });

  it('prints nothing before it is confirmed', async () => {
    const { exitCode, stdout } = await runWith(await portsWith([{ input: logged('Hi') }]), call, {
      typed: ['n'],
    });
    expect([exitCode, stdout]).toEqual([1, '']);
  });

  it('takes the newest ones, and those of one version and outcome', async () => {
    const entries = [
      { input: logged('a') },
      { input: logged('b'), version: 'v2' },
      { input: logged('c'), outcome: 'stopped' as const },
    ];
    const namesOf = async (...words: string[]) => {
      const { stdout } = await runWith(await portsWith(entries), [...call, '--yes', '--json', ...words]);
      return JSON.parse(stdout).cases.map(({ name }: { name: string }) => name);
    };
    expect(await namesOf('--cases', '2')).toEqual(['e-0 v1', 'e-1 v2']);
    expect(await namesOf('--of-version', 'v1')).toEqual(['e-0 v1', 'e-2 v1']);
    expect(await namesOf('--outcome', 'stopped')).toEqual(['e-2 v1']);
  });

  it('says what to do where the log has no texts, and refuses a count that is none', async () => {
    const none = await runWith(await portsWith([{ input: undefined }]), [...call, '--yes']);
    expect(none).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('bodies: full') });
    for (const value of ['0', '501', 'x', '1.5'])
      expect((await runWith(await portsWith([]), [...call, '--cases', value])).exitCode).toBe(2);
  });
});

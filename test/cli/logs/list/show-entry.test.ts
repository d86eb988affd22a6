// `neuron logs --id`: one entry in full, and nothing of another organization's.
import { describe, expect, it } from 'vitest';
import {
  createMemoryPorts,
  logEntry,
  neuronRecord,
  organizationRecord,
  runWith,
} from '../../memory-ports.ts';

async function withEntries(...entries: ReturnType<typeof logEntry>[]) {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  await ports.store.writeNeuron('acme', neuronRecord('acme', 'hello'), 'absent');
  for (const entry of entries) await ports.logStore.put(entry);
  return ports;
}

describe('neuron logs --id', () => {
  const entry = logEntry({
    username: 'ada',
    authentication: 'jwt',
    input: { kind: 'full', text: 'first\nsecond\u001b[2J', bytes: 16 },
    output: { kind: 'hash', hash: 'ab12', bytes: 9 },
    modelCalls: [
      {
        provider: 'openai',
        model: 'gpt',
        modelVersion: 'gpt-2026',
        finish: 'stop',
        tokensInput: 11,
        tokensOutput: 22,
        costMicrodollars: 42,
        estimated: true,
        attempts: 2,
        latencyMs: 99.6,
      },
    ],
    guards: [
      {
        ...{ guard: 'pii', type: 'pii', stage: 'input', message: 2, action: 'mask' },
        finds: [
          { type: 'email', count: 2 },
          { type: 'card', count: 1 },
        ],
      },
    ],
    trace: [
      { type: 'ifInputContains', atMs: 0.4, decision: 'then', matched: ['fir'] },
      { type: 'callModel', atMs: 1.2, output: { kind: 'hash', hash: 'ab12', bytes: 9 } },
    ],
  });

  it('shows one entry in full, with its trace and escaped texts', async () => {
    const { stdout } = await runWith(await withEntries(entry), ['logs', 'acme', '--id', 'exec-1=']);
    for (const line of [
      'execution      exec-1=',
      'neuron         acme/hello v1',
      'authentication jwt',
      'guard          pii mask input[2]: email 2, card 1',
      'latency        120 ms, own 3 ms',
      'cost           unknown, saved $0.000000',
      'input 16 bytes',
      '  │ first',
      '  │ second\\u{1b}[2J',
      'output 9 bytes, HMAC ab12',
      '  openai/gpt (gpt-2026): stop, 11 in, 22 out, estimated, $0.000042, 2 attempts, 100 ms',
      '  +0 ms ifInputContains → then matched "fir"',
      '  +1 ms callModel',
      '    output 9 bytes, HMAC ab12',
    ]) {
      expect(stdout.split('\n')).toContain(line);
    }
  });

  it('marks every line of a text, so that none passes for a line of the entry', async () => {
    const text = 'x\r\ntrace\n  +0 ms serveOutput';
    const forged = { ...entry, trace: [], input: { kind: 'full', text, bytes: 30 } } as const;
    const { stdout } = await runWith(await withEntries(forged), ['logs', 'acme', '--id', 'exec-1=']);
    expect(stdout).toContain('input 30 bytes\n  │ x\n  │ trace\n  │   +0 ms serveOutput\n');
  });

  it('shows the source and distance of a cached answer, and cache failures', async () => {
    const hit = { ...entry, cache: 'semantic', cacheSource: 'exec-0=', cacheDistance: 0.03125 } as const;
    const show = ['logs', 'acme', '--id', 'exec-1='];
    const { stdout } = await runWith(await withEntries(hit), show);
    expect(stdout).toContain('cache          semantic, the answer of exec-0=, distance 0.0313');
    const failed = { ...entry, cache: 'miss', cacheFailures: ['read', 'search'] } as const;
    expect((await runWith(await withEntries(failed), show)).stdout).toContain('cache failed   read, search');
  });

  it('is the entry as one JSON value with --json', async () => {
    const { stdout } = await runWith(await withEntries(entry), ['logs', 'acme', '--id', 'exec-1=', '--json']);
    const listed = await runWith(await withEntries(entry), ['logs', 'acme', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      ...(JSON.parse(JSON.stringify(entry)) as object),
      ...(JSON.parse(listed.stdout) as object),
    });
  });

  it('refuses an entry of another organization or neuron as if it did not exist', async () => {
    const foreign = logEntry({ executionId: 'foreign', organizationId: 'id-beta' });
    const ports = await withEntries(foreign, logEntry({ executionId: 'b', neuronId: 'id-b' }));
    for (const words of [
      ['logs', 'acme', '--id', 'foreign'],
      ['logs', 'acme/hello', '--id', 'b'],
      ['logs', 'acme', '--id', 'none'],
    ]) {
      const { exitCode, stdout, stderr } = await runWith(ports, words);
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
      expect(stderr).toContain('error: There is no entry');
    }
  });
});

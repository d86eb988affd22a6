// The filters of `neuron logs`: each alone, in pairs, and those that read entries whole.
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../../../core/contract/log-entry.ts';
import {
  createMemoryPorts,
  logEntry,
  NOW_MS,
  neuronRecord,
  organizationRecord,
  runWith,
} from '../../memory-ports.ts';

const modelCall = (provider: string): LogEntry['modelCalls'][number] => ({
  ...{ provider, model: 'm', modelVersion: undefined, finish: 'stop', tokensInput: 1, tokensOutput: 1 },
  ...{ costMicrodollars: 1, estimated: false, attempts: 1, latencyMs: 5 },
});

/** A guard in an entry: with so many finds, or none. */
const foundBy = (guard: string, count: number): NonNullable<LogEntry['guards']>[number] => ({
  ...{ guard, type: 'pii', stage: 'input', action: 'redact' },
  finds: count === 0 ? [] : [{ type: 'email', count }],
});

const ENTRIES: Readonly<Record<string, Partial<LogEntry>>> = {
  fast: { version: 'v1', latencyMs: 5_000, modelCalls: [modelCall('openai')] },
  slow: { version: 'v2', latencyMs: 5_001, modelCalls: [modelCall('echo'), modelCall('openai')] },
  tagged: { version: 'v2', latencyMs: 10, tags: { team: 'a=b' }, guards: [foundBy('pii', 2)] },
  limited: { outcome: 'refused', status: 429, code: 'rate_limited', version: undefined, latencyMs: 1 },
  blocked: { outcome: 'refused', status: 429, code: 'caller_blocked', version: undefined, latencyMs: 1 },
  down: {
    outcome: 'failed',
    status: 503,
    code: 'upstream_unavailable',
    version: 'v1',
    modelCalls: [modelCall('echo')],
    guards: [foundBy('secrets', 1), foundBy('pii', 0)],
  },
};

async function list(...words: readonly string[]) {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  await ports.store.writeNeuron('acme', neuronRecord('acme', 'hello'), 'absent');
  for (const [index, [executionId, changes]] of Object.entries(ENTRIES).entries())
    await ports.logStore.put(logEntry({ executionId, timeMs: NOW_MS - index * 1_000 - 1_000, ...changes }));
  const result = await runWith(ports, ['logs', 'acme', ...words, '--json']);
  const ids = result.stdout
    .trim()
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { executionId: string }).executionId]));
  return { ...result, ids };
}

describe('a filter of neuron logs', () => {
  it.each([
    [['--code', 'rate_limited'], ['limited']],
    [['--code', 'caller_blocked', '--outcome', 'refused'], ['blocked']],
    [['--code', 'rate_limited', '--outcome', 'failed'], []],
    [
      ['--version', 'v2'],
      ['slow', 'tagged'],
    ],
    [['--slower-than', '5s'], ['slow']],
    [['--slower-than', '1s', '--version', 'v1'], ['fast']],
    [
      ['--provider', 'openai'],
      ['fast', 'slow'],
    ],
    [['--provider', 'echo', '--code', 'upstream_unavailable'], ['down']],
    [['--provider', 'toString'], []],
    [['--tag', 'team=a=b'], ['tagged']],
    [['--tag', 'team=a'], []],
    [['--tag', 'constructor=x'], []],
    [['--guard', 'pii'], ['tagged']],
    [['--guard', 'secrets', '--provider', 'echo'], ['down']],
    [['--guard', 'secrets', '--provider', 'openai'], []],
    [['--guard', 'PII'], []],
    [
      ['--limit', '2'],
      ['fast', 'slow'],
    ],
    [['--limit', '1', '--provider', 'echo'], ['slow']],
    [['--limit', '100000'], Object.keys(ENTRIES)],
  ])('%j finds %j', async (words, ids) => {
    const found = await list(...words);
    expect([found.exitCode, found.ids]).toEqual([0, ids]);
  });

  it.each([
    [['--code', 'nonsense']],
    [['--revision', 'V2']],
    [['--version', 'v_2']],
    [['--slower-than', 'fast']],
    [['--tag', 'team']],
    [['--tag', '=a']],
    [['--limit', '0']],
    [['--limit', '100001']],
    [['--code', 'rate_limited', '--changes']],
    [['--guard', 'pii', '--changes']],
    [['--limit', '1', '--follow']],
  ])('%j is an error', async (words) => expect((await list(...words)).exitCode).toBe(2));
});

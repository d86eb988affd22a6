// Writing an answer into the cache once the caller has it: what is lost is counted, and never thrown.
import { describe, expect, it } from 'vitest';
import { planCaching } from '../../../../core/cache/plan.ts';
import type { CachedAnswer } from '../../../../core/ports/response-cache.ts';
import { cacheAnswer } from '../../../../lambdas/execute/end/finish.ts';
import type { Run } from '../../../../lambdas/execute/run.ts';
import { answerOf, NOW_MS, requestOf } from '../../../core/cache/requests.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';
import {
  createMemoryResponseCache,
  createMemoryVectorIndex,
} from '../../../support/memory/response-cache.ts';

const DONE = {
  ...{ kind: 'done', output: 'Hi.', stopped: false, trace: [], modelCalls: [] },
  ...{ tokensInput: 3, tokensOutput: 5, costMicrodollars: 17, providerMs: 0 },
};

const runOf = (changes: object = {}) =>
  ({
    request: { executionId: 'exec-1' },
    caching: { plan: planCaching(requestOf()) },
    lookup: { result: 'miss', failures: [] },
    result: DONE,
    ...changes,
  }) as unknown as Run;

function open(write?: () => Promise<void>) {
  const lines: string[] = [];
  const written: CachedAnswer[] = [];
  const responses = {
    ...createMemoryResponseCache(),
    write:
      write ?? (async (_scope: unknown, _hash: unknown, answer: CachedAnswer) => void written.push(answer)),
  };
  const ports = {
    ...{ stage: 'dev', clock: createMemoryClock(NOW_MS), responses, vectors: createMemoryVectorIndex() },
    lines: { write: (line: string) => void lines.push(line) },
  };
  return { ports, lines, written };
}

describe('after the answer', () => {
  it('keeps what a run came to, with its cost and its times', async () => {
    const { ports, written, lines } = open();
    await cacheAnswer(runOf(), ports);
    expect(written).toEqual([answerOf('Hi.', { executionId: 'exec-1' })]);
    expect(lines).toEqual([]);
  });

  it.each([
    ['a hit', { result: undefined, lookup: { result: 'exact', found: answerOf('Hi.'), failures: [] } }],
    ['a run that failed', { result: { ...DONE, kind: 'failed' } }],
    ['a run past the cache', { caching: { plan: { kind: 'bypass' } } }],
    ['a request that was refused before', { caching: undefined, lookup: undefined, result: undefined }],
  ])('keeps nothing of %s', async (_name, changes) => {
    const { ports, written } = open();
    await cacheAnswer(runOf(changes), ports);
    expect(written).toEqual([]);
  });

  it('counts an answer that is lost, on a line that names the execution and nothing of the answer', async () => {
    const { ports, lines } = open(() => Promise.reject(new Error('the table of secrets')));
    await cacheAnswer(runOf(), ports);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ neuronCacheLoss: 1, executionId: 'exec-1', Stage: 'dev', CacheFailures: 1 }),
    ]);
    expect(lines[0]).not.toMatch(/Hi\.|secrets/);
  });

  it('never throws, also where nothing can be said any more', async () => {
    const { ports } = open(() => Promise.reject(new Error('down')));
    const gone = {
      write: () => {
        throw new Error('standard output is gone');
      },
    };
    await expect(cacheAnswer(runOf(), { ...ports, lines: gone })).resolves.toBeUndefined();
  });
});

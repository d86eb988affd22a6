// A shadow on the way of a request: which runs it repeats, what its budget holds, and that callers notice nothing of it.
import { describe, expect, it } from 'vitest';
import { parseLine, parseOpenLine } from '../../../core/logs/line.ts';
import { CounterFailure } from '../../../core/ports/counters.ts';
import { openService, type Service, SHADOW, START_MS } from './shadow-service.ts';

describe('a shadow', () => {
  it('runs after the answer, and has an entry that names its execution', async () => {
    const { begin, copies } = openService();
    const { text, served } = await begin('Hello');
    expect(JSON.parse(text).output).toBe('You said: one Hello');
    expect(copies()).toEqual([]);
    await served.finish();
    expect(copies()).toMatchObject([
      {
        executionId: 'e1#shadow',
        timeMs: START_MS,
        version: 'v2',
        shadow: { id: SHADOW.id, of: 'e1' },
        reason: 'shadow of e1',
        cache: 'off',
        outcome: 'success',
      },
    ]);
    expect(copies()[0]).not.toHaveProperty('rollout');
  });

  it('repeats streams as well', async () => {
    const { call, copies } = openService();
    expect((await call('Hello', { stream: true })).status).toBe(200);
    expect(copies()).toHaveLength(1);
  });

  it.each<[string, Service]>([
    ['of no share', { shadow: { basisPoints: 0 } }],
    ['that has ended', { shadow: { until: new Date(START_MS).toISOString() } }],
    ['whose end cannot be read', { shadow: { until: 'undefined' } }],
    ['of the deployed version', { shadow: { version: 'v1' } }],
    ['where answers wait for the work after them', { replace: () => ({ transferMode: 'BUFFERED' }) }],
  ])('repeats nothing %s', async (_, service) => {
    const { call, copies, spent } = openService(service);
    expect((await call('Hello')).status).toBe(200);
    expect([copies(), await spent()]).toEqual([[], { taken: 0, held: 0 }]);
  });

  it('repeats about its share, always the same executions', async () => {
    const ids = async () => {
      const { call, copies } = openService({ shadow: { basisPoints: 2_500 } });
      for (let at = 0; at < 80; at += 1) await call(`Hello ${at}`);
      return copies().map(({ executionId }) => executionId);
    };
    const first = await ids();
    expect(first.length).toBeGreaterThan(8);
    expect(first.length).toBeLessThan(36);
    expect(await ids()).toEqual(first);
  });

  it('writes lines without metrics, from which its entry can be restored', async () => {
    const { call, lines } = openService();
    await call('Hello');
    const own = lines.filter((line) => line.includes('e1#shadow'));
    const whole = own.flatMap((line) => parseLine(line) ?? []);
    expect(whole).toMatchObject([{ executionId: 'e1#shadow', shadow: { of: 'e1' } }]);
    expect(own.some((line) => line.includes('_aws'))).toBe(false);
    expect(own.flatMap((line) => parseOpenLine(line) ?? [])).toMatchObject([
      { entry: { executionId: 'e1#shadow', shadow: { of: 'e1' } } },
    ]);
  });

  it('never spends more than its budget, however many runs come at once, and books what was spent', async () => {
    const { call, copies, spent } = openService({ shadow: { budgetMicrodollars: 900_000 } });
    const answers = await Promise.all(Array.from({ length: 60 }, (_, at) => call(`Hello ${at}`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    for (let at = 0; at < 10; at += 1) await call(`More ${at}`);
    const sum = copies().reduce((total, { costMicrodollars }) => total + (costMicrodollars ?? 0), 0);
    expect(copies().length).toBeGreaterThan(0);
    expect(await spent()).toEqual({ taken: sum, held: 0 });
    expect(sum).toBeLessThanOrEqual(900_000);
  });

  it('leaves neither entry nor cost where its budget has no room', async () => {
    const { call, copies, spent } = openService({ shadow: { budgetMicrodollars: 1 } });
    expect((await call('Hello')).status).toBe(200);
    expect([copies(), await spent()]).toEqual([[], { taken: 0, held: 0 }]);
  });

  it('spends nothing while its counter cannot be written, and the caller notices nothing', async () => {
    const { call, copies } = openService({
      replace: ({ counters }) => ({
        counters: { ...counters, reserve: () => Promise.reject(new CounterFailure('unknown')) },
      }),
    });
    expect((await call('Hello')).status).toBe(200);
    expect(copies()).toEqual([]);
  });

  it('does not run a model without a price, and its entry says so', async () => {
    const { call, copies } = openService({
      flow: [{ callModel: { provider: 'models', model: 'unpriced', maxOutputTokens: 9 } }],
    });
    await call('Hello');
    expect(copies()).toMatchObject([
      { code: 'configuration', version: 'v2', costMicrodollars: 0, modelCalls: [] },
    ]);
  });

  it('changes no counter of callers', async () => {
    const limit = { rateLimits: [{ metric: 'requests', scope: 'total', limit: 3, period: '1d' }] };
    const { call, copies } = openService({ settings: limit });
    const statuses = [];
    for (const input of ['a', 'b', 'c', 'd']) statuses.push((await call(input)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(copies()).toHaveLength(3);
  });

  it('fails for nobody else: answers go on while its provider is down', async () => {
    const failing = [{ callModel: { provider: 'down', model: 'two', retries: 0 } }];
    const { call, copies } = openService({ flow: failing });
    for (let at = 0; at < 12; at += 1) expect((await call(`Hello ${at}`)).status).toBe(200);
    expect(copies()).toHaveLength(12);
    expect(new Set(copies().map(({ outcome }) => outcome))).toEqual(new Set(['failed']));
  });

  it('repeats no hit of the cache, and stores no answer', async () => {
    const { call, copies } = openService({ settings: { caching: { exact: true } } });
    await call('Hello');
    const second = JSON.parse((await call('Hello')).text);
    expect(second).toMatchObject({ output: 'You said: one Hello', fromCache: true });
    expect(copies()).toHaveLength(1);
  });

  it('keeps what it may spend where its function is ended before it is booked: once, in counter and line', async () => {
    const { begin, copies, lines, spent } = openService({
      replace: ({ counters }) => ({
        // The function is frozen for good.
        counters: { ...counters, settle: () => new Promise(() => undefined) },
      }),
    });
    const { served } = await begin('Hello');
    void served.finish();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(copies()).toEqual([]);
    const { taken, held } = await spent();
    expect([taken > 0, held]).toEqual([true, taken]);
    const open = lines.flatMap((line) => parseOpenLine(line) ?? []).filter(({ entry }) => entry.shadow);
    expect(open).toHaveLength(1);
    expect(open[0]?.entry.costMicrodollars).toBeLessThanOrEqual(taken);
  });

  it('runs once, however often its entry is put', async () => {
    const { begin, stored } = openService();
    const { served } = await begin('Hello');
    await served.finish();
    expect(stored.map(({ executionId }) => executionId)).toEqual(['e1', 'e1#shadow']);
  });
});

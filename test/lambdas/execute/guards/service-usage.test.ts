// The cost of guards by services: own rows in the usage, by units or tokens, and unknown where nothing says a price.
import { describe, expect, it } from 'vitest';
import type { CountedEntry } from '../../../../core/ports/usage.ts';
import { usageOf } from '../../../../core/usage/entry-usage.ts';
import { answerOf, KINDS, openKind, type ServiceKind } from './every-service.ts';
import { answerWith, received } from './one-service.ts';

const PRICES = { 'model/m': { input: 1, output: 1 }, 'models/guard': { input: 10, output: 100 } };
const COST_LIMIT = [{ metric: 'cost', limit: 1, period: 'day' }];

function kindOf(name: string): ServiceKind {
  const kind = KINDS[name];
  if (kind === undefined) throw new Error(`there is no kind ${name}`);
  return kind;
}

function open(name: string, use: object = {}, more: object = {}) {
  const kind = kindOf(name);
  answerWith((request) => answerOf(kind, 'pass', request));
  return openKind(kind, use, { prices: PRICES, ...more });
}

/** The rows of guards in the usage that an entry adds. */
function rowsOf(entry: unknown) {
  const rows = usageOf(entry as CountedEntry);
  return rows.flatMap(({ subject, amounts }) =>
    subject.kind === 'model' && subject.provider.startsWith('guard:') ? [{ ...subject, ...amounts }] : [],
  );
}

describe('guards by services in the usage', () => {
  it.each([
    ['webhook', { prices: { call: 0.002 } }, 'guard:webhook', 2_000, 0],
    ['presidio', { prices: { call: 0.002 } }, 'guard:presidio', 2_000, 0],
    ['moderation', { prices: { call: 0.002 } }, 'guard:openaiModeration', 2_000, 0],
    // A record for the shield and one for the analysis.
    ['azure', { prices: { record: 0.002 } }, 'guard:azureShield', 4_000, 0],
    // 100 tokens at 10 and 4 at 100 dollars a million.
    ['llama', {}, 'guard:classifier', 1_400, 104],
  ])('have a row of their own: %s', async (name, guard, provider, costMicrodollars, tokensInput) => {
    const { call, entries } = open(name, {}, { guard });
    await call({ input: 'Hello there' });
    expect(rowsOf(entries[0])).toMatchObject([
      { provider, model: 'ours', modelCalls: 1, costMicrodollars, tokensInput },
    ]);
    expect(entries[0]?.costMicrodollars).toBe(costMicrodollars + 15);
  });

  it.each(['webhook', 'presidio', 'moderation'])('cost nothing without a price: %s', async (name) => {
    const { call, entries } = open(name, {}, { usageLimits: COST_LIMIT });
    expect((await call({ input: 'Hello there' })).status).toBe(200);
    expect(rowsOf(entries[0])).toMatchObject([{ costMicrodollars: 0 }]);
  });

  it.each(['azure', 'llama'])('cost what nobody knows without a price: %s', async (name) => {
    const { 'model/m': known } = PRICES;
    const { call, entries } = open(name, {}, { prices: { 'model/m': known } });
    expect((await call({ input: 'Hello there' })).status).toBe(200);
    expect(entries[0]?.costMicrodollars).toBeNull();
    expect(entries[0]?.modelCalls[0]).toMatchObject({ model: 'ours', costMicrodollars: null });
    expect(rowsOf(entries[0])).toMatchObject([{ modelCalls: 1, unknownCosts: 1, costMicrodollars: 0 }]);
  });

  it.each(['azure', 'llama'])('are not asked within a limit of cost without a price: %s', async (name) => {
    const { 'model/m': known } = PRICES;
    const { call, asked, entries } = open(
      name,
      {},
      { prices: { 'model/m': known }, usageLimits: COST_LIMIT },
    );
    const before = received().length;
    expect((await call({ input: 'Hello there' })).status).toBe(500);
    expect([asked, received().length - before]).toEqual([[], 0]);
    expect(entries[0]).toMatchObject({
      code: 'configuration',
      reason: 'a cost limit applies to a model without a price',
    });
  });

  it('fail nothing there with action flag, and the entry says that nobody judged', async () => {
    const { 'model/m': known } = PRICES;
    const more = { prices: { 'model/m': known }, usageLimits: COST_LIMIT };
    const { call, entries } = open('azure', { action: 'flag' }, more);
    expect((await call({ input: 'Hello there' })).status).toBe(200);
    expect(entries[0]?.guards).toMatchObject([{ guard: 'ours', notJudged: 'limits' }]);
    expect(rowsOf(entries[0])).toEqual([]);
  });
});

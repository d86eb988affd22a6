// Costs of model calls in microdollars, rounded up, and the lookup of prices.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { costOfUsage, findPrice } from '../../../core/pricing/cost.ts';
import { PRICE_TABLE } from '../../../core/pricing/price-table.ts';
import { organizationSchema } from '../../../core/settings/organization-schema.ts';

// gpt-4.1-mini: 0.40, 0.10 and 1.60 dollars per million tokens.
const mini = { input: 400_000, cachedInput: 100_000, output: 1_600_000 };

describe('the cost of a call', () => {
  test.each([
    [{ input: 0, output: 0 }, 0],
    [{ input: 1_000_000, output: 0 }, 400_000],
    [{ input: 0, output: 1_000_000 }, 1_600_000],
    // 0.4 and 1.6 microdollars: what is left over is rounded up once for the call.
    [{ input: 1, output: 0 }, 1],
    [{ input: 1, output: 1 }, 2],
    [{ input: 1, output: 2 }, 4],
    [{ input: 1_000, output: 1_000 }, 2_000],
    [{ input: 1_000, output: 0, cachedInput: 600 }, 220],
    // Reasoning is part of the output and costs nothing on top.
    [{ input: 0, output: 1_000, reasoning: 900 }, 1_600],
    // More cached than there was: no more than all of it.
    [{ input: 10, output: 0, cachedInput: 1_000_000 }, 1],
  ])('of %o is %i microdollars', (usage, cost) => {
    expect(costOfUsage(usage, mini)).toBe(cost);
  });

  // Claude Opus 4.5: 5, 0.50, 6.25, 10 and 25 dollars per million tokens; thinking at 30 for the test alone.
  const opus = {
    input: 5_000_000,
    cachedInput: 500_000,
    cacheWrite: 6_250_000,
    cacheWrite1h: 10_000_000,
    output: 25_000_000,
    reasoning: 30_000_000,
  };
  test.each([
    // 100 · 5 + 1000 · 0.5 + 200 · 6.25 + 50 · 10 + 10 · 25
    [{ input: 1_350, output: 10, cachedInput: 1_000, cacheWrite: 200, cacheWrite1h: 50 }, 3_000],
    [{ input: 1, output: 0, cacheWrite: 1 }, 7],
    [{ input: 0, output: 10, reasoning: 4 }, 270],
    // Parts beyond the whole: the dearest are counted, and no more than the whole.
    [{ input: 10, output: 1, cachedInput: 10, cacheWrite: 10, cacheWrite1h: 4, reasoning: 9 }, 108],
  ])('of a prompt cache and thinking, %o, is %i microdollars', (usage, cost) => {
    expect(costOfUsage(usage, opus)).toBe(cost);
  });

  it('takes the price of writes for writes of an hour, and that of input, where they have none', () => {
    const usage = { input: 1_000, output: 0, cacheWrite1h: 600 };
    expect(costOfUsage(usage, { input: 1_000_000, cacheWrite: 2_000_000, output: 0 })).toBe(1_600);
    expect(costOfUsage(usage, { input: 1_000_000, output: 0 })).toBe(1_000);
  });

  it('uses the input price for cached input without its own price', () => {
    expect(costOfUsage({ input: 1_000, output: 0, cachedInput: 600 }, { input: 400_000, output: 0 })).toBe(
      400,
    );
  });

  it('is exact when intermediate results exceed the safe integers', () => {
    // 999,999,999 tokens at 999,999,999.999999 dollars per million.
    const price = { input: 999_999_999_999_999, output: 0 };
    expect(costOfUsage({ input: 3, output: 0 }, price)).toBe(3_000_000_000);
  });

  it('is never negative, and of two calls at most one microdollar more than of both together', () => {
    const tokens = fc.nat(10_000_000);
    const usage = fc.record({ input: tokens, output: tokens, cachedInput: tokens });
    fc.assert(
      fc.property(usage, usage, (one, other) => {
        const cached = (of: typeof one) => Math.min(of.cachedInput, of.input);
        const together = costOfUsage(
          {
            input: one.input + other.input,
            output: one.output + other.output,
            cachedInput: cached(one) + cached(other),
          },
          mini,
        );
        const apart = costOfUsage(one, mini) + costOfUsage(other, mini);
        expect(together).toBeGreaterThanOrEqual(0);
        expect(apart - together).toBeGreaterThanOrEqual(0);
        expect(apart - together).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('the price of a model', () => {
  const organization = organizationSchema.parse({
    organization: 'acme',
    providers: {
      demo: { type: 'echo' },
      openai: { type: 'openai' },
      elsewhere: { type: 'openai', baseUrl: 'https://models.example.com/v1' },
      claude: { type: 'anthropic', apiKey: { secret: 'a' } },
      aws: { type: 'bedrock', region: 'us-east-1' },
    },
    prices: {
      'openai/gpt-4.1': { input: 1.5, output: 6 },
      'elsewhere/llama': { input: 0.000001, output: 0 },
    },
  });

  it('comes from the built-in table for the vendor’s own endpoint', () => {
    expect(findPrice(organization, 'openai', 'gpt-4.1-mini')).toEqual(mini);
    expect(findPrice(organization, 'claude', 'claude-haiku-4-5')).toEqual({
      input: 1_000_000,
      cachedInput: 100_000,
      cacheWrite: 1_250_000,
      cacheWrite1h: 2_000_000,
      output: 5_000_000,
    });
  });

  it('is the organization’s own price if there is one', () => {
    expect(findPrice(organization, 'openai', 'gpt-4.1')).toEqual({ input: 1_500_000, output: 6_000_000 });
    expect(findPrice(organization, 'elsewhere', 'llama')).toEqual({ input: 1, output: 0 });
  });

  it('is 0 for providers that charge nothing', () => {
    expect(findPrice(organization, 'demo', 'any')).toEqual({ input: 0, output: 0 });
  });

  test.each([
    ['openai', 'gpt-unheard-of'],
    ['elsewhere', 'gpt-4.1-mini'],
    ['aws', 'amazon.nova-lite-v1:0'],
    ['nobody', 'gpt-4.1-mini'],
    ['openai', '__proto__'],
    ['__proto__', 'gpt-4.1-mini'],
    ['openai', 'constructor'],
  ])('of %s/%s is unknown', (provider, model) => {
    expect(findPrice(organization, provider, model)).toBeUndefined();
  });
});

describe('the built-in table', () => {
  const { version, date, lists } = PRICE_TABLE;

  it('has a version and a date, and for each list its source and date of reading', () => {
    expect(version).toBe(3);
    expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    for (const { source, read } of lists) {
      expect(URL.canParse(source)).toBe(true);
      expect(read).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    }
  });

  it('marks a list as the vendor’s only when its source is a page of the vendor', () => {
    const own = /^https:\/\/(?:developers\.openai|platform\.claude)\.com\//;
    for (const { source, by } of lists) expect(own.test(source)).toBe(by === 'vendor');
  });

  it('has each model of a vendor only once', () => {
    const models = lists.flatMap(({ host, prices }) =>
      Object.keys(prices).map((model) => `${host}/${model}`),
    );
    expect(new Set(models).size).toBe(models.length);
  });

  it('has whole microdollars, and cached input is never dearer than other input', () => {
    for (const { input, cachedInput = 0, output } of lists.flatMap(({ prices }) => Object.values(prices))) {
      for (const price of [input, cachedInput, output]) expect(Number.isSafeInteger(price)).toBe(true);
      expect(cachedInput).toBeLessThan(input);
    }
  });
});

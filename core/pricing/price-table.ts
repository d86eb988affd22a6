// The built-in prices. An organization's own `prices` take precedence.

/** Microdollars per 1,000,000 tokens. */
export interface Price {
  readonly input: number;
  /** For input from the provider's prompt cache; when absent, the price of other input applies. */
  readonly cachedInput?: number | undefined;
  /** For input that is written to the prompt cache; when absent, the price of other input applies. */
  readonly cacheWrite?: number | undefined;
  /** For input that is written to it for an hour; when absent, `cacheWrite` applies. */
  readonly cacheWrite1h?: number | undefined;
  readonly output: number;
  /** For output that the model thought and did not say; when absent, the price of other output applies. */
  readonly reasoning?: number | undefined;
}

interface PriceList {
  /** The vendor's own endpoint. The prices apply to no other. */
  readonly host: string;
  /** The page that the prices were read from. */
  readonly source: string;
  /** `vendor`: a stored copy of the vendor's own page. `other`: a third party that quotes the vendor. */
  readonly by: 'vendor' | 'other';
  /** The date of reading; the stored copy may be older. */
  readonly read: string;
  /** By model, in microdollars per 1,000,000 tokens. */
  readonly prices: Readonly<Record<string, Price>>;
}

/** List prices of the vendors' own endpoints, standard processing. */
interface PriceTable {
  /** Incremented with every change. */
  readonly version: number;
  /** The date of the latest change. */
  readonly date: string;
  readonly lists: readonly PriceList[];
}

const dollars = (input: number, cachedInput: number, output: number): Price => ({
  input: Math.round(input * 1_000_000),
  cachedInput: Math.round(cachedInput * 1_000_000),
  output: Math.round(output * 1_000_000),
});

/** Writes cost 1.25 times the input for 5 minutes, twice for an hour (platform.claude.com/docs/en/build-with-claude/prompt-caching, "Pricing"). */
const anthropic = (input: number, cachedInput: number, output: number): Price => ({
  ...dollars(input, cachedInput, output),
  cacheWrite: Math.round(input * 1_250_000),
  cacheWrite1h: Math.round(input * 2_000_000),
});

const OPENAI = 'api.openai.com';
const ANTHROPIC = 'api.anthropic.com';
const READ = '2026-11-21';

export const PRICE_TABLE: PriceTable = {
  version: 3,
  date: '2026-11-23',
  lists: [
    {
      host: OPENAI,
      by: 'vendor',
      read: READ,
      source: 'https://developers.openai.com/ko-KR/api/docs/models/gpt-4.1-nano',
      prices: { 'gpt-4.1-nano': dollars(0.1, 0.025, 0.4) },
    },
    {
      host: OPENAI,
      by: 'other',
      read: READ,
      source: 'https://vercel.com/ai-gateway/models/gpt-4.1/providers',
      prices: { 'gpt-4.1': dollars(2, 0.5, 8) },
    },
    {
      host: OPENAI,
      by: 'other',
      read: READ,
      source: 'https://gist.github.com/ei-grad/9a7c000f3487bc01221c7bb5e2b3d74a',
      prices: { 'gpt-4.1-mini': dollars(0.4, 0.1, 1.6) },
    },
    {
      host: OPENAI,
      by: 'other',
      read: READ,
      source: 'https://github.com/CommitBrief/commitbrief/wiki/Provider-OpenAI',
      prices: { 'gpt-4o': dollars(2.5, 1.25, 10), 'gpt-4o-mini': dollars(0.15, 0.075, 0.6) },
    },
    {
      host: ANTHROPIC,
      by: 'vendor',
      read: READ,
      source: 'https://platform.claude.com/docs/en/about-claude/pricing',
      prices: {
        'claude-opus-5': anthropic(5, 0.5, 25),
        'claude-opus-4-8': anthropic(5, 0.5, 25),
        'claude-opus-4-7': anthropic(5, 0.5, 25),
        'claude-opus-4-6': anthropic(5, 0.5, 25),
        'claude-opus-4-5': anthropic(5, 0.5, 25),
      },
    },
    {
      host: ANTHROPIC,
      by: 'vendor',
      read: READ,
      source: 'https://platform.claude.com/docs/en/docs/about-claude/pricing',
      prices: {
        'claude-sonnet-4-6': anthropic(3, 0.3, 15),
        'claude-sonnet-4-5': anthropic(3, 0.3, 15),
        'claude-haiku-4-5': anthropic(1, 0.1, 5),
      },
    },
  ],
};

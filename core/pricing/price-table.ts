// The shipped prices. They are data: a new list is a new version here, and an organization's `prices` go before them.
import type { Price } from './cost.ts';

/** List prices of the vendors' own endpoints, standard processing, as they published them. */
export interface PriceTable {
  /** Counts up with every change. */
  readonly version: number;
  /** The day on which the sources were read. */
  readonly date: string;
  /** Vendor by the host of its endpoint. */
  readonly hosts: Readonly<Record<string, string>>;
  /** Where each vendor publishes its prices. */
  readonly sources: Readonly<Record<string, string>>;
  /** By vendor and model, in microdollars per 1,000,000 tokens. */
  readonly prices: Readonly<Record<string, Readonly<Record<string, Price>>>>;
}

const dollars = (input: number, cachedInput: number, output: number): Price => ({
  input: Math.round(input * 1_000_000),
  cachedInput: Math.round(cachedInput * 1_000_000),
  output: Math.round(output * 1_000_000),
});

export const PRICE_TABLE: PriceTable = {
  version: 1,
  date: '2026-11-21',
  hosts: { 'api.openai.com': 'openai', 'api.anthropic.com': 'anthropic' },
  sources: {
    openai: 'https://developers.openai.com/api/docs/pricing',
    anthropic: 'https://platform.claude.com/docs/en/about-claude/pricing',
  },
  prices: {
    openai: {
      'gpt-4.1': dollars(2, 0.5, 8),
      'gpt-4.1-mini': dollars(0.4, 0.1, 1.6),
      'gpt-4.1-nano': dollars(0.1, 0.025, 0.4),
      'gpt-4o': dollars(2.5, 1.25, 10),
      'gpt-4o-mini': dollars(0.15, 0.075, 0.6),
    },
    anthropic: {
      'claude-opus-5': dollars(5, 0.5, 25),
      'claude-opus-4-8': dollars(5, 0.5, 25),
      'claude-opus-4-7': dollars(5, 0.5, 25),
      'claude-opus-4-6': dollars(5, 0.5, 25),
      'claude-opus-4-5': dollars(5, 0.5, 25),
      'claude-sonnet-4-5': dollars(3, 0.3, 15),
      'claude-haiku-4-5': dollars(1, 0.1, 5),
    },
  },
};

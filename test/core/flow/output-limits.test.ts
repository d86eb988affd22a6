// The longest answers that callers may ask of models.
import { expect, it } from 'vitest';
import { maxOutputOf, UNKNOWN_MAXIMUM } from '../../../core/flow/request/output-limits.ts';

it.each([
  ['claude-opus-4-6', 128_000],
  ['claude-sonnet-4-6', 128_000],
  ['claude-sonnet-5', 128_000],
  ['us.anthropic.claude-haiku-4-5-20251001-v1:0', 64_000],
  ['anthropic.claude-opus-4-5-20251101-v1:0', 64_000],
  ['anthropic/claude-sonnet-4-20250514', 64_000],
  ['claude-opus-4-1-20250805', 32_000],
  ['claude-3-haiku-20240307', 4_096],
  ['gpt-5-mini', 128_000],
  ['o3', 100_000],
  ['openai/o4-mini', 100_000],
  ['GPT-4.1-mini', 32_768],
  ['gpt-4o-2024-08-06', 16_384],
  ['gpt-3.5-turbo', 4_096],
])('of %s are of %i tokens', (model, tokens) => {
  expect(maxOutputOf(model)).toBe(tokens);
});

it.each(['echo-1', 'llama3.1', 'o1x', 'my-gpt-4o', 'not-claude-opus-4-6', ''])(
  'of %j, which is none of them, are those of an unknown model',
  (model) => {
    expect(maxOutputOf(model)).toBe(UNKNOWN_MAXIMUM);
  },
);

// Each member of the vendors' types at each provider: sent, left out by name, passed over, or refused; the tables say which.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Case, openGateway, outcomeOf, PROVIDERS } from './cases.ts';
import { CHAT } from './chat.ts';
import { MESSAGES } from './messages.ts';
import { RESPONSES } from './responses.ts';

beforeAll(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});
afterAll(() => {
  vi.unstubAllEnvs();
});

/** Both leave the request as it is, without a word. */
const SILENT: ReadonlySet<unknown> = new Set(['read', 'passed over']);

function expectedOf(outcome: Case[1]): readonly unknown[] {
  const each = typeof outcome === 'string' ? PROVIDERS.map(() => outcome) : outcome;
  return each.map((one) => (SILENT.has(one) ? 'silent' : one));
}

describe.each([
  ['openai', CHAT],
  ['responses', RESPONSES],
  ['anthropic', MESSAGES],
] as const)('the types of %s', (surface, groups) => {
  it.each(groups)('become of $name what the table says', async (group) => {
    const call = openGateway(surface);
    const found: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const [name, [value, outcome]] of Object.entries(group.members)) {
      const outcomes = [];
      for (const provider of PROVIDERS) {
        outcomes.push((await outcomeOf(call, provider, group, [name, value])).outcome);
      }
      found[name] = outcomes.join(', ');
      expected[name] = expectedOf(outcome).join(', ');
    }
    expect(found).toEqual(expected);
  });
});

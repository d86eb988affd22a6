// Families of programs, by what released ones send as User-Agent.
import { expect, it } from 'vitest';
import { clientKindOf } from '../../../core/logs/client-kind.ts';

it.each([
  ['claude-code', 'claude-cli/2.1.330 (external, sdk-cli)'],
  ['codex', 'codex_exec/0.169.0 (Debian 12; x86_64) unknown (codex_exec; 0.169.0)'],
  ['opencode', 'opencode/1.18.33 ai-sdk/provider-utils/5.0.1 runtime/bun/1.3.0'],
  ['openai-agents', 'Agents/JavaScript 0.20.0'],
  ['openai-agents', 'Agents/Python 0.24.0'],
  ['langchain', 'langchainjs-openai/1.0.0'],
  ['ai-sdk', 'ai/7.0.173 ai-sdk/provider-utils/5.0.1 runtime/node.js/24'],
  ['openai-node', 'OpenAI/JS 7.57.0'],
  ['openai-python', 'OpenAI/Python 3.54.0'],
  ['openai-python', 'AsyncOpenAI/Python 3.54.0'],
  ['anthropic-node', 'Anthropic/JS 1.12.0'],
  ['anthropic-python', 'AsyncAnthropic/Python 2.12.0'],
  ['curl', 'curl/8.5.0'],
  ['browser', 'Mozilla/5.0 (X11; Linux x86_64)'],
  ['other', 'python-httpx/0.28'],
  ['other', ' codex'],
  ['other', 'x'.repeat(100_000)],
  ['other', '<script>'],
])('%s: %s', (kind, userAgent) => {
  expect(clientKindOf(userAgent)).toBe(kind);
});

it('is nothing where a program says nothing', () => {
  expect([clientKindOf(undefined), clientKindOf('')]).toEqual([undefined, undefined]);
});

// What an entry says of the program that called: its surface, its family and a digest of its session, and of none of them more than that.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect, it } from 'vitest';
import type { LogEntry } from '../../../core/contract/log-entry.ts';
import { parseLine } from '../../../core/logs/line.ts';
import { serve } from '../../../lambdas/execute/serve.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryCounters } from '../../support/memory/counters.ts';
import { createMemoryResponseCache } from '../../support/memory/response-cache.ts';
import { eventOf, portsOf } from './memory-ports.ts';
import { finish } from './served.ts';

type SurfaceName = 'native' | 'openai' | 'responses' | 'anthropic';

const SECRET = 'session-7f3a';
const BODIES: Readonly<Record<SurfaceName, object>> = {
  native: { input: 'Hello' },
  openai: { model: 'hello', messages: [{ role: 'user', content: 'Hello' }] },
  responses: { model: 'hello', input: 'Hello' },
  anthropic: { model: 'hello', max_tokens: 10, messages: [{ role: 'user', content: 'Hello' }] },
};

/** The entry of one call, its line, and all that was kept of it. */
async function entryOf(
  surface: SurfaceName,
  headers: Readonly<Record<string, string>>,
  members: object = {},
  bodies = 'hash',
) {
  const clock = createMemoryClock(Date.UTC(2026, 10, 22, 12));
  const entries: LogEntry[] = [];
  const lines: string[] = [];
  const neuron = {
    settings: { logging: { bodies } },
    flow: [{ callModel: { provider: 'demo', model: 'echo-1', accepts: 'all' } }],
  };
  const memory = portsOf(
    { providers: { demo: { type: 'echo' } }, neurons: { hello: neuron } },
    createMemoryCounters(),
    {
      clock,
      responses: createMemoryResponseCache(),
      logs: { put: async (entry) => entries.push(entry) > 0 },
      openHttp: () => {
        throw new Error('nothing is asked');
      },
    },
  );
  const ports = { ...memory, lines: { write: (line: string) => void lines.push(line) } };
  const event = eventOf(
    'hello',
    { ...BODIES[surface], ...members },
    { stream: false, surface },
    'call-1',
    clock,
  );
  const sent = Object.entries(headers).map(([name, value]) => [name, [value]] as const);
  const multiValueHeaders = { ...event.multiValueHeaders, ...Object.fromEntries(sent) };
  const asked = { ...event, multiValueHeaders } as APIGatewayProxyEvent;
  const { status, body } = await finish(await serve(asked, new AbortController().signal, ports));
  expect([status, status === 200 ? '' : body]).toEqual([200, '']);
  expect(JSON.stringify([entries, lines])).not.toContain(SECRET);
  const [{ surface: kept, clientKind, session } = {} as Partial<LogEntry>] = entries;
  const restored = lines.map((line) => parseLine(line)).find((entry) => entry !== undefined);
  return { said: { surface: kept, clientKind, session }, restored };
}

const AGENT = { 'user-agent': 'codex_exec/0.169.0' };

it.each(['native', 'openai', 'responses', 'anthropic'] as const)(
  'is kept of a call by %s',
  async (surface) => {
    const { said, restored } = await entryOf(surface, { ...AGENT, 'session-id': SECRET });
    const session = expect.stringMatching(/^[\w-]{22}$/);
    expect(said).toEqual({ surface, clientKind: 'codex', session });
    // Who reads lines has no key.
    expect(restored).toMatchObject({ surface, clientKind: 'codex' });
    expect(restored?.session).toBeUndefined();
  },
);

it('is the same for the same session, wherever it is named, and whatever of texts is kept', async () => {
  const named = [
    await entryOf('anthropic', { 'x-claude-code-session-id': SECRET }),
    await entryOf('openai', { 'x-session-id': SECRET }, {}, 'none'),
    await entryOf('responses', { session_id: SECRET }, { prompt_cache_key: 'another' }),
    await entryOf('openai', {}, { prompt_cache_key: SECRET }),
    await entryOf('responses', {}, { prompt_cache_key: SECRET }),
    await entryOf('anthropic', {}, { metadata: { user_id: SECRET } }),
  ];
  const sessions = new Set(named.map(({ said }) => said.session));
  expect([sessions.size, [...sessions][0]?.length]).toEqual([1, 22]);
  const { said } = await entryOf('openai', { 'x-session-id': 'other' });
  expect(sessions.has(said.session)).toBe(false);
});

it.each([
  ['nothing', {}, {}],
  ['an empty name', { 'session-id': '', 'user-agent': '' }, {}],
  ['a very long name', { 'session-id': 'x'.repeat(201) }, {}],
  ['a name that is no text', {}, { metadata: { user_id: 7 } }],
  ['metadata that are no object', {}, { metadata: 'x' }],
])('is left out for %s', async (_what, headers, members) => {
  const { said } = await entryOf('anthropic', headers, members);
  expect(said).toEqual({ surface: 'anthropic', clientKind: undefined, session: undefined });
});

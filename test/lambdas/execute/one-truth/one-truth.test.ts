// Four surfaces in front of four vendors: one truth of text, calls, finish, usage and cost, whole and streamed, and never a part that ends as
// a whole.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { LogEntry } from '../../../../core/contract/log-entry.ts';
import { serve } from '../../../../lambdas/execute/serve.ts';
import { createStreamHttp, type StreamedAnswer } from '../../../adapters/providers/stream-http.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';
import { createMemoryCounters } from '../../../support/memory/counters.ts';
import { createMemoryResponseCache } from '../../../support/memory/response-cache.ts';
import { eventOf, portsOf } from '../memory-ports.ts';
import { finish } from '../served.ts';
import { type SurfaceName, type Understood, understand } from './read.ts';
import { COUNTED, type Said, VENDORS } from './vendors.ts';

beforeAll(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});
afterAll(() => {
  vi.unstubAllEnvs();
});

const SURFACES: readonly SurfaceName[] = ['native', 'openai', 'responses', 'anthropic'];

const CASES: Readonly<Record<string, Said>> = {
  text: { text: 'Gr\u00fc\u00dfe, \ud83d\ude00 und\ttab', finish: 'stop' },
  'two tools': {
    text: 'Let me look.',
    calls: [
      { id: 'call_1', name: 'look', input: { at: 'a "b" \\ \u00e9' } },
      { id: 'call_2', name: 'look', input: {} },
    ],
    finish: 'calls',
  },
  'a call alone': { text: '', calls: [{ id: 'call_1', name: 'look', input: { at: 1 } }], finish: 'calls' },
  schema: { text: '{"a":1}', finish: 'stop' },
  refusal: { text: 'I will not.', finish: 'refused' },
  length: { text: 'Cut o', finish: 'length' },
  thinking: { thought: 'Hm, \ud83d\ude00.', text: 'Hi', finish: 'stop' },
};

/** A request of each surface: its turn, and a tool or a schema where the case needs one. */
function requestOf(surface: SurfaceName, name: string): object {
  const parameters = { type: 'object', properties: {} };
  const schema = { type: 'object', properties: { a: { type: 'number' } } };
  const isSchema = name === 'schema';
  const hasTools = name.includes('call') || name.includes('tools');
  const turn = { messages: [{ role: 'user', content: 'Hi' }] };
  const tool = { type: 'function', function: { name: 'look', parameters } };
  const format = { type: 'json_schema', json_schema: { name: 's', schema } };
  switch (surface) {
    case 'native':
      return {
        ...turn,
        ...(hasTools ? { tools: [tool] } : {}),
        ...(isSchema ? { responseFormat: format } : {}),
      };
    case 'openai':
      return {
        model: 'n',
        ...turn,
        ...(hasTools ? { tools: [tool] } : {}),
        ...(isSchema ? { response_format: format } : {}),
      };
    case 'responses':
      return {
        ...{ model: 'n', store: false, input: 'Hi' },
        ...(hasTools ? { tools: [{ type: 'function', name: 'look', parameters }] } : {}),
        ...(isSchema ? { text: { format: { type: 'json_schema', name: 's', schema } } } : {}),
      };
    case 'anthropic':
      return {
        ...{ model: 'n', max_tokens: 500, ...turn },
        ...(hasTools ? { tools: [{ name: 'look', input_schema: parameters }] } : {}),
        ...(isSchema ? { output_config: { format: { type: 'json_schema', schema } } } : {}),
      };
  }
}

/** A function whose neuron asks this vendor, which answers so. */
function openFunction(vendor: string, answer: (isStream: boolean) => StreamedAnswer) {
  const clock = createMemoryClock(Date.UTC(2026, 10, 22, 12));
  const entries: LogEntry[] = [];
  const callModel = { provider: 'p', model: 'm', maxTokens: 500, retries: 0, accepts: 'all' };
  const ports = portsOf(
    {
      providers: { p: VENDORS[vendor]?.settings ?? {} },
      prices: { 'p/m': { input: 1, cachedInput: 0.1, output: 2 } },
      neurons: { n: { flow: [{ callModel }] } },
    },
    createMemoryCounters(),
    {
      clock,
      responses: createMemoryResponseCache(),
      logs: { put: async (entry) => entries.push(entry) > 0 },
      openHttp: (request) => {
        const { body = '', url } = request;
        const isStream = body.includes('"stream":true') || url.endsWith('converse-stream');
        return createStreamHttp(answer(isStream)).openHttp(request);
      },
    },
  );
  let asked = 0;
  return {
    entries,
    async ask(surface: SurfaceName, name: string, isStream: boolean) {
      asked += 1;
      const isNative = surface === 'native';
      const json = {
        ...requestOf(surface, name),
        ...(isNative || !isStream ? {} : { stream: true }),
        ...(surface === 'openai' && isStream ? { stream_options: { include_usage: true } } : {}),
      };
      const form = { surface, stream: isNative && isStream };
      const event = eventOf('n', json, form, `call-${asked}`, clock);
      return finish(await serve(event as APIGatewayProxyEvent, new AbortController().signal, ports));
    },
  };
}

const answerOf =
  (vendor: string, said: Said) =>
  (isStream: boolean): StreamedAnswer => {
    const { whole, stream, contentType } = VENDORS[vendor] ?? VENDORS['chat']!;
    return isStream
      ? { headers: { 'content-type': contentType }, pieces: [stream(said)] }
      : { headers: { 'content-type': 'application/json' }, pieces: [JSON.stringify(whole(said))] };
  };

/** The truth as this surface can say it. `isLate`: the vendor counts the input when all else is said, and Messages says a count of its own at first. */
function truthOf(
  surface: SurfaceName,
  { text, calls = [], finish: ended }: Said,
  isLate: boolean,
): Understood {
  const { input, cached, output } = COUNTED;
  const counted = surface === 'anthropic' && isLate ? expect.any(Number) : input - cached;
  const isSilent = surface === 'native' && ended !== 'refused' && ended !== 'calls';
  return {
    ...{ text, calls, finish: isSilent ? 'end' : ended },
    ...(surface === 'native' ? {} : { usage: { input: counted, cached, output } }),
  };
}

/** Microdollars, rounded up: 32 tokens at $1 for a million, 8 at $0.10 and 12 at $2. */
const COST = 57;

describe.each(Object.keys(VENDORS))('a model of the form of %s', (vendor) => {
  it.each(Object.entries(CASES))('says the same on every surface: %s', async (name, said) => {
    for (const surface of SURFACES) {
      for (const isStream of [false, true]) {
        const { ask, entries } = openFunction(vendor, answerOf(vendor, said));
        const { status, body } = await ask(surface, name, isStream);
        expect([surface, isStream, status, understand(surface, body, isStream)]).toEqual([
          ...[surface, isStream, 200],
          truthOf(surface, said, isStream && vendor !== 'anthropic'),
        ]);
        expect(entries[0]).toMatchObject({
          ...{ tokensInput: COUNTED.input, tokensOutput: COUNTED.output, costMicrodollars: COST },
          outcome: said.finish === 'refused' ? 'stopped' : 'success',
        });
      }
    }
  });

  it('ends as a whole on no surface where it is cut, wherever that is', { timeout: 600_000 }, async () => {
    const stride = process.env['NEURON_E2E_LONG'] === undefined ? 83 : 1;
    const problems: string[] = [];
    for (const [name, said] of Object.entries(CASES)) {
      const bytes = VENDORS[vendor]?.stream(said) ?? Buffer.alloc(0);
      const end = lastNeeded(vendor, bytes);
      for (let at = 0; at < end; at += stride) {
        for (const surface of SURFACES) {
          const cut = () => ({
            headers: { 'content-type': VENDORS[vendor]?.contentType ?? '' },
            pieces: [bytes.subarray(0, at)],
          });
          const { ask, entries } = openFunction(vendor, cut);
          const { status, body } = await ask(surface, name, true);
          const isWhole = status === 200 && understand(surface, body, true) !== undefined;
          if (isWhole || entries[0]?.outcome !== 'failed') problems.push(`${name} ${surface} ${at}`);
        }
      }
    }
    expect(problems).toEqual([]);
  });
});

/** The bytes without which an answer is no whole one: some protocols have more behind its end. */
function lastNeeded(vendor: string, bytes: Buffer): number {
  const text = bytes.toString('latin1');
  if (vendor === 'chat') return text.lastIndexOf('finish_reason":"') + 1;
  if (vendor === 'bedrock') return text.lastIndexOf('messageStop') + 1;
  return bytes.length - 2;
}

// A provider's stream that begins again within an answer, at each of its events, through the whole function: the caller hears an error and
// never a text twice, and nothing is cached.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PROTOCOLS, sse } from '../../../adapters/providers/streams/protocols.ts';
import { createMemoryCounters } from '../../../support/memory/counters.ts';
import { type Execution, loadExecution } from './execution.ts';

const PROVIDERS = {
  openai: { type: 'openai', baseUrl: 'https://api.example.com/v1', apiKey: { secret: 'key' } },
  'openai-responses': {
    type: 'openai',
    api: 'responses',
    baseUrl: 'https://api.example.com/v1',
    apiKey: { secret: 'key' },
  },
  anthropic: { type: 'anthropic', baseUrl: 'https://api.example.com', apiKey: { secret: 'key' } },
  bedrock: { type: 'bedrock', region: 'us-east-1' },
};
const DELTAS = ['Take 1 ', 'tablet', ' a day'];
const TEXT = DELTAS.join('');

let execution: Execution;
beforeAll(async () => {
  const flowOf = (provider: string) => [{ callModel: { provider, model: 'm', maxTokens: 30, retries: 0 } }];
  execution = await loadExecution(
    {
      providers: PROVIDERS,
      neurons: Object.fromEntries(
        Object.keys(PROVIDERS).map((name) => [
          name,
          { settings: { caching: { exact: true } }, flow: flowOf(name) },
        ]),
      ),
    },
    createMemoryCounters(),
  );
});
afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

/** Events of a body: frames of Bedrock begin with their length, others end with an empty line. */
function eventsOf(name: string, body: Buffer): readonly Buffer[] {
  const events: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const end = name === 'bedrock' ? at + body.readUInt32BE(at) : body.indexOf('\n\n', at) + 2;
    events.push(body.subarray(at, end));
    at = end;
  }
  return events;
}

/** As OpenAI and the servers like it send them: an id in each chunk, and the role in the first. */
function completionEvents(id: string): readonly Buffer[] {
  const chunk = (delta: object, finish_reason: string | null = null) =>
    sse({ id, choices: [{ index: 0, delta, finish_reason }] });
  const texts = DELTAS.map((content) => chunk({ content }));
  const all = [chunk({ role: 'assistant', content: '' }), ...texts, chunk({}, 'stop'), sse('[DONE]')];
  return all.map((event) => Buffer.from(event));
}

let asked = 0;

describe.each(PROTOCOLS)('an answer of $name', ({ name, contentType, encode }) => {
  const isChat = name === 'openai';
  const events = isChat ? completionEvents('chatcmpl-1') : eventsOf(name, encode(DELTAS));
  const again = isChat ? completionEvents('chatcmpl-2') : events;
  const firstText = events.findIndex((event) => event.includes('Take 1 '));

  async function ask(pieces: readonly Buffer[], stream: boolean) {
    const before = execution.stored();
    execution.answerWith(() => ({ headers: { 'content-type': contentType }, pieces }));
    asked += 1;
    const { status, body } = await execution.call(name, { input: `How many? ${asked}` }, { stream });
    return { status, body: body.toString(), stored: execution.stored() - before };
  }

  it('is whole and cached where it comes once', async () => {
    const { status, body, stored } = await ask(events, true);
    expect({ status, stored }).toEqual({ status: 200, stored: 1 });
    expect(body).toContain(`"output":"${TEXT}"`);
  });

  it.each(events.slice(1).map((_event, index) => index + 1))(
    'is never two of them where it begins again after %d events',
    async (count) => {
      const { body, stored } = await ask([...events.slice(0, count), ...again], true);
      if (count > firstText) {
        expect(body).toContain('"code":"upstream_unavailable"');
        expect(stored).toBe(0);
      }
      // Before the first text, two beginnings may be one; there is never more than one answer.
      if (stored === 1) expect(body).toContain(`"output":"${TEXT}"`);
      else expect(body).not.toContain('"output"');
    },
  );
});

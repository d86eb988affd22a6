// A provider with `api: responses`: its answers, whole and streamed.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createResponseReader } from '../../../../adapters/providers/openai/responses/read-events.ts';
import { toModelResult } from '../../../../adapters/providers/openai/responses/response.ts';
import { readAnswer } from '../../../../adapters/providers/streams/read-answer.ts';
import { createSseDecoder } from '../../../../adapters/providers/streams/sse-decoder.ts';
import { collectModelEvents } from '../../../../core/ports/model-events.ts';
import { createStreamHttp } from '../stream-http.ts';
import { named } from '../streams/protocols.ts';

const { signal } = new AbortController();

function recorded(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8')).body;
}

/** The same answer as the stream in which it would have come. */
async function streamed(response: { readonly output: readonly object[]; readonly status?: string }) {
  const status = response.status ?? 'completed';
  const events = [
    { type: 'response.created', response: { ...response, output: [] } },
    ...response.output.map((item, output_index) => ({
      type: 'response.output_item.done',
      output_index,
      item,
    })),
    { type: `response.${status}`, response },
  ];
  const { openHttp } = createStreamHttp({ pieces: events.map(named) });
  const opened = await openHttp({ method: 'POST', url: 'https://api.example.com', signal });
  return collectModelEvents(readAnswer(opened, createSseDecoder(), createResponseReader()));
}

const message = (...content: readonly object[]) => ({ type: 'message', role: 'assistant', content });
const said = (text: string) => message({ type: 'output_text', text });
const usage = { input_tokens: 9, output_tokens: 7 };
const answer = (output: readonly object[], members: object = {}) => ({
  ...{ object: 'response', status: 'completed', model: 'gpt-5', output, usage },
  ...members,
});
const sealed = (summary: readonly object[]) => ({
  ...{ type: 'reasoning', id: 'rs_1', summary, encrypted_content: 'AAAA' },
});
const SUMMARY = [{ type: 'summary_text', text: 'Hm.' }];

describe('an answer', () => {
  it('of the real service is read, whole', () => {
    expect(toModelResult(recorded('recorded-call'), 200)).toEqual({
      text: '',
      toolCalls: [
        {
          id: 'call_90uO5LcGP5vTBTCrjyhYtWsA',
          name: 'get_current_weather',
          arguments: { location: 'Seattle, WA' },
        },
      ],
      finish: 'toolCalls',
      usage: { input: 72, output: 8 },
      modelVersion: 'gpt-4o-mini-2024-07-18',
    });
    const { text, ...thought } = toModelResult(recorded('recorded-reasoning'), 200);
    expect(text).toMatch(/^```bash\n#!\/usr\/bin\/env bash/);
    expect(thought).toMatchObject({ finish: 'stop', usage: { input: 44, output: 288, reasoning: 9 } });
  });

  it.each<[string, object, object]>([
    ['a text', answer([said('Hi'), said('!')]), { text: 'Hi!', finish: 'stop' }],
    [
      'a refusal',
      answer([message({ type: 'refusal', refusal: 'No.' })]),
      { text: 'No.', finish: 'filtered' },
    ],
    [
      'a cut',
      answer([said('Hi')], { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }),
      { text: 'Hi', finish: 'length' },
    ],
    [
      'a filter',
      answer([said('Hi')], { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }),
      { text: 'Hi', finish: 'filtered' },
    ],
    [
      'an end for reasons that nobody knows',
      answer([said('Hi')], { status: 'incomplete', incomplete_details: { reason: 'steered' } }),
      { text: 'Hi', finish: 'other' },
    ],
    [
      'usage in parts',
      answer([said('x')], {
        usage: {
          ...usage,
          input_tokens_details: { cached_tokens: 4 },
          output_tokens_details: { reasoning_tokens: 3 },
        },
      }),
      { usage: { input: 9, output: 7, cachedInput: 4, reasoning: 3 } },
    ],
    ['no usage', answer([said('x')], { usage: null }), { usage: undefined }],
    ['items that nobody knows', answer([{ type: 'novelty' }, said('x')]), { text: 'x' }],
    [
      'thoughts, of which the second has no words',
      answer([sealed(SUMMARY), said('x'), { ...sealed([]), id: 'rs_2' }, said('y')]),
      {
        text: 'xy',
        blocks: [
          {
            type: 'thought',
            thought: {
              origin: 'openai',
              text: 'Hm.',
              payload:
                '{"id":"rs_1","summary":[{"type":"summary_text","text":"Hm."}],"encrypted_content":"AAAA"}',
            },
          },
          { type: 'text', text: 'x' },
          {
            type: 'thought',
            thought: { origin: 'openai', payload: '{"id":"rs_2","summary":[],"encrypted_content":"AAAA"}' },
          },
          { type: 'text', text: 'y' },
        ],
      },
    ],
  ])('with %s is the same whole and streamed', async (_what, response, wanted) => {
    const whole = toModelResult(response, 200);
    expect(whole).toMatchObject(wanted);
    expect(await streamed(response as Parameters<typeof streamed>[0])).toEqual(whole);
  });

  it.each<[string, unknown, string]>([
    ['no object', 'x', 'malformed_answer'],
    ['a chat completion', { object: 'chat.completion', status: 'completed' }, 'malformed_answer'],
    ['one in the background', answer([], { status: 'queued' }), 'malformed_answer'],
    [
      'a rate limit',
      answer([], { status: 'failed', error: { code: 'rate_limit_exceeded' } }),
      'rate_limited',
    ],
    ['a failure', answer([], { status: 'failed', error: { code: 'server_error' } }), 'unavailable'],
    [
      'a long context',
      answer([], { status: 'failed', error: { code: 'context_length_exceeded' } }),
      'context_too_long',
    ],
    [
      'a call without a name',
      answer([{ type: 'function_call', call_id: 'c', arguments: '{}' }]),
      'malformed_answer',
    ],
  ])('that is %s is a failure', (_what, response, kind) => {
    expect(() => toModelResult(response, 200)).toThrow(expect.objectContaining({ kind }));
  });

  it('that begins again in the middle, or fails there, is none', async () => {
    const begun = named({ type: 'response.created' });
    const text = named({ type: 'response.output_text.delta', ...{ output_index: 0, delta: 'x' } });
    const error = named({ type: 'error', ...{ code: 'server_error', message: 'm' } });
    const done = named({ type: 'response.completed', ...{ response: answer([said('x')]) } });
    for (const pieces of [
      [begun, text, begun, done],
      [begun, text, error, done],
      [begun, text],
    ]) {
      const { openHttp } = createStreamHttp({ pieces });
      const opened = await openHttp({ method: 'POST', url: 'https://api.example.com', signal });
      const events = readAnswer(opened, createSseDecoder(), createResponseReader());
      await expect(collectModelEvents(events)).rejects.toMatchObject({ kind: 'truncated' });
    }
  });
});

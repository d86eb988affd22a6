// What becomes of every field of a chat completion request: honoured, refused by its name, or left out by it; none is dropped unnamed.
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../../core/contract/service-error.ts';
import { OPENAI_FIELDS } from '../../../../core/surfaces/openai/fields.ts';
import { OPENAI } from '../../../../core/surfaces/openai/index.ts';
import { parseOpenaiInvocation } from '../../../../core/surfaces/openai/parse.ts';
import { PUBLISHED_FIELDS, PUBLISHED_VERSION } from './published-schema.ts';

const USER = { role: 'user', content: 'Hello' };
const BASE = { model: 'hello', messages: [USER] };
const TOOL = {
  type: 'function',
  function: { name: 'weather', description: 'd', parameters: { type: 'object' } },
};

function parse(more: object, maxInputBytes = 262_144) {
  const body = JSON.stringify({ ...BASE, ...more });
  const unparsed = { body, bypassCache: [], rawOutput: [], accept: [] };
  return parseOpenaiInvocation(unparsed, { organization: 'acme', neuron: 'hello', maxInputBytes });
}

/** Status, `param` and text of the refusal, as the caller gets them. */
function refusal(more: object, maxInputBytes?: number): string {
  try {
    parse(more, maxInputBytes);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, param, detail: text } = error;
    const answer = OPENAI.renderError(code, { param, text });
    const { error: said } = JSON.parse(answer.body) as { error: { param: string; message: string } };
    return `${answer.status} ${said.param}: ${said.message}`;
  }
  throw new Error('the request was taken');
}

/** A value of each honoured field, and what it becomes. */
const TAKEN: Readonly<Record<string, readonly [options: object, becomes: object]>> = {
  messages: [
    { messages: [{ role: 'developer', content: 'Be brief.' }, USER] },
    { conversation: { system: [{ text: 'Be brief.' }], messages: [{ role: 'user' }] }, input: 'Hello' },
  ],
  model: [{ model: 'acme/hello' }, { completion: { model: 'acme/hello' } }],
  frequency_penalty: [
    { frequency_penalty: 0.1 },
    { conversation: { parameters: { frequencyPenalty: 0.1 } } },
  ],
  logit_bias: [
    { logit_bias: { 50256: -100 } },
    { conversation: { parameters: { logitBias: { 50256: -100 } } } },
  ],
  parallel_tool_calls: [
    { tools: [TOOL], parallel_tool_calls: false },
    { conversation: { parameters: { parallelToolCalls: false } } },
  ],
  presence_penalty: [{ presence_penalty: -0.1 }, { conversation: { parameters: { presencePenalty: -0.1 } } }],
  prompt_cache_key: [{ prompt_cache_key: 'k' }, { conversation: { promptCacheKey: 'k' } }],
  reasoning_effort: [
    { reasoning_effort: 'low' },
    { conversation: { parameters: { reasoningEffort: 'low' } } },
  ],
  verbosity: [{ verbosity: 'low' }, { conversation: { parameters: { verbosity: 'low' } } }],
  max_completion_tokens: [{ max_completion_tokens: 9 }, { conversation: { parameters: { maxTokens: 9 } } }],
  max_tokens: [
    { max_tokens: 9 },
    { conversation: { parameters: { maxTokens: 9 } }, completion: { usesMaxTokens: true } },
  ],
  response_format: [
    {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'a', schema: { type: 'object' }, strict: true },
      },
    },
    { conversation: { schema: { name: 'a', schema: { type: 'object' }, strict: true } } },
  ],
  seed: [{ seed: 7 }, { conversation: { parameters: { seed: 7 } } }],
  stop: [{ stop: 'end' }, { conversation: { parameters: { stop: ['end'] } } }],
  stream: [{ stream: true }, { stream: true, completion: { includeUsage: false } }],
  stream_options: [
    { stream: true, stream_options: { include_usage: true, include_obfuscation: false } },
    { stream: true, completion: { includeUsage: true } },
  ],
  temperature: [{ temperature: 0.5 }, { conversation: { parameters: { temperature: 0.5 } } }],
  tool_choice: [
    { tools: [TOOL], tool_choice: { type: 'function', function: { name: 'weather' } } },
    { conversation: { toolChoice: { name: 'weather' } } },
  ],
  tools: [{ tools: [TOOL] }, { conversation: { tools: [{ name: 'weather', description: 'd' }] } }],
  top_p: [{ top_p: 0.9 }, { conversation: { parameters: { topP: 0.9 } } }],
};

const REFUSED: Readonly<Record<string, unknown>> = {
  audio: { voice: 'alloy', format: 'mp3' },
  function_call: 'auto',
  functions: [{ name: 'a' }],
  logprobs: true,
  modalities: ['text', 'audio'],
  moderation: {},
  n: 2,
  prediction: { type: 'content', content: 'a' },
  top_logprobs: 2,
  web_search_options: {},
};

/** Each changes nothing at all; a caller is named by its credential alone. */
const LEFT_OUT: Readonly<Record<string, unknown>> = {
  metadata: { customer: 'c1' },
  prompt_cache_options: {},
  prompt_cache_retention: '24h',
  safety_identifier: 's',
  service_tier: 'auto',
  store: true,
  user: 'ada',
};

const named = (treatment: string) =>
  Object.keys(OPENAI_FIELDS).filter((name) => OPENAI_FIELDS[name] === treatment);

describe('the fields of a chat completion', () => {
  it(`are those of OpenAI's document ${PUBLISHED_VERSION}, each with a decision`, () => {
    expect(PUBLISHED_FIELDS.length).toBeGreaterThan(30);
    expect(Object.keys(OPENAI_FIELDS).sort()).toEqual([...PUBLISHED_FIELDS].sort());
  });

  it('have an example each, below', () => {
    expect(Object.keys(TAKEN).sort()).toEqual(named('honoured').sort());
    expect(Object.keys(REFUSED).sort()).toEqual(named('refused').sort());
    expect(Object.keys(LEFT_OUT).sort()).toEqual(named('leftOut').sort());
  });

  it.each(Object.entries(TAKEN))('%s is honoured', (_name, [options, becomes]) => {
    expect(parse(options)).toMatchObject(becomes);
  });

  it.each(Object.entries(REFUSED))('%s is refused by its name', (name, value) => {
    expect(refusal({ [name]: value })).toBe(`400 ${name}: "${name}" is not supported.`);
  });

  it.each([
    ['frequency_penalty', 0],
    ['logprobs', false],
    ['modalities', ['text']],
    ['n', 1],
    ['parallel_tool_calls', true],
    ['presence_penalty', 0],
    ['top_logprobs', 0],
    ['verbosity', 'medium'],
    ['parallel_tool_calls', false],
    ['logit_bias', {}],
    ['seed', -1],
    ['stop', []],
    ['tools', []],
  ])('%s is taken as %j, which asks for what happens anyway', (name, value) => {
    expect(parse({ [name]: value })).toEqual(parse({}));
  });

  it.each(Object.entries(LEFT_OUT))('%s is left out by its name', (name, value) => {
    const { labels: _labels, ...parsed } = parse({ [name]: value });
    expect(parsed).toEqual({ ...parse({}), leftOut: [name] });
  });

  it.each(Object.keys(OPENAI_FIELDS).filter((name) => name !== 'model' && name !== 'messages'))(
    '%s may be null, which is absent',
    (name) => {
      expect(parse({ [name]: null })).toEqual(parse({}));
    },
  );

  it.each([
    [{ service_tier: 'priority' }, '400 service_tier: "service_tier" must be auto.'],
    [{ messages: null }, '400 messages: "messages" is missing.'],
    [{ model: null }, '400 model: "model" is missing.'],
    [{ model: 7 }, '400 model: "model" must be a text.'],
    [{ temperature: 3 }, '400 temperature: "temperature" must be a number from 0 to 2.'],
    [{ top_p: 2 }, '400 top_p: "top_p" must be a number from 0 to 1.'],
    [
      { max_completion_tokens: 0 },
      '400 max_completion_tokens: "max_completion_tokens" must be a number from 1 to 1000000.',
    ],
    [{ max_tokens: 0 }, '400 max_tokens: "max_tokens" must be a number from 1 to 1000000.'],
    [
      { max_tokens: 1, max_completion_tokens: 1 },
      '400 max_tokens: "max_tokens" and "max_completion_tokens" exclude each other.',
    ],
    [{ stop: [''] }, '400 stop[0]: "stop[0]" must be a text of 1 to 200 characters.'],
    [{ stream: 'yes' }, '400 stream: "stream" must be true or false.'],
    [
      { stream_options: { include_usage: true } },
      '400 stream_options: "stream_options" goes with "stream": true only.',
    ],
    [{ tool_choice: 'required' }, '400 tool_choice: "tool_choice" goes with tools only.'],
    [
      { tools: [TOOL], tool_choice: 'any' },
      '400 tool_choice: "tool_choice" must be one of auto, none, required.',
    ],
    [{ tools: [{ type: 'custom' }] }, '400 tools[0].type: "tools[0].type" must be one of function.'],
    [{ response_format: { type: 'grammar' } }, /^400 response_format\.type: /],
    [{ messages: [USER, { role: 'user', content: 7 }] }, /^400 messages\[1\]\.content: /],
    [
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'image_url', image_url: { url: 'http://a.example.com/b.png' } }],
          },
        ],
      },
      /^400 messages\[0\]\.content\[0\]\.image_url\.url: /,
    ],
  ])('are refused with their path: %j', (more, expected) => {
    if (typeof expected === 'string') expect(refusal(more)).toBe(expected);
    else expect(refusal(more)).toMatch(expected);
  });

  it('are left out by their name where nobody knows them, and none is inherited', () => {
    expect(parse({ top_k: 5, constructor: 1, 'a b': 1 })).toEqual({
      ...parse({}),
      leftOut: ['top_k', 'constructor', 'a b'],
    });
    const body = `{"model":"hello","messages":[{"role":"user","content":"Hello"}],"__proto__":{"n":2}}`;
    const unparsed = { body, bypassCache: [], rawOutput: [], accept: [] };
    const addressed = { organization: 'acme', neuron: 'hello', maxInputBytes: 99 };
    expect(parseOpenaiInvocation(unparsed, addressed)).toEqual({ ...parse({}), leftOut: ['__proto__'] });
  });

  it.each([{ type: 'json_object' }, { type: 'json_object', schema: { type: 'object' } }])(
    'take %j for any JSON object',
    (format) => {
      expect(parse({ response_format: format }).conversation).toEqual({
        ...parse({}).conversation,
        json: true,
      });
    },
  );

  it.each([{ tool_choice: 'auto' }, { tool_choice: 'none' }])(
    'take %j without tools, as clients send it',
    (more) => {
      expect(parse(more)).toEqual(parse({}));
    },
  );

  it.each(['other', 'acme', 'acme/other', 'evil/hello', 'hello@v1', ''])('know no model %j', (model) => {
    expect(refusal({ model })).toMatch(/^404 model: /);
  });

  it('are bounded by the bytes of the conversation', () => {
    expect(refusal({}, 4)).toBe('400 messages: The conversation is longer than this neuron allows.');
  });
});

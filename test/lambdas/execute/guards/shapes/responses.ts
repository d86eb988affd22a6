// Answers of OpenAI's Responses with a value at each place that can hold a text.
import { MAIL, SSN, TOKEN } from './call.ts';
import { ARGUMENTS, failure, HALVES, KEY, pieces, SENTENCE, shape, type Vendor } from './vendor.ts';

const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
type Item = Readonly<Record<string, unknown>>;
const body = (output: readonly Item[], more: object = {}) => ({
  ...{ id: 'resp_1', object: 'response', status: 'completed', model: 'm', output, usage },
  ...more,
});
const message = (...content: readonly object[]) => ({ type: 'message', role: 'assistant', content });
const said = (text: string, more: object = {}) => ({ type: 'output_text', text, ...more });
const text = (words: string) => message(said(words));
const summaryOf = (...words: readonly string[]) => words.map((one) => ({ type: 'summary_text', text: one }));
const thought = (summary: readonly object[], more: object = {}) => ({
  ...{ type: 'reasoning', id: 'rs_1', summary },
  ...more,
});
const sealed = { encrypted_content: 'c2VhbGVk' };
const call = (call_id: string, name: string, input: object) => ({
  ...{ type: 'function_call', id: 'fc_1', call_id, name, arguments: JSON.stringify(input) },
});
const yes = text('Yes.');

/** Each text of a message in pieces, and all items once more as they are done, and at the end. */
const events = (
  output: readonly Item[],
  more: object = {},
  delta = 'response.output_text.delta',
): readonly (Item & { readonly type: string })[] => [
  { type: 'response.created', response: { ...body([], more), status: 'in_progress' } },
  ...output.flatMap((item, output_index) => [
    { type: 'response.output_item.added', output_index, item: { ...item, content: [] } },
    ...wordsOf(item).map((one) => ({ type: delta, output_index, delta: one })),
    { type: 'response.output_item.done', output_index, item },
  ]),
  { type: 'response.completed', response: body(output, more) },
];

function wordsOf({ type, content }: Item): readonly string[] {
  const parts = type === 'message' ? (content as readonly { readonly [name: string]: string }[]) : [];
  return parts.flatMap((part) => pieces(part['text'] ?? part['refusal'] ?? ''));
}

const same = (output: readonly Item[], more: object = {}) => ({
  body: body(output, more),
  chunks: events(output, more),
});
const refused = message({ type: 'refusal', refusal: SENTENCE });
const noted = message(
  said('Yes.', {
    annotations: [{ type: 'url_citation', title: MAIL, url: MAIL }],
    logprobs: [{ token: MAIL, top_logprobs: [{ token: MAIL }] }],
  }),
);
const ofVendor = [
  { type: 'web_search_call', id: MAIL, action: { query: MAIL } },
  { type: 'file_search_call', queries: [MAIL], results: [{ text: MAIL }] },
  { type: 'mcp_call', arguments: `{"a":"${MAIL}"}`, output: MAIL },
  { type: 'novelty', text: MAIL, content: [said(MAIL)] },
];
const failed = { status: 'failed', error: { code: SSN, message: `At ${SENTENCE}` } };
const echoed = {
  ...{ id: MAIL, instructions: MAIL, metadata: { a: MAIL }, user: MAIL, previous_response_id: MAIL },
  ...{ safety_identifier: MAIL, prompt_cache_key: MAIL, tools: [{ name: 'find', description: MAIL }] },
};

export const responses: Vendor = {
  provider: { type: 'openai', api: 'responses', baseUrl: 'https://api.example.com/v1', ...KEY },
  model: 'gpt-5',
  shapes: {
    'a text': shape('answer', same([text(SENTENCE)])),
    'a text that comes when it is done': shape('answer', {
      body: body([text(SENTENCE)]),
      chunks: events([text(SENTENCE)]).filter(({ type }) => !type.endsWith('.delta')),
    }),
    'parts of a text': shape('answer', same([message(...HALVES.map((half) => said(half)))])),
    'texts side by side': shape('answer', same(HALVES.map(text))),
    'texts around a thought': shape(
      'answer',
      same([text(HALVES[0]), thought(summaryOf('Hm.'), sealed), text(HALVES[1])]),
    ),
    'texts around a call': shape('answer', same([text(HALVES[0]), call('a', 'find', {}), text(HALVES[1])])),
    'a refusal': shape('answer', {
      body: body([refused]),
      chunks: events([refused], {}, 'response.refusal.delta'),
    }),
    'a thought': shape('answer', same([thought(summaryOf(SENTENCE)), yes])),
    'a thought in parts': shape('answer', same([thought(summaryOf('Hm.', SENTENCE), sealed), yes])),
    'a thought that is sealed': shape('answer', same([thought(summaryOf(SENTENCE), sealed), yes])),
    'a thought beside its summary': shape(
      'answer',
      same([
        thought(summaryOf('Hm.'), { ...sealed, content: [{ type: 'reasoning_text', text: MAIL }] }),
        yes,
      ]),
    ),
    'members of a thought that nobody reads': shape(
      'nowhere',
      same([thought([{ ...summaryOf('Hm.')[0], note: MAIL }], { ...sealed, id: MAIL, status: MAIL }), yes]),
    ),
    'an id of a thought that is an object': shape(
      'nowhere',
      same([thought([], { ...sealed, id: { a: MAIL } }), yes]),
    ),
    'arguments of a call': shape('answer', same([call('a', 'find', ARGUMENTS)])),
    'the id of a call': shape('answer', same([call(SSN, 'find', {})])),
    'the name of a call': failure('nowhere', same([call('a', SSN, {})])),
    'notes, tools of the vendor and items that nobody knows': shape('nowhere', {
      body: body([noted, ...ofVendor]),
      chunks: events([noted, ...ofVendor]).toSpliced(
        1,
        0,
        { type: 'response.reasoning_text.delta', delta: MAIL },
        { type: 'response.function_call_arguments.delta', delta: MAIL },
        { type: 'response.novelty', delta: MAIL, text: MAIL },
      ),
    }),
    'members beside the items': shape(
      'nowhere',
      same([yes], { ...echoed, service_tier: MAIL, usage: { ...usage, note: MAIL } }),
    ),
    'the name of its model': shape('log', same([yes], { model: MAIL })),
    'a reason to end': shape('nowhere', {
      body: body([yes], { status: 'incomplete', incomplete_details: { reason: MAIL } }),
      chunks: [
        ...events([yes]).slice(0, -1),
        {
          type: 'response.incomplete',
          response: body([yes], { status: 'incomplete', incomplete_details: { reason: MAIL } }),
        },
      ],
    }),
    'a response that failed': failure('log', {
      body: body([yes], failed),
      chunks: [...events([yes]).slice(0, -1), { type: 'response.failed', response: body([yes], failed) }],
    }),
    'an error': failure('log', {
      status: 400,
      body: { error: { message: `At ${SENTENCE}`, code: TOKEN, param: MAIL, type: SSN } },
    }),
    'an error in a stream': failure('log', {
      status: 500,
      body: { error: { message: `At ${SENTENCE}` } },
      chunks: [...events([yes]).slice(0, 4), { type: 'error', code: SSN, message: SENTENCE, param: MAIL }],
    }),
  },
};

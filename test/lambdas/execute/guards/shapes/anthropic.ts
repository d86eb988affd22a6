// Messages of Anthropic with a value at each place that can hold a text.
import { MAIL, SSN, TOKEN } from './call.ts';
import { ARGUMENTS, failure, HALVES, KEY, pieces, SENTENCE, shape, type Vendor } from './vendor.ts';

const usage = { input_tokens: 10, output_tokens: 5 };
const body = (content: readonly object[], more: object = {}) => ({
  ...{ type: 'message', role: 'assistant', model: 'm', content, stop_reason: 'end_turn', usage },
  ...more,
});
type Block = readonly [start: object, ...deltas: object[]];
const chunks = (blocks: readonly Block[], start: object = {}, end: object = {}): readonly object[] => [
  { type: 'message_start', message: { model: 'm', usage, ...start } },
  ...blocks.flatMap(([content_block, ...deltas], index) => [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]),
  { type: 'message_delta', delta: { stop_reason: 'end_turn', ...end }, usage },
  { type: 'message_stop' },
];
const text = (said: string): Block => [
  { type: 'text', text: '' },
  ...pieces(said).map((one) => ({ type: 'text_delta', text: one })),
];
const thought = (said: string, signature?: string): Block => [
  { type: 'thinking', thinking: '' },
  ...pieces(said).map((one) => ({ type: 'thinking_delta', thinking: one })),
  ...(signature === undefined ? [] : [{ type: 'signature_delta', signature }]),
];
const call = (id: string, name: string, input: object): Block => [
  { type: 'tool_use', id, name, input: {} },
  ...pieces(JSON.stringify(input)).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
];
const yes = { type: 'text', text: 'Yes.' };
const calls = { stop_reason: 'tool_use' };
const beside = { id: MAIL, container: { id: MAIL }, stop_sequence: MAIL };
const ofVendor = {
  query: { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: MAIL } },
  found: { type: 'web_search_tool_result', tool_use_id: 's', content: [{ title: MAIL, url: MAIL }] },
};
const noted = { ...yes, citations: [{ cited_text: MAIL, document_title: MAIL }] };
const shapes = {
  'a text': shape('answer', {
    body: body([{ type: 'text', text: SENTENCE }]),
    chunks: chunks([text(SENTENCE)]),
  }),
  'a text at its beginning': shape('answer', {
    body: body([{ type: 'text', text: SENTENCE }]),
    chunks: chunks([[{ type: 'text', text: SENTENCE }]]),
  }),
  'texts side by side': shape('answer', {
    body: body(HALVES.map((half) => ({ type: 'text', text: half }))),
    chunks: chunks(HALVES.map(text)),
  }),
  'texts around a thought': shape('answer', {
    body: body([
      { type: 'text', text: HALVES[0] },
      { type: 'thinking', thinking: 'Hm.', signature: 'signed' },
      { type: 'text', text: HALVES[1] },
    ]),
    chunks: chunks([text(HALVES[0]), thought('Hm.', 'signed'), text(HALVES[1])]),
  }),
  'texts around a call': shape('answer', {
    body: body(
      [
        { type: 'text', text: HALVES[0] },
        { type: 'tool_use', id: 'a', name: 'find', input: {} },
        { type: 'text', text: HALVES[1] },
      ],
      calls,
    ),
    chunks: chunks([text(HALVES[0]), call('a', 'find', {}), text(HALVES[1])], {}, calls),
  }),
  'a thought': shape('answer', {
    body: body([{ type: 'thinking', thinking: SENTENCE }, yes]),
    chunks: chunks([thought(SENTENCE), text('Yes.')]),
  }),
  'a thought that is signed': shape('answer', {
    body: body([{ type: 'thinking', thinking: SENTENCE, signature: 'signed' }, yes]),
    chunks: chunks([thought(SENTENCE, 'signed'), text('Yes.')]),
  }),
  'a thought at its beginning': shape('answer', {
    body: body([{ type: 'thinking', thinking: SENTENCE, signature: 'signed' }, yes]),
    chunks: chunks([[{ type: 'thinking', thinking: SENTENCE, signature: 'signed' }], text('Yes.')]),
  }),
  'arguments of a call': shape('answer', {
    body: body([{ type: 'tool_use', id: 'a', name: 'find', input: ARGUMENTS }], calls),
    chunks: chunks([call('a', 'find', ARGUMENTS)], {}, calls),
  }),
  'arguments of a call behind a thought': shape('answer', {
    body: body(
      [
        { type: 'thinking', thinking: 'Hm.', signature: 'signed' },
        { type: 'tool_use', id: 'a', name: 'find', input: ARGUMENTS },
      ],
      calls,
    ),
    chunks: chunks([thought('Hm.', 'signed'), call('a', 'find', ARGUMENTS)], {}, calls),
  }),
  'arguments at the beginning of a call': shape('answer', {
    body: body([{ type: 'tool_use', id: 'a', name: 'find', input: ARGUMENTS }], calls),
    chunks: chunks([[{ type: 'tool_use', id: 'a', name: 'find', input: ARGUMENTS }]], {}, calls),
  }),
  'the id of a call': shape('answer', {
    body: body([{ type: 'tool_use', id: SSN, name: 'find', input: {} }], calls),
    chunks: chunks([call(SSN, 'find', {})], {}, calls),
  }),
  'the name of a call': failure('nowhere', {
    body: body([{ type: 'tool_use', id: 'a', name: SSN, input: {} }], calls),
    chunks: chunks([call('a', SSN, {})], {}, calls),
  }),
  'a refusal': shape('answer', {
    body: body([{ type: 'text', text: SENTENCE }], {
      stop_reason: 'refusal',
      stop_details: { explanation: MAIL },
    }),
    chunks: chunks([text(SENTENCE)], {}, { stop_reason: 'refusal', stop_details: { explanation: MAIL } }),
  }),
  'citations, tools of the vendor and blocks that nobody knows': shape('nowhere', {
    body: body([noted, ...Object.values(ofVendor), { type: 'novelty', text: MAIL, thinking: MAIL }]),
    chunks: [
      ...chunks([
        [
          { type: 'text', text: 'Yes.' },
          { type: 'citations_delta', citation: { cited_text: MAIL } },
        ],
        [{ ...ofVendor.query, input: {} }, ...call('s', 'x', { query: MAIL }).slice(1)],
        [ofVendor.found],
        [
          { type: 'novelty', text: MAIL },
          { type: 'novelty_delta', text: MAIL, thinking: MAIL },
        ],
      ]).toSpliced(1, 0, { type: 'novelty', text: MAIL, delta: { type: 'text_delta', text: MAIL } }),
    ],
  }),
  'members beside the content': shape('nowhere', {
    body: body([yes], { ...beside, usage: { ...usage, service_tier: MAIL } }),
    chunks: chunks([text('Yes.')], beside, { stop_sequence: MAIL, container: { id: MAIL } }),
  }),
  'the name of its model': shape('log', {
    body: body([yes], { model: MAIL }),
    chunks: chunks([text('Yes.')], { model: MAIL }),
  }),
  'a reason to stop': shape('nowhere', {
    body: body([yes], { stop_reason: MAIL }),
    chunks: chunks([text('Yes.')], {}, { stop_reason: MAIL }),
  }),
  'an error': failure('log', {
    status: 400,
    body: {
      type: 'error',
      error: { type: 'invalid_request_error', message: `At ${SENTENCE}` },
      request_id: MAIL,
    },
  }),
  'an error in a stream': failure('log', {
    status: 529,
    body: { type: 'error', error: { type: TOKEN, message: `At ${SENTENCE}` } },
    chunks: [
      ...chunks([text('Yes.')]).slice(0, 4),
      { type: 'error', error: { type: TOKEN, message: SENTENCE } },
    ],
  }),
};

export const anthropic: Vendor = {
  provider: { type: 'anthropic', baseUrl: 'https://api.example.com', ...KEY },
  model: 'm',
  shapes,
};

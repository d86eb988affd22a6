// Answers of Converse with a value at each place that can hold a text.
import { bedrockEvent, frame } from '../../../../adapters/providers/streams/protocols.ts';
import { MAIL, SSN } from './call.ts';
import { ARGUMENTS, failure, HALVES, pieces, SENTENCE, shape, type Vendor } from './vendor.ts';

const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
const body = (content: readonly object[], more: object = {}) => ({
  ...{ output: { message: { role: 'assistant', content } }, stopReason: 'end_turn', usage },
  ...more,
});
type Block = readonly [start: object | undefined, ...deltas: object[]];
const frames = (blocks: readonly Block[], stop: object = {}, metadata: object = {}) => [
  bedrockEvent('messageStart', { role: 'assistant' }),
  ...blocks.flatMap(([start, ...deltas], contentBlockIndex) => [
    ...(start === undefined ? [] : [bedrockEvent('contentBlockStart', { contentBlockIndex, start })]),
    ...deltas.map((delta) => bedrockEvent('contentBlockDelta', { contentBlockIndex, delta })),
    bedrockEvent('contentBlockStop', { contentBlockIndex }),
  ]),
  bedrockEvent('messageStop', { stopReason: 'end_turn', ...stop }),
  bedrockEvent('metadata', { usage, ...metadata }),
];
const text = (said: string): Block => [undefined, ...pieces(said).map((one) => ({ text: one }))];
const thought = (said: string, signature?: string): Block => [
  undefined,
  ...pieces(said).map((one) => ({ reasoningContent: { text: one } })),
  ...(signature === undefined ? [] : [{ reasoningContent: { signature } }]),
];
const call = (toolUseId: string, name: string, input: object): Block => [
  { toolUse: { toolUseId, name } },
  ...pieces(JSON.stringify(input)).map((one) => ({ toolUse: { input: one } })),
];
const reasoning = (said: string, more: object = {}) => ({
  reasoningContent: { reasoningText: { text: said, ...more } },
});
const use = (toolUseId: string, name: string, input: object) => ({ toolUse: { toolUseId, name, input } });
const calls = { stopReason: 'tool_use' };
const cited = { content: [{ text: MAIL }], citations: [{ title: MAIL, sourceContent: [{ text: MAIL }] }] };
const trace = { guardrail: { modelOutput: [MAIL] }, promptRouter: { invokedModelId: MAIL } };
const exception = (message: string) =>
  frame({ ':exception-type': 'modelStreamErrorException', ':message-type': 'exception' }, { message });
const shapes = {
  'a text': shape('answer', { body: body([{ text: SENTENCE }]), frames: frames([text(SENTENCE)]) }),
  'texts side by side': shape('answer', {
    body: body(HALVES.map((half) => ({ text: half }))),
    frames: frames(HALVES.map(text)),
  }),
  'texts around a thought': shape('answer', {
    body: body([{ text: HALVES[0] }, reasoning('Hm.', { signature: 'signed' }), { text: HALVES[1] }]),
    frames: frames([text(HALVES[0]), thought('Hm.', 'signed'), text(HALVES[1])]),
  }),
  'texts around a call': shape('answer', {
    body: body([{ text: HALVES[0] }, use('a', 'find', {}), { text: HALVES[1] }], calls),
    frames: frames([text(HALVES[0]), call('a', 'find', {}), text(HALVES[1])], calls),
  }),
  'a thought': shape('answer', {
    body: body([reasoning(SENTENCE), { text: 'Yes.' }]),
    frames: frames([thought(SENTENCE), text('Yes.')]),
  }),
  'a thought that is signed': shape('answer', {
    body: body([reasoning(SENTENCE, { signature: 'signed' }), { text: 'Yes.' }]),
    frames: frames([thought(SENTENCE, 'signed'), text('Yes.')]),
  }),
  'arguments of a call': shape('answer', {
    body: body([use('a', 'find', ARGUMENTS)], calls),
    frames: frames([call('a', 'find', ARGUMENTS)], calls),
  }),
  'the id of a call': shape('answer', {
    body: body([use(SSN, 'find', {})], calls),
    frames: frames([call(SSN, 'find', {})], calls),
  }),
  'the name of a call': failure('nowhere', {
    body: body([use('a', SSN, {})], calls),
    frames: frames([call('a', SSN, {})], calls),
  }),
  'the words of a guardrail': shape('answer', {
    body: body([{ text: SENTENCE }], { stopReason: 'guardrail_intervened', trace }),
    frames: frames([text(SENTENCE)], { stopReason: 'guardrail_intervened' }, { trace }),
  }),
  'citations, pictures and results of tools': shape('nowhere', {
    body: body([
      { text: 'Yes.' },
      { citationsContent: cited },
      { image: { format: 'png', source: { s3Location: { uri: MAIL } } } },
      { toolResult: { toolUseId: MAIL, content: [{ text: MAIL }] } },
      { novelty: MAIL },
    ]),
    frames: frames([
      [undefined, { text: 'Yes.' }, { citation: cited }],
      [{ toolResult: { toolUseId: MAIL } }, { toolResult: [{ text: MAIL }] }, { image: { source: MAIL } }],
      [undefined, { novelty: MAIL }],
    ]).toSpliced(1, 0, bedrockEvent('novelty', { text: MAIL, delta: { text: MAIL } })),
  }),
  'members beside the message': shape('nowhere', {
    body: body([{ text: 'Yes.' }], {
      trace,
      additionalModelResponseFields: { stop_sequence: MAIL },
      performanceConfig: { latency: MAIL },
      usage: { ...usage, note: MAIL },
    }),
    frames: frames(
      [text('Yes.')],
      { additionalModelResponseFields: { stop_sequence: MAIL } },
      { trace, performanceConfig: { latency: MAIL } },
    ),
  }),
  'a reason to stop': shape('nowhere', {
    body: body([{ text: 'Yes.' }], { stopReason: MAIL }),
    frames: frames([text('Yes.')], { stopReason: MAIL }),
  }),
  'an error': failure('log', { status: 400, body: { __type: SSN, message: `At ${SENTENCE}` } }),
  'an error in a stream': failure('log', {
    status: 424,
    body: { message: `At ${SENTENCE}`, originalMessage: MAIL, resourceName: MAIL },
    frames: [...frames([text('Yes.')]).slice(0, 3), exception(SENTENCE)],
  }),
};

export const bedrock: Vendor = {
  provider: { type: 'bedrock', region: 'us-east-1' },
  model: 'a.b-v1:0',
  shapes,
};

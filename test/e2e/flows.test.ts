// Flows over HTTP: every branch, a split, a stop, a flow of two models, fallbacks for each way in which the first can fail, and what it costs.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from './support/call.ts';
import { expectError, expectSuccess } from './support/expect-answer.ts';
import { type FakeOpenai, startFakeOpenai } from './support/fake-openai.ts';
import { readEntry } from './support/log-entry.ts';
import { isLocal, SOME_MODES, type Stack, startStack } from './support/stack.ts';

interface Entry {
  readonly trace: readonly { readonly decision: string }[];
  readonly modelCalls: readonly object[];
}

function settings(openaiUrl: string): string {
  const neuron = (slug: string, flow: string, more = '') =>
    `neuron: acme/${slug}\naccess: { public: true }\n${more}flow:\n${flow}`;
  const fallingBack = (first: string, more = 'timeout: 2s') =>
    `  - callModel: { ${first}, ${more}, fallbacks: [{ provider: demo, model: echo-1 }] }`;
  return [
    `organization: acme
providers:
  demo: { type: echo }
  fake: { type: openai, baseUrl: ${openaiUrl} }
  dead: { type: openai, baseUrl: http://127.0.0.1:9/v1 }
prices:
  fake/ok: { input: 3, output: 15 }`,
    neuron(
      'branches',
      `  - ifInputContains:
      any: ["(?:refund|money back)", "^bill"]
      match: regex
      then:
        - ifInputContains:
            any: [urgent]
            match: word
            then: [{ serveOutput: { text: "now: {{input}}" } }]
            else: [{ serveOutput: { text: "later: {{input}}" } }]
      else:
        - callModel: { provider: demo, model: echo-1 }
  - ifOutputContains:
      any: ["You said: nonsense"]
      then: [{ stop: { text: No. } }]
  - ifOutputContains:
      any: ["{{input}}", "__proto__"]
      then: [{ stop: {} }]`,
      'logging: { bodies: full }\n',
    ),
    neuron(
      'all-a',
      '  - randomizedSplit: { percentageA: 100, a: [{ serveOutput: { text: a } }], b: [{ stop: {} }] }',
    ),
    neuron(
      'all-b',
      '  - randomizedSplit: { percentageA: 0, a: [{ stop: {} }], b: [{ serveOutput: { text: b } }] }',
    ),
    neuron(
      'half',
      '  - randomizedSplit: { percentageA: 50, a: [{ serveOutput: { text: a } }], b: [{ serveOutput: { text: b } }] }',
    ),
    neuron(
      'two-models',
      `  - callModel: { provider: fake, model: ok, prompt: "classify {{input}}" }
  - ifOutputContains: { any: [refund], match: word, then: [{ systemInstructions: Be kind. }] }
  - callModel: { provider: demo, model: echo-1, prompt: "{{input}}" }`,
      'receipt: true\n',
    ),
    neuron('priced', '  - callModel: { provider: fake, model: ok }', 'receipt: true\n'),
    neuron('unpriced', '  - callModel: { provider: fake, model: wordy }', 'receipt: true\n'),
    neuron('first-down', fallingBack('provider: dead, model: echo-1')),
    neuron('first-slow', fallingBack('provider: fake, model: hang')),
    neuron('first-broke', fallingBack('provider: fake, model: broke')),
    neuron('first-cut', fallingBack('provider: fake, model: cut')),
    neuron('first-trickling', fallingBack('provider: fake, model: trickle')),
    neuron('first-garbage', fallingBack('provider: fake, model: html')),
    neuron('first-odd', fallingBack('provider: fake, model: wrong-shape')),
    neuron('first-failing', fallingBack('provider: fake, model: status-500')),
    neuron('first-limited', fallingBack('provider: fake, model: status-429')),
    neuron('first-locked', fallingBack('provider: fake, model: status-401')),
    // Without a timeout of its own the silent one has its share of the deadline: half.
    neuron('short', fallingBack('provider: fake, model: hang', 'retries: 5'), 'deadline: 3s\n'),
    neuron(
      'all-down',
      '  - callModel: { provider: dead, model: echo-1, retries: 1, fallbacks: [{ provider: fake, model: broke }] }',
    ),
    neuron('tripped', '  - callModel: { provider: fake, model: status-429-tripped, retries: 4 }'),
    neuron('picky', '  - callModel: { provider: fake, model: status-500-picky, retries: 4 }'),
  ].join('\n---\n');
}

// The fake provider listens on loopback, where a deployed function does not reach it.
describe.runIf(isLocal).each(SOME_MODES)('in %s transfer', (transferMode) => {
  let provider: FakeOpenai;
  let stack: Stack;
  beforeAll(async () => {
    provider = await startFakeOpenai();
    // One environment, so that circuits are seen by every call.
    stack = await startStack({
      transferMode,
      settings: settings(provider.baseUrl),
      concurrency: 1,
    });
  });
  afterAll(async () => {
    await stack?.stop();
    await provider?.stop();
  });

  const call = (neuron: string, input = 'Hello'): Promise<Answer> =>
    stack.call(`/acme/${neuron}`, { json: { input } });
  const done = (output: string) => ({ output, fromCache: false, executionStopped: false });
  const entryOf = (executionId: string) => readEntry<Entry>(stack, executionId);

  it.each([
    ['I want a refund', done('later: I want a refund')],
    ['urgent: money back', done('now: urgent: money back')],
    ['bill me', done('later: bill me')],
    ['my bill', done('You said: my bill')],
    ['nonsense', { output: 'No.', fromCache: false, executionStopped: true }],
    ['{{input}} __proto__', { fromCache: false, executionStopped: true }],
  ])('takes the branch of %j', async (input, body) => {
    expectSuccess(await call('branches', input), body);
  });

  it('keeps which patterns matched in the trace', async () => {
    const entry = await entryOf(expectSuccess(await call('branches', 'a refund'), done('later: a refund')));
    expect(entry.trace).toMatchObject([
      { type: 'ifInputContains', decision: 'then', matched: ['(?:refund|money back)'] },
      { type: 'ifInputContains', decision: 'else' },
      { type: 'serveOutput', output: { kind: 'full', text: 'later: a refund' } },
    ]);
  });

  it('splits by chance, wholly at 0 and 100 %, and both ways in between', async () => {
    expectSuccess(await call('all-a'), done('a'));
    expectSuccess(await call('all-b'), done('b'));
    const outputs = new Set<unknown>();
    // All forty alike: once in 2^39 runs.
    for (let index = 0; index < 40; index += 1) outputs.add((await call('half')).json()['output']);
    expect([...outputs].sort()).toEqual(['a', 'b']);
  });

  it('classifies with one model and answers with another', async () => {
    expect((await call('two-models', 'a refund')).json()['output']).toBe('(Be kind.) You said: a refund');
    expect((await call('two-models', 'hello')).json()['output']).toBe('You said: hello');
  });

  it('shows what a call cost, to the microdollar, where the neuron gives receipts', async () => {
    const answer = await call('priced');
    // The fake counts 11 tokens in at 3 dollars a million and 7 out at 15: 33 + 105.
    expect(answer.headers).toMatchObject({
      'x-cost-microdollars': '138',
      'x-tokens-input': '11',
      'x-tokens-output': '7',
      'x-cache': 'off',
    });
    const entry = await entryOf(String(answer.headers['x-execution-id']));
    expect(entry).toMatchObject({
      costMicrodollars: 138,
      modelCalls: [{ costMicrodollars: 138, estimated: false }],
    });
  });

  it('shows no cost for a model without a price, and null in the log', async () => {
    const answer = await call('unpriced');
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty('x-cost-microdollars');
    expect(answer.headers).toMatchObject({ 'x-tokens-input': '11', 'x-tokens-output': '7' });
    expect(await entryOf(String(answer.headers['x-execution-id']))).toMatchObject({ costMicrodollars: null });
  });

  it.each([
    'first-down',
    'first-slow',
    'first-broke',
    'first-cut',
    'first-trickling',
    'first-garbage',
    'first-odd',
    'first-failing',
    'first-limited',
    'first-locked',
    'short',
  ])('answers from the fallback: %s', async (neuron) => {
    const executionId = expectSuccess(await call(neuron), done('You said: Hello'));
    const entry = await entryOf(executionId);
    expect(entry.modelCalls).toHaveLength(2);
    expect(entry.modelCalls[1]).toMatchObject({ provider: 'demo', finish: 'stop', attempts: 1 });
    expect(entry.trace[0]?.decision).toMatch(/^(?:fake|dead)\/\S+ \[.+\] → demo\/echo-1$/);
  });

  it('answers 503 when every model fails, and asks a model with exhausted quota once', async () => {
    const before = provider.asked.filter(({ body }) => body.model === 'broke').length;
    expectError(await call('all-down'), 503, 'upstream_unavailable');
    expect(provider.asked.filter(({ body }) => body.model === 'broke').length).toBe(before + 1);
  });

  it('leaves a model alone after five failures in a row, and says for how long', async () => {
    expectError(await call('tripped'), 503, 'upstream_unavailable');
    const asked = () => provider.asked.filter(({ body }) => body.model === 'status-429-tripped').length;
    expect(asked()).toBe(5);
    const answer = await call('tripped');
    expectError(answer, 503, 'upstream_unavailable');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(1);
    expect(asked()).toBe(5);
  });

  it('goes on to ask a model whose failures may be those of one input', async () => {
    const asked = () => provider.asked.filter(({ body }) => body.model === 'status-500-picky').length;
    expectError(await call('picky'), 503, 'upstream_unavailable');
    expectError(await call('picky'), 503, 'upstream_unavailable');
    expect(asked()).toBe(10);
  });
});

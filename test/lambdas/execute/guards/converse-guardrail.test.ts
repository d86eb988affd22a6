// A guardrail of Converse that intervenes: on each surface, whole and streamed, the text of the guardrail and the finish of a filtered answer.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { bedrockEvent } from '../../../adapters/providers/streams/protocols.ts';
import { openGuarded } from './function.ts';

beforeAll(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY');
});
afterAll(() => void vi.unstubAllEnvs());

const SAID = 'Sorry, the model cannot answer this question.';
const TRACE = {
  guardrail: { inputAssessment: { abc: { wordPolicy: { customWords: [{ match: 'Falcon' }] } } } },
};
const usage = { inputTokens: 18, outputTokens: 12, totalTokens: 30 };

/** As Bedrock answers, with a trace, which nobody asked for. */
const BODY = {
  output: { message: { role: 'assistant', content: [{ text: SAID }] } },
  stopReason: 'guardrail_intervened',
  usage,
  metrics: { latencyMs: 10 },
  trace: TRACE,
};
const framesOf = (text: string) => [
  bedrockEvent('messageStart', { role: 'assistant' }),
  ...(text
    .match(/.{1,7}/g)
    ?.map((part) => bedrockEvent('contentBlockDelta', { contentBlockIndex: 0, delta: { text: part } })) ??
    []),
  bedrockEvent('contentBlockStop', { contentBlockIndex: 0 }),
  bedrockEvent('messageStop', { stopReason: 'guardrail_intervened' }),
  bedrockEvent('metadata', { usage, metrics: { latencyMs: 10 }, trace: TRACE }),
];

const guardrail = { id: 'abc', version: '3' };
const callModel = {
  provider: 'aws',
  model: 'a.b-v1:0',
  maxTokens: 500,
  retries: 0,
  accepts: 'all',
  guardrail,
};
const open = (isOfOrganization: boolean, text = SAID) =>
  openGuarded(
    {
      providers: { aws: { type: 'bedrock', region: 'us-east-1' } },
      prices: { 'aws/a.b-v1:0': { input: 1, output: 1 } },
      flow: [{ callModel }],
      settings: {
        access: isOfOrganization ? { apiKey: true } : { public: true },
        mcp: { description: 'Helps.' },
        caching: { exact: true },
      },
    },
    () => ({
      body: { ...BODY, output: { message: { role: 'assistant', content: text === '' ? [] : [{ text }] } } },
      frames: framesOf(text),
    }),
  );

const TURN = [{ role: 'user', content: 'Falcons' }];
const BODIES = {
  native: { input: 'Falcons' },
  openai: { model: 'support', messages: TURN },
  responses: { model: 'support', input: 'Falcons', store: false },
  anthropic: { model: 'support', max_tokens: 50, messages: TURN },
  mcp: {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'support', arguments: { input: 'Falcons' } },
  },
};

type Surface = keyof typeof BODIES;
type Read = { readonly text: string; readonly end: unknown };

const READ_WHOLE: Record<Surface, (json: ReturnType<typeof JSON.parse>) => Read> = {
  native: ({ output, executionStopped }) => ({ text: output ?? '', end: executionStopped }),
  openai: ({ choices: [{ message, finish_reason: end }] }) => ({ text: message.content ?? '', end }),
  responses: ({ output, status, incomplete_details: { reason } }) => ({
    text: output
      .flatMap(({ content }: never) => content)
      .map(({ text }: never) => text)
      .join(''),
    end: [status, reason],
  }),
  anthropic: ({ content, stop_reason: end }) => ({
    text: content.map(({ text }: never) => text).join(''),
    end,
  }),
  mcp: ({ result }) => ({ text: result.content[0]?.text ?? '', end: result.isError ?? false }),
};

const eventsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)));
const join = (parts: readonly unknown[]) => parts.filter((part) => typeof part === 'string').join('');

const READ_STREAM: Record<Exclude<Surface, 'mcp'>, (events: ReturnType<typeof eventsOf>) => Read> = {
  native: (events) => ({
    text: join(events.slice(0, -1).map(({ text }) => text)),
    end: events.at(-1)?.executionStopped,
  }),
  openai: (events) => {
    const choices = events.flatMap((one) => one.choices);
    return {
      text: join(choices.map(({ delta }) => delta.content)),
      end: choices.findLast((one) => one.finish_reason !== null)?.finish_reason,
    };
  },
  responses: (events) => {
    const last = events.at(-1)?.response;
    return {
      text: join(
        events.filter(({ type }) => type === 'response.output_text.delta').map(({ delta }) => delta),
      ),
      end: [last?.status, last?.incomplete_details?.reason],
    };
  },
  anthropic: (events) => ({
    text: join(events.map(({ delta }) => delta?.text)),
    end: events.find(({ type }) => type === 'message_delta')?.delta.stop_reason,
  }),
};

const ENDS: Record<Surface, unknown> = {
  native: true,
  openai: 'content_filter',
  responses: ['incomplete', 'content_filter'],
  anthropic: 'refusal',
  mcp: true,
};

const CASES = (Object.keys(BODIES) as Surface[]).flatMap((surface) => {
  const atOrganization = surface === 'mcp' ? [true] : surface === 'native' ? [false] : [false, true];
  return atOrganization.flatMap((isOfOrganization) =>
    (surface === 'mcp' ? [false] : [false, true]).map((stream) => ({ surface, isOfOrganization, stream })),
  );
});

describe.each(CASES)('by $surface, of an organization: $isOfOrganization, streamed: $stream', (form) => {
  const { surface, stream, isOfOrganization } = form;
  const body =
    surface === 'native' || surface === 'mcp' || !stream ? BODIES[surface] : { ...BODIES[surface], stream };
  const read = (text: string): Read =>
    stream && surface !== 'mcp'
      ? READ_STREAM[surface](eventsOf(text))
      : READ_WHOLE[surface](JSON.parse(text));

  it.each([SAID, ''])('an intervention that says "%s" ends a filtered answer', async (said) => {
    const { call, asked, entries, stored, kept } = open(isOfOrganization, said);
    const { status, text } = await call(body, form);
    expect(status).toBe(200);
    expect(read(text)).toEqual({ text: said, end: ENDS[surface] });
    expect(JSON.parse(asked[0] ?? '').guardrailConfig).toMatchObject({
      guardrailIdentifier: 'abc',
      guardrailVersion: '3',
    });
    expect(entries[0]).toMatchObject({
      outcome: 'stopped',
      costMicrodollars: 30,
      modelCalls: [{ provider: 'aws', finish: 'filtered', tokensInput: 18, tokensOutput: 12 }],
    });
    expect(stored).toEqual([]);
    expect(text + kept()).not.toContain('customWords');
    // Nothing of it is served again.
    await call(body, form);
    expect(asked).toHaveLength(2);
  });
});

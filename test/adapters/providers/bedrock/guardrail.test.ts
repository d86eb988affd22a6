// The guardrail of a step: sent as AWS's own client sends it, an intervention is an answer that is filtered, and traces are not read.
import { ConverseCommand, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Http, OpenHttp } from '../../../../adapters/http/message.ts';
import { systemClock } from '../../../../adapters/platform/clock.ts';
import { createBedrockProvider } from '../../../../adapters/providers/bedrock/index.ts';
import { userMessage } from '../../../../core/conversation/conversation.ts';
import { type FakeGuardrails, startFakeGuardrails } from '../../guards/bedrock/fake-guardrails.ts';
import { readBedrockFixture } from './fake-bedrock.ts';

let fake: FakeGuardrails;
let http: Http;
let openHttp: OpenHttp;
beforeAll(async () => {
  fake = await startFakeGuardrails();
  const request = await import('../../../../adapters/http/request.ts');
  http = request.createHttp();
  openHttp = request.createOpenHttp();
});
afterAll(() => fake.stop());

const request = {
  model: 'a.b-v1:0',
  system: [],
  messages: [userMessage('Hello')],
  maxTokens: 10,
  guardrail: { id: 'abc123', version: '3' },
  signal: new AbortController().signal,
};
const provider = () =>
  createBedrockProvider(
    { type: 'bedrock', region: 'us-east-1', timeout: undefined },
    { http, openHttp, clock: systemClock },
  );
const ofSdk = {
  modelId: request.model,
  messages: [{ role: 'user' as const, content: [{ text: 'Hello' }] }],
  inferenceConfig: { maxTokens: 10 },
};
const guardrailConfig = { guardrailIdentifier: 'abc123', guardrailVersion: '3' };

/** As AWS documents it, with a trace, which nobody asked for. */
const INTERVENED = {
  output: { message: { role: 'assistant', content: [{ text: 'Sorry, not that.' }] } },
  stopReason: 'guardrail_intervened',
  usage: { inputTokens: 4, outputTokens: 0, totalTokens: 4 },
  metrics: { latencyMs: 10 },
  trace: {
    guardrail: {
      inputAssessment: { abc123: { wordPolicy: { customWords: [{ match: 'Falcon', action: 'BLOCKED' }] } } },
    },
  },
};

describe('the guardrail of a call', () => {
  it('is the member that the AWS SDK sends, and an intervention filters the answer', async () => {
    fake.answerWith({ status: 200, body: INTERVENED });
    const theirs = await fake.clientOf('us-east-1').send(new ConverseCommand({ ...ofSdk, guardrailConfig }));
    const sent = JSON.parse(fake.last().body);
    const ours = await provider().generate(request);
    expect(JSON.parse(fake.last().body)).toEqual(sent);
    expect(sent.guardrailConfig).toEqual(guardrailConfig);
    expect(theirs.stopReason).toBe('guardrail_intervened');
    expect(ours).toMatchObject({ text: 'Sorry, not that.', finish: 'filtered', usage: { input: 4 } });
    expect(JSON.stringify(ours)).not.toContain('Falcon');
  });

  it('is sent with a stream that waits for it', async () => {
    fake.answerWith(readBedrockFixture('stream'));
    const streaming = { ...guardrailConfig, streamProcessingMode: 'sync' as const };
    await fake
      .clientOf('us-east-1')
      .send(new ConverseStreamCommand({ ...ofSdk, guardrailConfig: streaming }));
    const sent = JSON.parse(fake.last().body);
    fake.answerWith({ status: 200, headers: { 'content-type': 'application/json' }, body: INTERVENED });
    const events = [];
    for await (const event of provider().stream?.(request) ?? []) events.push(event);
    expect(JSON.parse(fake.last().body)).toEqual(sent);
    expect(events.at(-1)).toMatchObject({ type: 'end', finish: 'filtered' });
  });

  it('is left out where a step has none', async () => {
    fake.answerWith({ status: 200, body: INTERVENED });
    const { guardrail: _none, ...without } = request;
    await provider().generate(without);
    expect(JSON.parse(fake.last().body)).not.toHaveProperty('guardrailConfig');
  });
});

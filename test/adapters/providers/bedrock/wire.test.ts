// Calls to Bedrock over a real socket, side by side with those of the AWS SDK's own client: the same request, signed the same way.

import {
  BedrockRuntimeClient,
  ConverseCommand,
  type ConverseCommandInput,
  ConverseStreamCommand,
  InvokeModelCommand,
} from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Http, OpenHttp } from '../../../../adapters/http/message.ts';
import { systemClock } from '../../../../adapters/platform/clock.ts';
import { createBedrockEmbeddings } from '../../../../adapters/providers/bedrock/embed.ts';
import { createBedrockProvider } from '../../../../adapters/providers/bedrock/index.ts';
import { userMessage } from '../../../../core/conversation/conversation.ts';
import type { ModelEvent } from '../../../../core/ports/providers.ts';
import type { FixtureServer, ReceivedRequest } from '../fixture-server.ts';
import { take } from '../stream-http.ts';
import { startFakeBedrock } from './fake-bedrock.ts';
import { partsOf, signatureOf } from './signature.ts';

const REGION = 'eu-central-1';
const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: SECRET, sessionToken: 'the/token==' };
const signal = new AbortController().signal;

let server: FixtureServer;
let http: Http;
let openHttp: OpenHttp;
let sdk: BedrockRuntimeClient;
beforeAll(async () => {
  Object.assign(globalThis, { [Symbol.for('neuron.loopback')]: true });
  const { createHttp, createOpenHttp } = await import('../../../../adapters/http/request.ts');
  http = createHttp();
  openHttp = createOpenHttp();
  server = await startFakeBedrock();
  vi.stubEnv('AWS_ENDPOINT_URL_BEDROCK_RUNTIME', server.url);
  vi.stubEnv('AWS_ACCESS_KEY_ID', credentials.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', credentials.secretAccessKey);
  vi.stubEnv('AWS_SESSION_TOKEN', credentials.sessionToken);
  // The client speaks HTTP/2 by itself, which the server does not.
  sdk = new BedrockRuntimeClient({
    region: REGION,
    credentials,
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler(),
  });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  sdk.destroy();
  await server.stop();
});

const settings = { type: 'bedrock', region: REGION, timeout: undefined } as const;
const modelOf = (fixture: string) => `vendor.${fixture}-v1:0`;
const last = (): ReceivedRequest => {
  const request = server.received.at(-1);
  if (request === undefined) throw new Error('nothing was received');
  return request;
};

function generate(fixture: string, more: object = {}) {
  return createBedrockProvider(settings, { http, openHttp, clock: systemClock }).generate({
    ...{
      model: modelOf(fixture),
      system: [{ text: 'Be brief.' }],
      messages: [userMessage('Wie heißt du?')],
      maxTokens: 10,
      signal,
    },
    ...more,
  });
}

function converseBySdk(fixture: string, more: Partial<ConverseCommandInput> = {}) {
  return sdk.send(
    new ConverseCommand({
      modelId: modelOf(fixture),
      system: [{ text: 'Be brief.' }],
      messages: [{ role: 'user', content: [{ text: 'Wie heißt du?' }] }],
      inferenceConfig: { maxTokens: 10 },
      ...more,
    }),
  );
}

/** Everything about a request but its signature and what the client says about itself. */
const essence = ({ method, path, headers, body }: ReceivedRequest) => ({
  method,
  path,
  body: JSON.parse(body),
  type: headers['content-type'],
  token: headers['x-amz-security-token'],
  digest: headers['x-amz-content-sha256'] !== undefined,
});

describe('a call of Converse', () => {
  it('is the request that the AWS SDK sends', async () => {
    await converseBySdk('converse', {
      inferenceConfig: { maxTokens: 10, temperature: 0.8, topP: 0.5, stopSequences: ['|'] },
    });
    const theirs = essence(last());
    await generate('converse', { temperature: 0.8, topP: 0.5, stopSequences: ['|'] });
    expect(essence(last())).toEqual(theirs);
  });

  it('is signed for the region and the service that the AWS SDK signs for', async () => {
    await converseBySdk('converse');
    const theirs = partsOf(last());
    await generate('converse');
    const ours = partsOf(last());
    expect(ours.credential.split('/').slice(2)).toEqual(theirs.credential.split('/').slice(2));
    expect(ours.credential).toMatch(/^AKIDEXAMPLE\/[0-9]{8}\/eu-central-1\/bedrock\/aws4_request$/);
    // The client signs what it says about itself besides, and sends nothing on which answer it takes.
    const ofTheCall = (name: string) => !/^(?:amz-sdk-.*|x-amz-user-agent|accept)$/.test(name);
    expect(ours.signedHeaders.filter(ofTheCall)).toEqual(theirs.signedHeaders.filter(ofTheCall));
  });

  it('has the signature that the rules give, as the AWS SDK’s has', async () => {
    await converseBySdk('converse');
    expect(partsOf(last()).signature).toBe(signatureOf(last(), SECRET));
    await generate('converse');
    expect(partsOf(last()).signature).toBe(signatureOf(last(), SECRET));
  });

  it('has another signature for another body, path or key', async () => {
    await generate('converse');
    const { signature } = partsOf(last());
    const request = last();
    expect(signatureOf({ ...request, body: `${request.body} ` }, SECRET)).not.toBe(signature);
    expect(signatureOf({ ...request, path: '/model/other/converse' }, SECRET)).not.toBe(signature);
    expect(signatureOf(request, `${SECRET}x`)).not.toBe(signature);
  });

  it('gives what the service answered, as the AWS SDK reads it', async () => {
    const theirs = await converseBySdk('converse-cached');
    const ours = await generate('converse-cached');
    expect(ours.text).toBe(theirs.output?.message?.content?.[0]?.text);
    expect(ours).toMatchObject({ finish: 'length', usage: { input: 2705, output: 10, cachedInput: 2701 } });
    expect(theirs.stopReason).toBe('max_tokens');
    expect(theirs.usage?.cacheReadInputTokens).toBe(2701);
  });

  it.each([
    ['error-400-invalid-model', 'ValidationException', 'configuration'],
    ['error-429-throttling', 'ThrottlingException', 'rate_limited'],
    ['invented-error-424-model-error', 'ModelErrorException', 'unavailable'],
    ['invented-error-403-access-denied', 'AccessDeniedException', 'configuration'],
  ])('that fails as %s is %s to the AWS SDK and %s here', async (fixture, name, kind) => {
    await expect(converseBySdk(fixture)).rejects.toMatchObject({ name });
    await expect(generate(fixture)).rejects.toMatchObject({ name: 'ProviderFailure', kind });
  });
});

describe('a call of ConverseStream', () => {
  const request = {
    system: [{ text: 'Be brief.' }],
    messages: [userMessage('Wie heißt du?')],
    maxTokens: 10,
    signal,
  };
  const stream = (fixture: string) => {
    const provider = createBedrockProvider(settings, { http, openHttp, clock: systemClock });
    return provider.stream!({ ...request, model: modelOf(fixture) });
  };
  const streamBySdk = (fixture: string) =>
    sdk.send(
      new ConverseStreamCommand({
        modelId: modelOf(fixture),
        system: [{ text: 'Be brief.' }],
        messages: [{ role: 'user', content: [{ text: 'Wie heißt du?' }] }],
        inferenceConfig: { maxTokens: 10 },
      }),
    );

  it('is the request that the AWS SDK sends, signed by the rules, and gives the events that it reads', async () => {
    const theirs = await streamBySdk('stream');
    const sent = essence(last());
    const texts: string[] = [];
    const ends: unknown[] = [];
    for await (const { contentBlockDelta, messageStop, metadata } of theirs.stream ?? []) {
      if (contentBlockDelta?.delta?.text !== undefined) texts.push(contentBlockDelta.delta.text);
      ends.push(
        ...[messageStop?.stopReason, metadata?.usage?.outputTokens].filter((one) => one !== undefined),
      );
    }
    const ours: ModelEvent[] = [];
    for await (const event of stream('stream'))
      if (event.type !== 'opened' && event.type !== 'progress') ours.push(event);
    expect(essence(last())).toEqual(sent);
    expect(partsOf(last()).signature).toBe(signatureOf(last(), SECRET));
    expect(ours).toEqual([
      ...texts.map((text) => ({ type: 'text', text })),
      { type: 'end', finish: 'length', usage: { input: 8, output: 10 }, modelVersion: undefined },
    ]);
    expect(ends).toEqual(['max_tokens', 10]);
  });

  it('that fails is told as one of Converse', async () => {
    await expect(streamBySdk('error-429-throttling')).rejects.toMatchObject({ name: 'ThrottlingException' });
    const { thrown } = await take(stream('error-429-throttling'));
    expect(thrown).toMatchObject({ name: 'ProviderFailure', kind: 'rate_limited' });
  });
});

describe('a call for an embedding', () => {
  it('is the request that the AWS SDK sends, signed by the rules', async () => {
    const body = JSON.stringify({ inputText: 'Hello', dimensions: 4, normalize: true });
    const modelId = modelOf('invented-embedding');
    await sdk.send(
      new InvokeModelCommand({
        ...{ modelId, body },
        ...{ contentType: 'application/json', accept: 'application/json' },
      }),
    );
    const theirs = essence(last());
    const embeddings = createBedrockEmbeddings(settings, { http, clock: systemClock });
    expect(await embeddings.embed({ model: modelId, inputs: ['Hello'], dimensions: 4, signal })).toEqual({
      vectors: [[0.5, -0.5, 0.5, 0.5]],
      tokensInput: 5,
    });
    expect(essence(last())).toEqual(theirs);
    expect(partsOf(last()).signature).toBe(signatureOf(last(), SECRET));
  });
});

// A model on Bedrock through the whole local stack: a server on loopback speaks the wire format from fixtures and checks the signature.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeBedrock } from '../adapters/providers/bedrock/fake-bedrock.ts';
import { partsOf, signatureOf } from '../adapters/providers/bedrock/signature.ts';
import { CHAOS, type FixtureServer } from '../adapters/providers/fixture-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { copyAssembly, editTemplate } from './support/assembly.ts';
import type { Answer } from './support/call.ts';
import { expectError, expectSuccess } from './support/expect-answer.ts';
import { applySettings } from './support/settings.ts';
import { isLocal, SOME_MODES, type Stack, startStack } from './support/stack.ts';

/** What the fake answers with, by the neuron that calls it. */
const FIXTURES = {
  answers: 'converse',
  cached: 'converse-cached',
  guarded: 'invented-guardrail',
  filtered: 'invented-content-filtered',
  denied: 'invented-error-403-access-denied',
  unknown: 'error-400-invalid-model',
  rejected: 'invented-error-400-validation',
  throttled: 'error-429-throttling',
  'out-of-quota': 'error-429-daily-quota',
} as const;
const STALLS = CHAOS.map((chaos) => [chaos, chaos] as const);
const modelOf = (fixture: string) => `vendor.${fixture}-v1:0`;

const neuron = (slug: string, fixture: string, more = '') =>
  `---\nneuron: acme/${slug}\naccess: { public: true }\nreceipt: ${slug === 'cached'}\nflow:\n` +
  `  - systemInstructions: Be brief.\n  - callModel: { provider: aws, model: "${modelOf(fixture)}", retries: 0${more} }\n`;
const SETTINGS = [
  'organization: acme\nproviders:\n  aws: { type: bedrock, region: eu-central-1 }\n  demo: { type: echo }\n' +
    `prices:\n  "aws/${modelOf('converse-cached')}": { input: 1, cachedInput: 0.1, output: 10 }\n`,
  ...Object.entries(FIXTURES).map(([slug, fixture]) => neuron(slug, fixture)),
  ...STALLS.map(([slug, chaos]) => neuron(slug, chaos, ', timeout: 1s')),
  neuron('falls-back', 'error-429-daily-quota', ', fallbacks: [{ provider: demo, model: echo-1 }]'),
].join('');

// The functions of a deployment call Bedrock itself.
describe.runIf(isLocal).each(SOME_MODES)('in %s transfer', (transferMode) => {
  let bedrock: FixtureServer;
  let assembly: string;
  let stack: Stack;
  beforeAll(async () => {
    bedrock = await startFakeBedrock();
    assembly = await copyAssembly(transferMode);
    const models = [...Object.values(FIXTURES), ...CHAOS].map(modelOf);
    editTemplate(assembly, 'NeuronApi', ({ Outputs }) => {
      Outputs['BedrockModels'] = { Value: JSON.stringify([{ region: 'eu-central-1', models }]) };
    });
    const environment = { AWS_ENDPOINT_URL_BEDROCK_RUNTIME: bedrock.url };
    const dataFolder = temporaryFolder();
    stack = await startStack({ assembly, dataFolder, environment, concurrency: 1 });
    await applySettings(stack, SETTINGS);
  });
  afterAll(async () => {
    await stack?.stop();
    await bedrock?.stop();
  });

  const call = (slug: string): Promise<Answer> => stack.call(`/acme/${slug}`, { json: { input: 'Hello' } });

  it('answers what the model says, and sends the request signed with the role of the function', async () => {
    expectSuccess(await call('answers'), {
      ...{ output: 'This is a test.', fromCache: false, executionStopped: false },
    });
    const request = bedrock.received.at(-1);
    expect(request?.path).toBe('/model/vendor.converse-v1%3A0/converse');
    expect(JSON.parse(request?.body ?? '')).toEqual({
      system: [{ text: 'Be brief.' }],
      messages: [{ role: 'user', content: [{ text: 'Hello' }] }],
      inferenceConfig: { maxTokens: 1024 },
    });
    if (request === undefined) return expect.unreachable('nothing was received');
    // The credentials that the local run gives a function.
    expect(partsOf(request).credential).toMatch(/^local\/[0-9]{8}\/eu-central-1\/bedrock\/aws4_request$/);
    expect(partsOf(request).signature).toBe(signatureOf(request, 'local'));
    expect(request.headers['x-amz-security-token']).toBe('local');
  });

  it('counts what came from the prompt cache at its own price', async () => {
    const answer = await call('cached');
    // 4 tokens at 1 dollar a million, 2,701 at 0.1 and 10 at 10: 4 + 270.1 + 100, rounded up.
    expect(answer.headers).toMatchObject({
      'x-tokens-input': '2705',
      'x-tokens-output': '10',
      'x-cost-microdollars': '375',
    });
  });

  it('stops where a guardrail or a content filter does', async () => {
    expectSuccess(await call('guarded'), {
      ...{ output: 'words of the guardrail', fromCache: false, executionStopped: true },
    });
    expectSuccess(await call('filtered'), { fromCache: false, executionStopped: true });
  });

  it.each([
    ['denied', 500, 'configuration'],
    ['unknown', 500, 'configuration'],
    ['rejected', 422, 'provider_rejected_input'],
    ['throttled', 503, 'upstream_unavailable'],
    ['out-of-quota', 503, 'upstream_unavailable'],
    ['stall', 503, 'upstream_unavailable'],
    ['cut', 503, 'upstream_unavailable'],
    ['trickle', 503, 'upstream_unavailable'],
  ] as const)('%s: %i %s', async (slug, status, code) => {
    const answer = await call(slug);
    expectError(answer, status, code);
    expect(answer.text).not.toMatch(/words of the provider|tokens|identifier/);
  });

  it('asks the next model where this one is out of quota', async () => {
    expect((await call('falls-back')).json()['output']).toBe('(Be brief.) You said: Hello');
  });

  it('refuses to apply a model that the stage does not allow', async () => {
    const more = SETTINGS + neuron('surplus', 'surplus');
    await expect(applySettings(stack, more)).rejects.toThrow(
      /may not be called in eu-central-1 by this stage: have `bedrock: \[.*'vendor\.surplus-v1:0'\] \}\],` in lib\/stages\/local\.ts/,
    );
  });
});

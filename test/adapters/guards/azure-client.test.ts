// Text analysis by Azure side by side with Microsoft's released client: the same request, and the same reading of each answer.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { installAzureClient } from '../../clients/install.ts';
import type { FakeAnswer } from '../providers/fake-http.ts';
import type { ReceivedRequest } from '../providers/fixture-server.ts';
import { address, answerWith, inspect, ok, received, useServer } from './service-server.ts';

useServer();

const isAsked = process.env['NEURON_E2E_LONG'] !== undefined;

/** The part of the client that is called. */
interface AzureClient {
  path(route: '/text:analyze'): {
    post(options: object): Promise<{ readonly status: string; readonly body: unknown }>;
  };
}

const HARMS = { hate: 2, selfHarm: 4, sexual: 6, violence: 4 };
const NAMES = ['Hate', 'SelfHarm', 'Sexual', 'Violence'] as const;
const API_VERSION = '2024-09-01';

const analysisOf = (severities: readonly number[], terms: readonly string[] = []) => ({
  blocklistsMatch: terms.map((blocklistItemText) => ({
    blocklistName: 'terms',
    blocklistItemId: '0e3ad7f0-a445-4347-8908-8b0a21d59be7',
    blocklistItemText,
  })),
  categoriesAnalysis: NAMES.map((category, index) => ({ category, severity: severities[index] })),
});

/** Each form of the reference: none, every severity at and around the thresholds, terms of a list, and both. */
const ANSWERS = [
  analysisOf([0, 0, 0, 0]),
  analysisOf([2, 2, 4, 2]),
  analysisOf([0, 4, 6, 4]),
  analysisOf([6, 6, 6, 6]),
  analysisOf([0, 0, 0, 0], ['falcon']),
  analysisOf([4, 0, 0, 2], ['falcon', 'eagle']),
];
const ERRORS: readonly (readonly [FakeAnswer, string])[] = [
  [{ status: 400, body: { error: { code: 'InvalidRequestBody', message: 'too long' } } }, 'rejected'],
  [{ status: 401, body: { error: { code: '401', message: 'Access denied' } } }, 'rejected'],
  [{ status: 404, body: { error: { code: 'NotFound', message: 'no list' } } }, 'rejected'],
  [{ status: 429, headers: { 'retry-after': '0' }, body: { error: { code: '429' } } }, 'rate_limited'],
  [{ status: 503, body: { error: { code: 'ServerBusy', message: 'busy' } } }, 'server_error'],
];

describe.runIf(isAsked)("text analysis by Azure, beside Microsoft's released client", () => {
  let client: AzureClient;
  beforeAll(async () => {
    const load = createRequire(join(await installAzureClient(), 'package.json'));
    const { AzureKeyCredential } = load('@azure/core-auth');
    const { default: createClient } = load('@azure-rest/ai-content-safety');
    client = createClient(address(), new AzureKeyCredential('a-key'), {
      apiVersion: API_VERSION,
      allowInsecureConnection: true,
      retryOptions: { maxRetries: 0 },
    });
  }, 120_000);

  const guard = (blocklists: object) => (url: string) => ({
    type: 'azureShield',
    endpoint: url,
    apiKey: { secret: 'key' },
    promptShield: false,
    harms: HARMS,
    ...blocklists,
  });
  const analyze = (lists: object, text = 'Hello') =>
    client.path('/text:analyze').post({
      body: { text, categories: NAMES, ...lists, outputType: 'FourSeverityLevels' },
    });
  const essence = ({ method, path, headers, body }: ReceivedRequest) => ({
    method,
    path,
    body,
    key: headers['ocp-apim-subscription-key'],
    type: headers['content-type']?.split(';')[0],
    accept: headers['accept'],
  });
  const last = () => {
    const request = received().at(-1);
    if (request === undefined) throw new Error('nothing was received');
    return essence(request);
  };

  it.each([
    ['without lists', {}, {}],
    [
      'with lists',
      { blocklists: ['terms', 'names'] },
      { blocklistNames: ['terms', 'names'], haltOnBlocklistHit: false },
    ],
  ])('is asked with the same bytes %s', async (_name, ours, theirs) => {
    for (const text of ['Hello', 'ü 🦊 "quoted"\n\u2028', 'x'.repeat(9_000)]) {
      answerWith(ok(analysisOf([0, 0, 0, 0])));
      await analyze(theirs, text);
      const sent = last();
      await inspect(guard(ours), { texts: [{ role: 'user', text }] });
      expect(last()).toEqual(sent);
    }
  });

  it.each(ANSWERS)('is read the same from %j', async (answer) => {
    answerWith(ok(answer));
    const theirs = (await analyze({ blocklistNames: ['terms'] })).body as typeof answer;
    const { finds, verdict } = await inspect(guard({ blocklists: ['terms'] }));
    const thresholds = Object.values(HARMS);
    const entities = { Hate: 'HATE', SelfHarm: 'SELF_HARM', Sexual: 'SEXUAL', Violence: 'VIOLENCE' };
    const wanted = [
      ...theirs.categoriesAnalysis
        .filter(({ category, severity = 0 }) => severity >= (thresholds[NAMES.indexOf(category)] ?? 0))
        .map(({ category }) => entities[category]),
      ...(theirs.blocklistsMatch.length > 0 ? ['BLOCKLIST'] : []),
    ];
    expect(finds.map(({ entity }) => entity)).toEqual(wanted);
    expect(verdict).toBe(wanted.length > 0 ? 'block' : 'none');
  });

  it.each(ERRORS)('fails for both with %j', async (answer, kind) => {
    answerWith(answer);
    expect((await analyze({})).status).toBe(String(answer.status));
    await expect(inspect(guard({}))).rejects.toMatchObject({ kind, status: answer.status });
  });
});

/** Microsoft's client has no operation for shields: the bytes of its reference, rest/api/contentsafety/text-operations/detect-text-jailbreak. */
describe('a shield of Azure', () => {
  const shield = (url: string) => ({ type: 'azureShield', endpoint: url, apiKey: { secret: 'key' } });

  it.each([
    [
      'user',
      '{"userPrompt":"Hello"}',
      '{"userPromptAnalysis":{"attackDetected":true},"documentsAnalysis":[]}',
    ],
    ['tool', '{"documents":["Hello"]}', '{"documentsAnalysis":[{"attackDetected":true}]}'],
  ] as const)(
    'gets the recorded bytes of a text of a %s, and reads those of its answer',
    async (role, sent, answer) => {
      answerWith({
        status: 200,
        headers: { 'content-type': 'application/json; charset=utf-8' },
        stream: answer,
      });
      const { verdict } = await inspect(shield, { texts: [{ role, text: 'Hello' }] });
      const request = received().at(-1);
      expect([verdict, request?.method, request?.path, request?.body]).toEqual([
        'block',
        'POST',
        `/contentsafety/text:shieldPrompt?api-version=${API_VERSION}`,
        sent,
      ]);
    },
  );
});

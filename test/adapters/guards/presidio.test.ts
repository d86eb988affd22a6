// Presidio's analyzer over a real connection: what it is sent, and how each answer is read.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGuardServices } from '../../../adapters/guards/index.ts';
import type { Http } from '../../../adapters/http/message.ts';
import type { ServiceGuard } from '../../../core/settings/guards/guards-schema.ts';
import { organizationSchema } from '../../../core/settings/organization-schema.ts';
import { createMemorySecretReader } from '../../support/memory/secrets.ts';
import type { FakeAnswer } from '../providers/fake-http.ts';
import { type FixtureServer, startFixtureServer } from '../providers/fixture-server.ts';

let http: Http;
let server: FixtureServer;
let answer: FakeAnswer;

beforeAll(async () => {
  Object.assign(globalThis, { [Symbol.for('neuron.loopback')]: true });
  const { createHttp } = await import('../../../adapters/http/request.ts');
  http = createHttp();
  server = await startFixtureServer(() => answer);
});
afterAll(() => server.stop());

const GUARD = { type: 'presidio', entities: ['PERSON', 'US_DRIVER_LICENSE'], minScore: 0.6 };
const TEXT = '🦊 John Smith drivers license is AC432223';

async function inspect(body: unknown, more: object = {}, text = TEXT) {
  answer = { status: 200, body };
  const secrets = createMemorySecretReader(new Map([['org-1/providers/front', 'a token']]));
  const { guards } = organizationSchema.parse({
    organization: 'acme',
    guards: { names: { ...GUARD, endpoint: `${server.url}/presidio/`, ...more } },
  });
  const open = createGuardServices({ secrets, http, clock: { now: () => 0 } });
  const service = await open(guards?.['names'] as ServiceGuard, { organizationId: 'org-1', providers: {} });
  return service.inspect({
    stage: 'input',
    texts: [{ role: 'user', text }],
    signal: AbortSignal.timeout(5_000),
  });
}

/** As the project's document of its API shows it (microsoft/presidio, docs/api-docs/api-docs.yml), moved by the fox and its blank. */
const RECORDED = [
  {
    analysis_explanation: null,
    end: 12,
    entity_type: 'PERSON',
    recognition_metadata: { recognizer_name: 'SpacyRecognizer' },
    score: 0.85,
    start: 2,
  },
  {
    analysis_explanation: null,
    end: 40,
    entity_type: 'US_DRIVER_LICENSE',
    recognition_metadata: { recognizer_name: 'UsLicenseRecognizer' },
    score: 0.6499999999999999,
    start: 32,
  },
];

describe("Presidio's analyzer", () => {
  it('is sent a text with its language, entities and score', async () => {
    await inspect([], { language: 'de' });
    const sent = server.received.at(-1);
    expect(sent).toMatchObject({ method: 'POST', path: '/presidio/analyze' });
    expect(JSON.parse(sent?.body ?? '')).toEqual({
      text: TEXT,
      language: 'de',
      entities: ['PERSON', 'US_DRIVER_LICENSE'],
      score_threshold: 0.6,
    });
    expect(sent?.headers).not.toHaveProperty('authorization');
  });

  it('is sent the token of what stands before it', async () => {
    await inspect([], { apiKey: { secret: 'front' } });
    expect(server.received.at(-1)?.headers['authorization']).toBe('Bearer a token');
    await expect(inspect([], { apiKey: { secret: 'missing' } })).rejects.toMatchObject({
      code: 'configuration',
      reason: 'the secret missing of a guard is not set',
    });
  });

  it('finds places that are counted in code points', async () => {
    const { verdict, finds } = await inspect(RECORDED);
    expect(verdict).toBe('block');
    expect(finds.map(({ entity, span }) => [entity, TEXT.slice(span?.start, span?.end)])).toEqual([
      ['PERSON', 'John Smith'],
      ['US_DRIVER_LICENSE', 'AC432223'],
    ]);
  });

  it('finds nothing in an empty list, and nothing below the score', async () => {
    const nothing = { verdict: 'none', finds: [], usage: { units: { call: 1 } } };
    expect(await inspect([])).toEqual(nothing);
    expect(await inspect([{ ...RECORDED[0], score: 0.59 }])).toEqual(nothing);
  });

  it.each([
    ['an error in a 200', { error: 'No matching recognizers were found to serve the request.' }],
    ['null', null],
    ['lists of several texts', [[RECORDED[0]]]],
    ['an entity that was not asked for', [{ ...RECORDED[0], entity_type: 'LOCATION' }]],
    ['a value in the place of an entity', [{ ...RECORDED[0], entity_type: 'John Smith' }]],
    ['a place beyond the text', [{ ...RECORDED[0], end: 1_000 }]],
    ['a place before it', [{ ...RECORDED[0], start: -1 }]],
    ['a place of nothing', [{ ...RECORDED[0], start: 12 }]],
    ['half a place', [{ ...RECORDED[0], start: 2.5 }]],
    ['no score', [{ ...RECORDED[0], score: undefined }]],
    ['a score that is a text', [{ ...RECORDED[0], score: '1' }]],
  ])('refuses %s as unreadable', async (_name, body) => {
    await expect(inspect(body)).rejects.toMatchObject({ kind: 'unreadable', status: 200 });
  });
});

describe('its settings', () => {
  const parse = (more: object) =>
    organizationSchema.safeParse({
      organization: 'acme',
      guards: { names: { ...GUARD, endpoint: 'https://presidio.example.com', ...more } },
    });

  it('have English, a score of one half and two seconds where they say nothing', () => {
    const { data } = parse({ minScore: undefined });
    expect(data?.guards?.['names']).toMatchObject({ language: 'en', minScore: 0.5, timeout: 2_000 });
  });

  it.each([
    { entities: [] },
    { entities: ['person'] },
    { minScore: 1.1 },
    { minScore: -0.1 },
    { language: 'english' },
    { secret: { secret: 'x' } },
    { timeout: '31s' },
  ])('refuse %j', (more) => {
    expect(parse(more).success).toBe(false);
  });
});

// Every type of guard by a service that speaks HTTP, with answers in the form of its own API.
import { afterAll, beforeAll, vi } from 'vitest';
import type { FakeAnswer } from '../../../adapters/providers/fake-http.ts';
import type { ReceivedRequest } from '../../../adapters/providers/fixture-server.ts';
import { openGuarded } from './function.ts';
import { serviceUrl, toServer } from './one-service.ts';

// Bedrock has no endpoint in settings.
beforeAll(() => {
  vi.stubEnv('AWS_ENDPOINT_URL_BEDROCK_RUNTIME', serviceUrl());
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY');
});
afterAll(() => void vi.unstubAllEnvs());

type Found = 'pass' | 'block';

/** A type before a service that answers as its vendor does. */
export interface ServiceKind {
  readonly guard: (url: string) => object;
  readonly answer: (found: Found, request: ReceivedRequest) => unknown;
  /** The units that one call of a few words uses; undefined for tokens. */
  readonly unit?: string;
  /** True where the server says nothing of its tokens. */
  readonly countsNothing?: true;
}

const chat = (content: string) => ({
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 100, completion_tokens: 4, total_tokens: 104 },
});
const classifier = { type: 'classifier', provider: 'models', model: 'guard' };

/** By the name of the guard. */
export const KINDS: Readonly<Record<string, ServiceKind>> = {
  webhook: {
    guard: (url) => ({ type: 'webhook', endpoint: url, secret: { secret: 'guard-hmac' } }),
    answer: (found) => ({ verdict: found }),
    unit: 'call',
  },
  presidio: {
    guard: (url) => ({ type: 'presidio', endpoint: url, entities: ['PERSON'] }),
    answer: (found) => (found === 'pass' ? [] : [{ entity_type: 'PERSON', start: 0, end: 5, score: 0.9 }]),
    unit: 'call',
  },
  moderation: {
    guard: () => ({ type: 'openaiModeration', provider: 'models' }),
    answer: (found, { body }) => ({
      results: JSON.parse(body).input.map(() => ({
        flagged: found === 'block',
        categories: { violence: found === 'block' },
        category_scores: { violence: found === 'block' ? 0.9 : 0.1 },
      })),
    }),
    unit: 'call',
  },
  azure: {
    guard: (url) => ({
      type: 'azureShield',
      endpoint: url,
      apiKey: { secret: 'guard-hmac' },
      harms: { hate: 4 },
    }),
    answer: (found, { path }) =>
      path.includes('shieldPrompt')
        ? { userPromptAnalysis: { attackDetected: found === 'block' } }
        : { blocklistsMatch: [], categoriesAnalysis: [{ category: 'Hate', severity: 0 }] },
    unit: 'record',
  },
  guardrail: {
    guard: () => ({ type: 'bedrock', guardrail: 'abc123', version: '3', region: 'us-east-1' }),
    answer: (found) => {
      const isBlocked = found === 'block';
      const filters = [{ type: 'VIOLENCE', confidence: 'HIGH', action: 'BLOCKED' }];
      return {
        action: isBlocked ? 'GUARDRAIL_INTERVENED' : 'NONE',
        usage: { contentPolicyUnits: 1 },
        outputs: isBlocked ? [{ text: 'No.' }] : [],
        assessments: [isBlocked ? { contentPolicy: { filters } } : {}],
      };
    },
    unit: 'content',
  },
  checks: {
    guard: () => ({ type: 'bedrockChecks', region: 'us-east-1', promptAttack: { jailbreak: 0.7 } }),
    answer: (found) => ({
      results: {
        promptAttack: { results: [{ category: 'JAILBREAK', severityScore: found === 'block' ? 0.8 : 0 }] },
      },
      usage: { promptAttack: { textUnits: 1 } },
    }),
    unit: 'promptAttack',
  },
  llama: {
    guard: () => ({ ...classifier, format: 'llamaGuard' }),
    answer: (found) => chat(found === 'pass' ? 'safe' : 'unsafe\nS1'),
  },
  gemma: {
    guard: () => ({ ...classifier, format: 'shieldGemma', policy: 'No harassment.' }),
    answer: (found) => ({ choices: [{ index: 0, text: found === 'pass' ? 'No' : 'Yes' }] }),
    countsNothing: true,
  },
  policy: {
    guard: () => ({ ...classifier, format: 'policy', policy: 'No falcons.' }),
    answer: (found) => chat(found === 'pass' ? '{"violation":0}' : '{"violation":1}'),
  },
};

export const answerOf = (kind: ServiceKind, found: Found, request: ReceivedRequest): FakeAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: kind.answer(found, request),
});

/** What the model says behind the guard. */
export const ANSWER = 'An answer.';

/** A neuron whose one guard is of a kind. */
export function openKind(kind: ServiceKind, use: object = {}, more: object = {}) {
  const { guard = {}, ...others } = more as { readonly guard?: object };
  return openGuarded(
    {
      library: { ours: { ...kind.guard(serviceUrl()), ...guard } },
      guards: [{ use: 'ours', on: ['input'], action: 'block', ...use }],
      providers: { models: { type: 'openai', baseUrl: `${serviceUrl()}/v1` } },
      guardHttp: toServer,
      ...others,
    },
    // In one piece, so that a stream can be searched for it.
    () => ({ text: ANSWER, size: ANSWER.length }),
  );
}

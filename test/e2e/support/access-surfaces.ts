// The URLs and forms by which a neuron is called, and what each answers for a verdict of the decision table.
import { expect } from 'vitest';
import type { CredentialKind, TableVerdict } from '../../core/access/decision-table.ts';
import type { Answer } from './call.ts';
import { expectError, expectSuccess } from './expect-answer.ts';

/** What callers read, written out: nothing of why. */
const TEXTS: Readonly<Record<string, string>> = {
  unauthorized: 'Authentication failed. Send a valid API key or JWT as "Authorization: Bearer <token>".',
  referer_not_allowed: 'Calls from this web page are not allowed.',
  ip_not_allowed: 'Calls from this IP address are not allowed.',
  access_closed: 'This neuron is closed: no way of access is enabled.',
  not_found: 'Neuron not found. Check the organization and the neuron in the URL.',
  dependency_unavailable: 'The service is temporarily unavailable. Try again shortly.',
};

/** The execution id of an answer that is what the verdict says in every part. */
function expectVerdict(answer: Answer, verdict: TableVerdict): string {
  if (verdict.startsWith('allow')) {
    const body = { output: 'in', fromCache: false, executionStopped: false };
    return expectSuccess(answer, body, verdict === 'allow as apiKey');
  }
  const [status, code = ''] = verdict.split(' ');
  const id = expectError(answer, Number(status), code);
  expect(answer.json()['error']).toBe(TEXTS[code]);
  expect(answer.headers['www-authenticate']).toBe(status === '401' ? 'Bearer' : undefined);
  return id;
}

/** How a neuron is called, and what an answer must be for a verdict; it gives the execution id. */
export interface Surface {
  pathOf(slug: string): string;
  bodyOf(slug: string): object;
  expectVerdict(answer: Answer, verdict: TableVerdict): string;
}

export const NATIVE: Surface = {
  pathOf: (slug) => `/acme/${slug}`,
  bodyOf: () => ({ input: 'Hello' }),
  expectVerdict,
};

const OPENAI_CODES: Readonly<Record<string, string>> = {
  unauthorized: 'invalid_api_key',
  not_found: 'model_not_found',
};

const OPENAI_TEXTS: Readonly<Record<string, string>> = {
  unauthorized: 'Incorrect API key provided. Send a valid API key or JWT as "Authorization: Bearer <token>".',
  dependency_unavailable: 'The service is temporarily unavailable. Please try again in 1 s.',
};

export const OPENAI: Surface = {
  pathOf: (slug) => `/v1/acme/${slug}/chat/completions`,
  bodyOf: (slug) => ({ model: slug, messages: [{ role: 'user', content: 'Hello' }] }),
  expectVerdict(answer, verdict) {
    const [status = '', code = ''] = verdict.split(' ');
    if (verdict.startsWith('allow')) {
      expect(answer.status).toBe(200);
      expect(answer.json()).toMatchObject({ choices: [{ message: { content: 'in' } }] });
    } else {
      expect(answer.status).toBe(Number(status));
      expect(answer.json()).toMatchObject({
        error: { message: OPENAI_TEXTS[code] ?? TEXTS[code], code: OPENAI_CODES[code] ?? code },
      });
    }
    return String(answer.headers['x-request-id']);
  },
};

/**
 * By the URL of the organization: without a live key of it 401, and every denial of the neuron is the answer for one that does not exist.
 */
export const ORGANIZATION: Surface = {
  pathOf: () => '/v1/acme/chat/completions',
  bodyOf: (slug) => ({ model: slug, messages: [{ role: 'user', content: 'Hello' }] }),
  expectVerdict(answer, verdict) {
    if (verdict === NO_KEY) {
      expect(answer.status).toBe(401);
      expect(answer.json()).toMatchObject({ error: { code: 'invalid_api_key' } });
    } else if (verdict.startsWith('allow')) {
      expect(answer.status).toBe(200);
      expect(answer.json()).toMatchObject({ choices: [{ message: { content: 'in' } }] });
    } else {
      expect(answer.status).toBe(404);
      expect(answer.text).toBe(NOBODY);
    }
    return String(answer.headers['x-request-id']);
  },
};

/** The same, but what is 401 on the neuron's own URL is 404 for a key that is live. */
export const KEY_OF_ANOTHER: Surface = {
  ...ORGANIZATION,
  expectVerdict: (answer, verdict) =>
    ORGANIZATION.expectVerdict(answer, verdict === NO_KEY ? '404 not_found' : verdict),
};

/** All of them but `unreachable`, and that of another neuron, which is live. */
export const NOT_LIVE: readonly CredentialKind[] = [
  ...(['absent', 'doubled', 'notBearer', 'jwt', 'malformed'] as const),
  ...(['unknown', 'revoked', 'expired', 'otherOrganization'] as const),
];
export const NO_KEY: TableVerdict = '401 unauthorized';

const NOBODY =
  '{"error":{"message":"The model does not exist, or this API key may not call it. GET the models of this base URL for those that it may call.","type":"invalid_request_error","param":"model","code":"model_not_found"}}';

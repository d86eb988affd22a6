// What the authorizer makes of a caller whom access control refuses: a denial that the execution function answers, or a 401.
import type { APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { toAdmission, toExecutionRequest } from '../../../adapters/apigateway/proxy-event.ts';
import type { LogEntry } from '../../../core/contract/log-entry.ts';
import { createJournal } from '../../../core/logs/journal.ts';
import { cacheSettings } from '../../../core/settings/settings-cache.ts';
import { authorize } from '../../../lambdas/authorizer/authorize.ts';
import { NOON_MS } from '../../core/logs/entries.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';

const UNUSED = () => {
  throw new Error('nothing but settings is read here');
};

/** An authorizer of one neuron with these access settings, and what it logs. */
function authorizerOf(access: unknown) {
  const clock = createMemoryClock(NOON_MS);
  const entries: LogEntry[] = [];
  const written: string[] = [];
  const organization = { id: 'o1', slug: 'acme', document: { organization: 'acme' }, pause: undefined };
  const neuron = {
    ...{ id: 'n1', organizationId: 'o1', slug: 'hello', document: { neuron: 'acme/hello', access } },
    ...{ deployment: { version: 'v1', number: 1 }, previewKeys: {}, cacheGeneration: 0, write: 1 },
  };
  const stored = { organization: { ...organization, write: 1 }, neuron, maintenance: undefined };
  const limits = { ttlMs: 1_000, maxStaleMs: 1_000, unknownMs: 1_000, maximum: 1 };
  const ports = {
    ...{ stage: 'test', clock, journal: createJournal(), keys: { read: UNUSED } },
    lines: { write: (line: string) => void written.push(line) },
    logs: { put: async (entry: LogEntry) => entries.push(entry) > 0 },
    settings: cacheSettings({ read: async () => stored }, clock, limits),
    jwt: { secrets: { read: UNUSED }, verifyWithSecret: UNUSED, keySets: { read: UNUSED, find: UNUSED } },
  };
  return { entries, written, ports };
}

const event = {
  type: 'REQUEST',
  methodArn: 'arn:aws:execute-api:us-east-1:000000000000:api/prod/POST/acme/hello',
  pathParameters: { organization: 'acme', neuron: 'hello' },
  multiValueHeaders: { Referer: ['https://evil.example.org/page'] },
  requestContext: {
    extendedRequestId: 'e1',
    requestTimeEpoch: NOON_MS,
    identity: { sourceIp: '198.51.100.9' },
  },
} as unknown as APIGatewayRequestAuthorizerEvent;

describe('a caller whom access control refuses', () => {
  it.each([
    ['referer_not_allowed', { referers: ['app.example.com'] }],
    ['ip_not_allowed', { ips: ['203.0.113.7'] }],
    ['access_closed', undefined],
  ])('goes on as denied with %s, and has one line and one entry', async (code, access) => {
    const { entries, written, ports } = authorizerOf(access);
    const { policyDocument, context } = await authorize(event, ports as never);
    expect(policyDocument.Statement).toMatchObject([{ Effect: 'Allow' }]);
    expect(context).toEqual({ outcome: 'denied', code });
    expect(entries).toMatchObject([{ executionId: 'e1', outcome: 'refused', code }]);
    expect(written).toHaveLength(1);
  });

  it('is rejected with Unauthorized for a missing credential, so that API Gateway answers', async () => {
    const { entries, ports } = authorizerOf({ apiKey: true });
    await expect(authorize(event, ports as never)).rejects.toThrow(/^Unauthorized$/);
    expect(entries).toMatchObject([{ executionId: 'e1', outcome: 'refused', code: 'unauthorized' }]);
  });

  it.each([
    ['/v1/{organization}/{neuron}/chat/completions', 'unauthorized', { apiKey: true }],
    ['/v1/{organization}/{neuron}/responses', 'unauthorized', { apiKey: true }],
    ['/v1/{organization}/{neuron}/messages', 'unauthorized', { apiKey: true }],
    ['/v1/{organization}/{neuron}/v1/messages', 'unauthorized', { apiKey: true }],
    ['/v1/{organization}/{neuron}/models', 'unauthorized', { apiKey: true }],
    ['/v1/{organization}/{neuron}/models/{model+}', 'unauthorized', { apiKey: true }],
    [
      '/v1/{organization}/{neuron}/chat/completions',
      'referer_not_allowed',
      { referers: ['app.example.com'] },
    ],
    ['/v1/{organization}/{neuron}/chat/completions', 'access_closed', undefined],
  ])(
    'goes on as denied on %s with %s, logged once, and with nothing that would admit it',
    async (resource, code, access) => {
      const { entries, written, ports } = authorizerOf(access);
      const { policyDocument, context } = await authorize({ ...event, resource }, ports as never);
      expect(policyDocument.Statement).toMatchObject([{ Effect: 'Allow' }]);
      expect(context).toEqual({ outcome: 'denied', code });
      expect(entries).toMatchObject([{ executionId: 'e1', outcome: 'refused', code }]);
      expect(written).toHaveLength(1);
      const authorizer = {
        ...context,
        organizationId: 'o1',
        neuronId: 'n1',
        organization: 'acme',
        neuron: 'hello',
      };
      const run = toExecutionRequest(
        { ...event, resource, requestContext: { ...event.requestContext, authorizer } } as never,
        NOON_MS,
      );
      expect(run.surface).not.toBe('native');
      expect(() => toAdmission(run)).toThrow(code);
    },
  );
});

// An admission can be had in one way only.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseContext } from '../../../adapters/apigateway/authorizer-context.ts';
import { type ExecutionRequest, toAdmission } from '../../../adapters/apigateway/proxy-event.ts';
import { ERROR_CODES } from '../../../core/contract/error-codes.ts';
import { ServiceError } from '../../../core/contract/service-error.ts';

const allow = {
  outcome: 'allow',
  organization: 'acme',
  neuron: 'hello',
  organizationId: 'o1',
  neuronId: 'n1',
  authentication: 'public',
  keyId: undefined,
  username: undefined,
  settingsVersion: '1.1',
} as const;

function request(
  authorizerContext: ExecutionRequest['authorizerContext'],
  organization = 'acme',
  neuron = 'hello',
): ExecutionRequest {
  return {
    executionId: 'e1',
    timeMs: 0,
    organization,
    neuron,
    revision: undefined,
    previewKeys: [],
    idempotencyKeys: [],
    sourceIp: '203.0.113.7',
    refererHost: undefined,
    surface: 'native',
    unparsed: { body: '{}', bypassCache: [], rawOutput: [], accept: [] },
    authorizerContext,
  };
}

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return error instanceof ServiceError ? error.code : 'foreign';
  }
  return 'admitted';
}

describe('an admission', () => {
  it('is what the authorizer allowed for the slugs of the path', () => {
    expect(toAdmission(request(allow))).toMatchObject({ organizationId: 'o1', neuronId: 'n1' });
  });

  it.each([
    ['without anything from the authorizer', undefined, 'internal'],
    ['of what the authorizer did not find', { outcome: 'not_found' }, 'not_found'],
    ['when a secret that settings name does not exist', { outcome: 'configuration' }, 'configuration'],
    ['without a credential', { outcome: 'denied', code: 'unauthorized' }, 'unauthorized'],
    [
      'for a page that is not listed',
      { outcome: 'denied', code: 'referer_not_allowed' },
      'referer_not_allowed',
    ],
    ['for an address that is not listed', { outcome: 'denied', code: 'ip_not_allowed' }, 'ip_not_allowed'],
    ['where nothing is enabled', { outcome: 'denied', code: 'access_closed' }, 'access_closed'],
    ['when a store of the authorizer failed', { outcome: 'unavailable' }, 'dependency_unavailable'],
  ] as const)('is refused %s', (_name, authorizerContext, code) => {
    expect(codeOf(() => toAdmission(request(authorizerContext)))).toBe(code);
  });

  it('refuses whatever says that it was denied, also with all that an allow has', () => {
    const DENIALS = ['unauthorized', 'referer_not_allowed', 'ip_not_allowed', 'access_closed'];
    const code = fc.oneof(fc.constantFrom(...DENIALS, ...Object.keys(ERROR_CODES)), fc.anything());
    fc.assert(
      fc.property(code, fc.dictionary(fc.string(), fc.anything()), (input, more) => {
        const context = parseContext({ ...more, ...allow, outcome: 'denied', code: input });
        const expected = DENIALS.includes(input as string) ? input : 'internal';
        expect(codeOf(() => toAdmission(request(context)))).toBe(expected);
      }),
    );
  });

  it('is refused with the reason of the settings, else with that of the authorizer', () => {
    const reasonOf = (reason?: string, unusableBecause?: string) => {
      try {
        toAdmission(request({ outcome: 'unavailable', reason }), unusableBecause);
      } catch (thrown) {
        return (thrown as ServiceError).reason;
      }
      return 'admitted';
    };
    expect(reasonOf('no JWKS endpoint gave keys')).toBe('no JWKS endpoint gave keys');
    expect(reasonOf('the neuron is unknown', 'the settings do not parse')).toBe('the settings do not parse');
    expect(reasonOf()).toBeUndefined();
  });

  it.each([
    ['another organization', 'evil', 'hello'],
    ['another neuron', 'acme', 'secret'],
  ])('refuses an allow for %s than that of the path', (_name, organization, neuron) => {
    expect(codeOf(() => toAdmission(request(allow, organization, neuron)))).toBe('internal');
  });
});

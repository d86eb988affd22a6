// What an operator learns of a refusal, and what nobody does.
import { describe, expect, it } from 'vitest';
import { ServiceError, toServiceError } from '../../../core/contract/service-error.ts';
import { ProviderFailure } from '../../../core/ports/providers.ts';

describe('a refusal', () => {
  it('of a defect names the kind of error, and neither its message nor its stack', () => {
    const rejection = toServiceError(new TypeError('secret-canary'));
    expect(rejection.code).toBe('internal');
    expect(rejection.reason).toBe('TypeError');
    expect(JSON.stringify(rejection)).not.toContain('secret-canary');
  });

  it('over a store that fails names how it failed', () => {
    const cause = Object.assign(new Error('table arn:…'), { name: 'AccessDeniedException' });
    expect(
      new ServiceError('dependency_unavailable', { reason: 'the settings could not be read', cause }).reason,
    ).toBe('the settings could not be read (AccessDeniedException)');
  });

  it('over a provider says what it said before', () => {
    const cause = new ProviderFailure('timeout');
    expect(new ServiceError('upstream_unavailable', { reason: 'demo/m: timeout', cause }).reason).toBe(
      'demo/m: timeout',
    );
  });

  it('keeps a name out that is no plain word', () => {
    const cause = Object.assign(new Error('x'), { name: 'line\nbreak secret' });
    expect(toServiceError(cause).reason).toBe('object');
  });

  it('that is one already stays the same', () => {
    const rejection = new ServiceError('not_found');
    expect(toServiceError(rejection)).toBe(rejection);
  });
});

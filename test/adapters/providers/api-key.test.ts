// An API key: where it comes from, and what happens when the provider refuses it.
import { describe, expect, it } from 'vitest';
import { withApiKey } from '../../../adapters/providers/api-key.ts';
import { ProviderFailure } from '../../../core/ports/providers.ts';
import type { SecretReader } from '../../../core/ports/stores.ts';
import { createMemorySecretReader } from '../../support/memory/secrets.ts';

const unauthorized = new ProviderFailure('configuration', { status: 401 });

function attempt(secrets: SecretReader, rejected: readonly string[] = [], failure: unknown = unauthorized) {
  const used: string[] = [];
  const result = withApiKey({ secret: 'key' }, { organizationId: 'org-1', secrets }, async (key) => {
    used.push(key);
    if (rejected.includes(key)) throw failure;
    return `done with ${key}`;
  });
  return { used, result };
}

const holding = (value: string) => createMemorySecretReader(new Map([['org-1/providers/key', value]]));

/** Holds `old` in its cache until it is asked afresh. */
const rotated: SecretReader = {
  read: async (_org, _purpose, _name, detail) => (detail?.fresh ? 'new' : 'old'),
};

describe('an API key', () => {
  it('is that of the organization and of the purpose providers', async () => {
    const { result } = attempt(holding('sk-one'));
    expect(await result).toBe('done with sk-one');
    const foreign = createMemorySecretReader(
      new Map([
        ['org-2/providers/key', 'x'],
        ['org-1/jwt/key', 'x'],
      ]),
    );
    await expect(attempt(foreign).result).rejects.toMatchObject({
      code: 'configuration',
      reason: 'the secret key for providers is not set',
    });
  });

  it.each([['with space'], ['line\nbreak'], ['sk-one\n'], ['ключ'], ['']])(
    'refuses %j as a value, without showing it',
    async (value) => {
      const { used, result } = attempt(holding(value));
      await expect(result).rejects.toMatchObject({
        code: 'configuration',
        reason: 'the secret key holds characters that no API key has',
      });
      expect(used).toEqual([]);
    },
  );

  it('is read afresh after a 401 and tried once more when it was changed', async () => {
    const { used, result } = attempt(rotated, ['old']);
    expect(await result).toBe('done with new');
    expect(used).toEqual(['old', 'new']);
  });

  it('is not tried a third time', async () => {
    const { used, result } = attempt(rotated, ['old', 'new']);
    await expect(result).rejects.toMatchObject({ kind: 'configuration', status: 401, secret: 'key' });
    expect(used).toEqual(['old', 'new']);
  });

  it('is not tried again when it is still the same', async () => {
    const { used, result } = attempt(holding('sk-one'), ['sk-one']);
    await expect(result).rejects.toMatchObject({ kind: 'configuration', status: 401, secret: 'key' });
    expect(used).toEqual(['sk-one']);
  });

  it('is not read afresh after any other failure', async () => {
    const forbidden = new ProviderFailure('configuration', { status: 403 });
    const { used, result } = attempt(rotated, ['old'], forbidden);
    await expect(result).rejects.toMatchObject({ kind: 'configuration', status: 403, secret: 'key' });
    expect(used).toEqual(['old']);
  });

  it('is named by its secret alone, also where the provider quotes it', async () => {
    const explanation = { code: 'bad_sk-one', message: 'Incorrect API key: sk-one, sk%2Done.' };
    const failure = new ProviderFailure('configuration', { status: 401, explanation });
    const thrown = await attempt(holding('sk-one'), ['sk-one'], failure).result.catch(
      (error: unknown) => error,
    );
    expect(thrown).toMatchObject({
      secret: 'key',
      explanation: { code: 'bad_[redacted]', message: 'Incorrect API key: [redacted], [redacted].' },
    });
    expect(JSON.stringify(thrown)).not.toContain('Incorrect');
  });

  it('is not blamed for a failure that has nothing to do with it', async () => {
    const failure = new ProviderFailure('rate_limited', {
      status: 429,
      retryAfterMs: 7,
      explanation: { code: 'x' },
    });
    const { result } = attempt(holding('sk-one'), ['sk-one'], failure);
    const same = { kind: 'rate_limited', status: 429, retryAfterMs: 7, explanation: { code: 'x' } };
    await expect(result).rejects.toMatchObject({ ...same, secret: undefined });
    await expect(attempt(holding('sk-one'), ['sk-one'], 'a defect').result).rejects.toBe('a defect');
  });

  it('that cannot be read keeps the call closed: unavailable, and nothing is sent', async () => {
    const failing: SecretReader = { read: () => Promise.reject(new Error('timed out')) };
    const { used, result } = attempt(failing);
    await expect(result).rejects.toMatchObject({ code: 'dependency_unavailable' });
    expect(used).toEqual([]);
  });
});

// The credentials of a function: Lambda's three variables.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { defaultProvider } from '../../../adapters/platform/lambda-credentials.ts';

afterEach(() => vi.unstubAllEnvs());

function stub(id: string, secret: string, token: string) {
  vi.stubEnv('AWS_ACCESS_KEY_ID', id);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', secret);
  vi.stubEnv('AWS_SESSION_TOKEN', token);
}

describe('the credentials of a function', () => {
  it('are read when they are asked for', async () => {
    const provider = defaultProvider();
    stub('id', 'secret', 'token');
    expect(await provider()).toEqual({ accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 'token' });
  });

  it('are read once, and again where they were not there', async () => {
    const provider = defaultProvider();
    stub('', '', '');
    await expect(provider()).rejects.toThrow();
    stub('id', 'secret', 'token');
    const first = await provider();
    stub('other', 'other', 'other');
    expect(await provider()).toEqual(first);
    expect(first).toMatchObject({ accessKeyId: 'id' });
  });

  it('have no session where there is none, as in the local run', async () => {
    stub('id', 'secret', '');
    expect(await defaultProvider()()).toEqual({ accessKeyId: 'id', secretAccessKey: 'secret' });
  });

  it.each([
    ['', 'secret'],
    ['id', ''],
  ])('refuses to be half there: %j, %j', async (id, secret) => {
    stub(id, secret, 'token');
    await expect(defaultProvider()()).rejects.toThrow(
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set',
    );
  });
});

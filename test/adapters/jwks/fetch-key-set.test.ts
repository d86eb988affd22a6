// Fetching key sets over real TLS, from servers that misbehave in every way: keys or a failure, within bounds of time and size.
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FetchKeySet } from '../../../core/ports/jwt.ts';
import { type Behaviour, CA_FILE, type JwksServer, startJwksServer } from '../../support/jwks-server.ts';
import { jwkOf, PAIRS } from '../jwt/key-pairs.ts';

const KEYS = [jwkOf(PAIRS.RS256, { kid: 'rsa' }), jwkOf(PAIRS.ES256)];
const trusted = getCACertificates('default');

let server: JwksServer;
let fetchKeySet: FetchKeySet;

beforeAll(async () => {
  setDefaultCACertificates([...trusted, readFileSync(CA_FILE, 'utf8')]);
  Object.assign(globalThis, { [Symbol.for('neuron.loopback')]: true });
  const { createHttp } = await import('../../../adapters/http/request.ts');
  const { createKeySetFetch } = await import('../../../adapters/jwks/fetch-key-set.ts');
  fetchKeySet = createKeySetFetch(createHttp(async () => [{ address: '127.0.0.1', family: 4 }]));
  server = await startJwksServer();
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await server?.stop();
});

async function kidsAt(path: string, behaviour?: Behaviour): Promise<unknown> {
  if (behaviour !== undefined) server.answer(path, behaviour);
  const keys = await fetchKeySet(server.url(path), new AbortController().signal);
  return keys.map(({ kid }) => kid);
}

describe('a key set', () => {
  it('is fetched over TLS from a server whose certificate is trusted', async () => {
    expect(await kidsAt('/good', { keys: KEYS })).toEqual(['rsa', undefined]);
  });

  it('is taken without the keys that cannot be used', async () => {
    expect(
      await kidsAt('/mixed', {
        keys: [{ kty: 'RSA', n: 'x' }, null, ...KEYS, { kty: 'oct', k: 'c2VjcmV0' }],
      }),
    ).toEqual(['rsa', undefined]);
  });

  it.each([201, 204, 206, 301, 302, 304, 307, 400, 401, 403, 404, 429, 500, 503])(
    'is none with status %d, whatever the body says',
    async (status) => {
      await expect(kidsAt('/status', { status, keys: KEYS })).rejects.toThrow(
        `the JWKS endpoint answered ${status}`,
      );
    },
  );

  it('is not looked for where a redirect points', async () => {
    server.answer('/target', { keys: KEYS });
    await expect(kidsAt('/redirect', { redirectTo: server.url('/target') })).rejects.toThrow('answered 302');
    expect(server.asked).not.toContain('/target');
  });

  it.each(['200 MB announced', '200 MB sent'] as const)('is cut off beyond 100 KB: %s', async (behaviour) => {
    await expect(kidsAt('/large', behaviour)).rejects.toMatchObject({
      name: 'HttpFailure',
      kind: 'too_large',
    });
  });

  it('may have 100 KB and not a byte more', async () => {
    const text = JSON.stringify({ keys: KEYS });
    expect(await kidsAt('/full', { text: text.padEnd(100 * 1024) })).toHaveLength(2);
    await expect(kidsAt('/full', { text: text.padEnd(100 * 1024 + 1) })).rejects.toMatchObject({
      kind: 'too_large',
    });
  });

  it('is never unpacked', async () => {
    await expect(kidsAt('/bomb', 'gzip bomb')).rejects.toMatchObject({ kind: 'malformed' });
  });

  it.each([
    ['cut short', 'hang up'],
    ['garbage', { text: '\u0000\u0001\u0002' }],
    ['HTML', { text: '<html>Sign in</html>' }],
  ] as const)('is none when it is %s', async (_name, behaviour) => {
    await expect(kidsAt('/broken', behaviour)).rejects.toThrow();
  });

  it.each(['stall', 'trickle'] as const)('is given up when its time is over: %s', async (behaviour) => {
    server.answer('/slow', behaviour);
    const giveUp = new AbortController();
    const fetched = fetchKeySet(server.url('/slow'), giveUp.signal);
    setTimeout(() => giveUp.abort(), 100);
    await expect(fetched).rejects.toMatchObject({ name: 'HttpFailure', kind: 'aborted' });
  });
});

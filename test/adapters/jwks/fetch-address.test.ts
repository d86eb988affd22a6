// Where key sets are fetched from without the hook of the local run: nowhere within a network, whatever name leads there.
import { describe, expect, it } from 'vitest';
import { createHttp } from '../../../adapters/http/request.ts';
import { createKeySetFetch } from '../../../adapters/jwks/fetch-key-set.ts';
import { startJwksServer } from '../../support/jwks-server.ts';

const signal = new AbortController().signal;
const rejected = { name: 'HttpFailure', kind: 'refused' };

describe('a JWKS URL', () => {
  it.each([9001, 2772, 2773, 2000, 443, 80])('leads to no port of the machine: %d', async (port) => {
    const fetchKeySet = createKeySetFetch(createHttp());
    for (const host of [
      '127.0.0.1',
      '127.1',
      '0x7f000001',
      '[::1]',
      '[::ffff:127.0.0.1]',
      'localhost',
      '0.0.0.0',
    ]) {
      await expect(fetchKeySet(`https://${host}:${port}/`, signal), host).rejects.toMatchObject(rejected);
    }
  });

  it.each([
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '169.254.169.254',
    'fd00:ec2::254',
    '10.0.0.5',
    '192.168.0.1',
    '100.64.0.1',
    '0.0.0.0',
  ])('with a public name that resolves to %s leads nowhere', async (address) => {
    const server = await startJwksServer();
    server.answer('/jwks', { keys: [] });
    const family = address.includes(':') ? 6 : 4;
    const fetchKeySet = createKeySetFetch(createHttp(async () => [{ address, family }]));
    await expect(fetchKeySet(`https://login.example.com:${server.port}/jwks`, signal)).rejects.toMatchObject(
      rejected,
    );
    expect(server.asked).toEqual([]);
    await server.stop();
  });

  it('is resolved once for each fetch, so that no second answer can be another one', async () => {
    const resolved: string[] = [];
    const fetchKeySet = createKeySetFetch(
      createHttp(async (name) => {
        resolved.push(name);
        return [{ address: resolved.length === 1 ? '10.0.0.5' : '127.0.0.1', family: 4 }];
      }),
    );
    await expect(fetchKeySet('https://login.example.com/jwks', signal)).rejects.toMatchObject(rejected);
    expect(resolved).toEqual(['login.example.com']);
  });
});

// What may be connected to without the hook of the local run: global addresses over TLS, in whatever spelling they are written.
import { describe, expect, it } from 'vitest';
import { createHttp } from '../../../adapters/http/request.ts';
import { startRawServer } from './raw-server.ts';

const signal = new AbortController().signal;
const rejected = expect.objectContaining({ name: 'HttpFailure', kind: 'refused' });

describe('an address that is not global', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'https://127.0.0.1:PORT/',
    'https://127.1:PORT/',
    'https://127.0.0.1.:PORT/',
    'https://2130706433:PORT/',
    'https://0x7f000001:PORT/',
    'https://0x7f.0.0.0x1:PORT/',
    'https://0177.0.0.01:PORT/',
    'https://%31%32%37.0.0.1:PORT/',
    'https://①②⑦.⓪.⓪.①:PORT/',
    'https://１２７。０。０。１:PORT/',
    'https://0:PORT/',
    'https://[::1]:PORT/',
    'https://[0:0:0:0:0:0:0:1]:PORT/',
    'https://[::ffff:127.0.0.1]:PORT/',
    'https://[::ffff:7f00:1]:PORT/',
    'https://[::127.0.0.1]:PORT/',
    'https://[64:ff9b::127.0.0.1]:PORT/',
    'https://[2002:7f00:1::]:PORT/',
    'https://localhost:PORT/',
    'https://LOCALHOST.:PORT/',
    'https://api.localhost:PORT/',
    'https://169.254.169.254/latest/meta-data/',
    'https://10.0.0.1/',
    'https://metadata.internal/',
    'https://user:pass@api.example.com/',
    'http://api.example.com/',
    'ftp://api.example.com/',
    'file:///etc/passwd',
    'data:text/plain,hi',
    'not a url',
  ])('is refused as %s', async (url) => {
    const server = await startRawServer((socket) => socket.end());
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const sent = createHttp(resolve)({
      method: 'POST',
      url: url.replace('PORT', String(server.port)),
      maxBytes: 1,
      signal,
    });
    await expect(sent).rejects.toEqual(rejected);
    expect(server.received).toEqual([]);
    expect(server.open()).toBe(0);
  });

  it.each([
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    'fd00::1',
    'fe80::1',
    '0.0.0.0',
  ])('is refused when a public name resolves to it: %s', async (address) => {
    const server = await startRawServer((socket) => socket.end());
    const resolve = async () => [{ address, family: address.includes(':') ? 6 : 4 }];
    const url = `https://api.example.com:${server.port}/`;
    await expect(createHttp(resolve)({ method: 'POST', url, maxBytes: 1, signal })).rejects.toEqual(rejected);
    await expect(createHttp(resolve)({ method: 'GET', url, maxBytes: 1, signal })).rejects.toEqual(rejected);
    expect(server.open()).toBe(0);
  });

  it('stays refused when the hook is set after the bundle has loaded', async () => {
    Object.assign(globalThis, { [Symbol.for('neuron.loopback')]: true });
    const server = await startRawServer((socket) => socket.end());
    const sent = createHttp()({ method: 'POST', url: server.url, maxBytes: 1, signal });
    await expect(sent).rejects.toEqual(rejected);
  });
});

describe('a name', () => {
  it('that cannot be resolved is unreachable', async () => {
    const resolve = async () => {
      throw Object.assign(new Error('getaddrinfo ENOTFOUND api.example.com'), { code: 'ENOTFOUND' });
    };
    const sent = createHttp(resolve)({ method: 'GET', url: 'https://api.example.com/', maxBytes: 1, signal });
    await expect(sent).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.not.stringContaining('ENOTFOUND'),
    });
  });

  it('that never resolves is given up with the signal', async () => {
    const input = new AbortController();
    const sent = createHttp(() => new Promise(() => {}))({
      method: 'GET',
      url: 'https://api.example.com/',
      maxBytes: 1,
      signal: input.signal,
    });
    const settled = expect(sent).rejects.toMatchObject({ kind: 'aborted' });
    input.abort();
    await settled;
  });
});

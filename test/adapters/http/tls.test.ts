// TLS: a certificate that is not trusted, of another host, or of an old version is as good as no connection.
import { readFileSync } from 'node:fs';
import tls, { createServer, getCACertificates, setDefaultCACertificates, type TlsOptions } from 'node:tls';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Http } from '../../../adapters/http/message.ts';
import { listen } from './raw-server.ts';

// Made for these tests with openssl, for the name localhost; nothing else trusts it.
const cert = readFileSync(new URL('fixtures/localhost-certificate.pem', import.meta.url), 'utf8');
const key = readFileSync(new URL('fixtures/localhost-key.pem', import.meta.url), 'utf8');
const signal = new AbortController().signal;
const trusted = getCACertificates('default');
const { DEFAULT_MIN_VERSION, DEFAULT_CIPHERS } = tls;

let http: Http;
beforeAll(async () => {
  Object.assign(globalThis, { [Symbol.for('neuron.loopback')]: true });
  const { createHttp } = await import('../../../adapters/http/request.ts');
  http = createHttp(async () => [{ address: '127.0.0.1', family: 4 }]);
});

afterEach(() => {
  setDefaultCACertificates(trusted);
  Object.assign(tls, { DEFAULT_MIN_VERSION, DEFAULT_CIPHERS });
  vi.unstubAllEnvs();
});

async function startTls(options: TlsOptions = {}) {
  const received: string[] = [];
  const server = createServer({ cert, key, ...options }, (socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      received.push(bytes.toString());
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi');
    });
  });
  server.on('tlsClientError', () => undefined);
  const port = await listen(server);
  onTestFinished(() => void server.close());
  return { port, received };
}

function call(host: string, port: number) {
  return http({ method: 'POST', url: `https://${host}:${port}/`, body: 'canary', maxBytes: 10, signal });
}

const unreachable = expect.objectContaining({ name: 'HttpFailure', kind: 'unreachable' });

describe('a connection over TLS', () => {
  it('is made to a host whose certificate is trusted', async () => {
    setDefaultCACertificates([...trusted, cert]);
    const { port } = await startTls();
    expect((await call('localhost', port)).status).toBe(200);
  });

  it('is refused where the certificate is not trusted, whatever the environment says', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const { port, received } = await startTls();
    await expect(call('localhost', port)).rejects.toEqual(unreachable);
    expect(received).toEqual([]);
  });

  it('is refused where the certificate is of another host', async () => {
    setDefaultCACertificates([...trusted, cert]);
    const { port, received } = await startTls();
    await expect(call('127.0.0.1', port)).rejects.toEqual(unreachable);
    expect(received).toEqual([]);
  });

  it('is refused below TLS 1.2, where the process would allow it too', async () => {
    setDefaultCACertificates([...trusted, cert]);
    Object.assign(tls, { DEFAULT_MIN_VERSION: 'TLSv1', DEFAULT_CIPHERS: 'ALL@SECLEVEL=0' });
    const { port } = await startTls({ maxVersion: 'TLSv1.1' });
    await expect(call('localhost', port)).rejects.toEqual(unreachable);
  });
});

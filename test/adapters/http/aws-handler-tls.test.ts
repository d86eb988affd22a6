// What the SDK's clients send by, over TLS: the way to every service of AWS.
import { readFileSync } from 'node:fs';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { createServer as createNetServer } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { createAwsHandler } from '../../../adapters/http/aws-handler.ts';
import { listen } from './raw-server.ts';

// Made for these tests with openssl, for the name localhost; nothing else trusts it.
const cert = readFileSync(new URL('fixtures/localhost-certificate.pem', import.meta.url), 'utf8');
const key = readFileSync(new URL('fixtures/localhost-key.pem', import.meta.url), 'utf8');
const trusted = getCACertificates('default');

const PATIENT = { connectionTimeout: 30_000, requestTimeout: 30_000 };

afterEach(() => setDefaultCACertificates(trusted));

function toRequest(port: number, hostname = 'localhost') {
  const headers: Record<string, string> = { host: `${hostname}:${port}` };
  return { protocol: 'https:', hostname, port, method: 'POST', path: '/', headers, body: '{}' };
}

async function serve(options: ServerOptions = {}) {
  const seen = { connections: 0, requests: 0 };
  const server = createHttpsServer({ cert, key, ...options }, (request, response) => {
    seen.requests += 1;
    request.pipe(response);
  });
  server.on('secureConnection', () => {
    seen.connections += 1;
  });
  server.on('tlsClientError', () => undefined);
  const port = await listen(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port, seen };
}

describe('a request of an AWS client over TLS', () => {
  it('is answered, and the next one takes the same connection', async () => {
    setDefaultCACertificates([...trusted, cert]);
    const { port, seen } = await serve();
    const handler = createAwsHandler({ connectionTimeout: 20_000, requestTimeout: 30_000 });
    for (let call = 1; call <= 2; call += 1) {
      const { response } = await handler.handle(toRequest(port));
      expect([response.statusCode, Buffer.from(response.body).toString()]).toEqual([200, '{}']);
    }
    expect(seen).toEqual({ connections: 1, requests: 2 });
    handler.destroy();
  });

  it('is not sent to a host whose certificate is not trusted, or of another name', async () => {
    const { port, seen } = await serve();
    const handler = createAwsHandler(PATIENT);
    await expect(handler.handle(toRequest(port))).rejects.toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    setDefaultCACertificates([...trusted, cert]);
    await expect(handler.handle(toRequest(port, '127.0.0.1'))).rejects.toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
    expect(seen.requests).toBe(0);
    handler.destroy();
  });

  it('ends in a TimeoutError where the handshake is not answered', async () => {
    const silent = createNetServer((socket) => void socket.on('error', () => undefined).resume());
    const port = await listen(silent);
    onTestFinished(() => void silent.close());
    const handler = createAwsHandler({ connectionTimeout: 30_000, requestTimeout: 50 });
    await expect(handler.handle(toRequest(port))).rejects.toMatchObject({ name: 'TimeoutError' });
    handler.destroy();
  });
});

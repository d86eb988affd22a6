// A stand-in for an identity provider: gives a JWT to whoever asks, and the key set that verifies it. For this machine only.
import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from './listen.ts';

const KEY_ID = randomUUID();
const LIFETIME_SECONDS = 60;
/** Whom the tokens are for: a service that takes none made for another application names it. */
const AUDIENCE = 'browser-example';

/** Starts it on loopback: `POST /token` with a name gives a token for it, `GET /.well-known/jwks.json` the key set. */
export async function startIssuer(port: number): Promise<{ readonly url: string; readonly server: Server }> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = { ...publicKey.export({ format: 'jwk' }), kid: KEY_ID, alg: 'ES256', use: 'sig' };
  const server = createServer((request, response) => {
    void answer(request, { privateKey, key }).then(({ status, type, body }) =>
      response.writeHead(status, { 'content-type': type, 'access-control-allow-origin': '*' }).end(body),
    );
  });
  return { url: await listen(server, port), server };
}

async function answer(
  request: IncomingMessage,
  { privateKey, key }: { readonly privateKey: KeyObject; readonly key: object },
): Promise<{ readonly status: number; readonly type: string; readonly body: string }> {
  const route = `${request.method} ${request.url}`;
  if (route === 'GET /.well-known/jwks.json')
    return { status: 200, type: 'application/json', body: JSON.stringify({ keys: [key] }) };
  if (route !== 'POST /token') return { status: 404, type: 'text/plain', body: 'not found' };
  const name = (await buffer(request)).toString();
  const issuer = `http://${request.headers.host}`;
  return {
    status: 200,
    type: 'text/plain',
    body: createToken({ iss: issuer, aud: AUDIENCE, sub: name }, privateKey),
  };
}

/** A JWT signed with ES256 (RFC 7518, section 3.4). */
function createToken(claims: object, privateKey: KeyObject): string {
  const now = Math.floor(Date.now() / 1000);
  const parts = [
    { alg: 'ES256', typ: 'JWT', kid: KEY_ID },
    { ...claims, iat: now, exp: now + LIFETIME_SECONDS },
  ];
  const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

// Signs requests with the signer of the AWS SDK (Signature Version 4); the SDK's client would add 88 KiB to the bundle for two calls.
import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { defaultProvider } from '../../platform/lambda-credentials.ts';

/** What is signed: every header that is named here, the path, and the body. */
interface Signable {
  readonly url: string;
  /** Names in lower case; `host` and `content-length` are added. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly region: string;
  readonly nowMs: number;
}

/** The headers to send beside `host`, which the connection sets. Throws where the function has no credentials. */
export async function signRequest({
  url,
  headers,
  body,
  region,
  nowMs,
}: Signable): Promise<Record<string, string>> {
  const { protocol, hostname, port, host, pathname } = new URL(url);
  const signer = new SignatureV4({
    service: 'bedrock',
    region,
    credentials: defaultProvider(),
    sha256: Sha256,
  });
  const signed = await signer.sign(
    {
      method: 'POST',
      protocol,
      hostname,
      ...(port === '' ? {} : { port: Number(port) }),
      path: pathname,
      query: {},
      headers: { ...headers, host, 'content-length': String(Buffer.byteLength(body)) },
      body,
    },
    { signingDate: new Date(nowMs) },
  );
  const { host: _setByTheConnection, ...sent } = signed.headers;
  return sent;
}

/** SHA-256, or HMAC-SHA-256 with a secret, as the signer asks for it. A class, because the signer calls it with `new`. */
class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', toBytes(secret));
  }

  update(chunk: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(toBytes(chunk));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    throw new Error('a hash of the signer is used once');
  }
}

function toBytes(data: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

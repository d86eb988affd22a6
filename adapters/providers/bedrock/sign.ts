// Signs requests with the signer of the AWS SDK (Signature Version 4); the SDK's client would add 88 KiB to the bundle for two calls.
import { SignatureV4 } from '@smithy/signature-v4';
import { defaultProvider } from '../../platform/lambda-credentials.ts';
import { Sha256 } from '../../platform/sha256.ts';

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

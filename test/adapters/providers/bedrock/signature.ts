// Signature Version 4 by hand, from the steps of the IAM User Guide ("Create a signed AWS API request"), without the SDK's signer.
import { createHash, createHmac } from 'node:crypto';
import type { ReceivedRequest } from '../fixture-server.ts';

/** What a request says about its signature. */
export interface SignedParts {
  readonly credential: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** The parts of the `Authorization` header. */
export function partsOf({ headers }: ReceivedRequest): SignedParts {
  const [, credential = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/.exec(
      headers['authorization'] ?? '',
    ) ?? [];
  return { credential, signedHeaders: names.split(';'), signature };
}

/** The signature that the request must have, for the secret key of whoever sent it. */
export function signatureOf(request: ReceivedRequest, secretAccessKey: string): string {
  const { credential, signedHeaders } = partsOf(request);
  const [, date = '', region = '', service = '', end = ''] = credential.split('/');
  const canonical = [
    request.method,
    // Every part of a path is encoded once more than it was sent, but for Amazon S3.
    request.path.split('/').map(encodeURIComponent).join('/'),
    '',
    ...signedHeaders.map((name) => `${name}:${(request.headers[name] ?? '').trim()}`),
    '',
    signedHeaders.join(';'),
    sha256(request.body),
  ].join('\n');
  const scope = [date, region, service, end].join('/');
  const toSign = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'] ?? '', scope, sha256(canonical)].join(
    '\n',
  );
  const key = [date, region, service, end].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  return hmac(key, toSign).toString('hex');
}

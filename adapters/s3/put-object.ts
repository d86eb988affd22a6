// Puts an object into a bucket with Object Lock, signed by the SDK's signer; the SDK's client is larger than the rest of the bundle.
import { createHash } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import type { Clock } from '../../core/time/clock.ts';
import type { Http } from '../http/message.ts';
import { defaultProvider } from '../platform/lambda-credentials.ts';
import { Sha256 } from '../platform/sha256.ts';

interface ObjectWriterSettings {
  /** Without dots, which a certificate of S3 does not cover. */
  readonly bucket: string;
  readonly http: Http;
  readonly clock: Pick<Clock, 'now'>;
  /** @default the environment of the function */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Object Lock of one object, instead of the bucket's default retention. */
export interface ObjectRetention {
  readonly mode: 'GOVERNANCE' | 'COMPLIANCE';
  /** Milliseconds since the Unix epoch. */
  readonly untilMs: number;
}

/** Puts an object. Throws when S3 does not answer 200. */
export type PutObject = (key: string, body: string, retention?: ObjectRetention) => Promise<void>;

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/** `key` holds characters that need no escaping in a path. */
export function createObjectWriter({
  bucket,
  http,
  clock,
  environment = process.env,
}: ObjectWriterSettings): PutObject {
  const region = environment['AWS_REGION'] ?? '';
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const endpoint = environment['AWS_ENDPOINT_URL_S3'];
  const base = new URL(endpoint ?? `https://${bucket}.s3.${region}.${domain}`);
  // An endpoint of the operator's has the bucket in its path.
  const folder = endpoint === undefined ? '' : `/${bucket}`;
  const { host } = base;
  const signer = new SignatureV4({
    service: 's3',
    region,
    credentials: defaultProvider(),
    sha256: Sha256,
    // S3 is the only service that signs the path as it is sent.
    uriEscapePath: false,
  });
  return async (key, body, retention) => {
    const request = {
      method: 'PUT',
      protocol: base.protocol,
      hostname: host,
      path: `${folder}/${key}`,
      query: {},
      headers: {
        host,
        'content-type': 'application/x-ndjson',
        'content-length': String(Buffer.byteLength(body)),
        // Object Lock demands a digest of the body (AmazonS3/latest/API/API_PutObject.html).
        'x-amz-checksum-sha256': createHash('sha256').update(body).digest('base64'),
        ...(retention === undefined
          ? {}
          : {
              'x-amz-object-lock-mode': retention.mode,
              'x-amz-object-lock-retain-until-date': new Date(retention.untilMs).toISOString(),
            }),
      },
      body,
    };
    const signed = await signer.sign(request, { signingDate: new Date(clock.now()) });
    const { host: _setByTheConnection, ...headers } = signed.headers;
    const { status } = await http({
      method: 'PUT',
      url: `${base.origin}${folder}/${key}`,
      headers,
      body,
      maxBytes: MAX_ANSWER_BYTES,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (status !== 200) throw new Error(`the bucket ${bucket} answered ${status}`);
  };
}

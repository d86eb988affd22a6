// Reads objects of a bucket with an operator's credentials: lists the names below a folder, and gets one.
import { SignatureV4 } from '@smithy/signature-v4';
import type { Http } from '../http/message.ts';
import { Sha256 } from '../platform/sha256.ts';

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

interface ObjectReaderSettings {
  readonly bucket: string;
  readonly region: string;
  readonly credentials: () => Promise<Credentials>;
  readonly http: Http;
  readonly now: () => number;
  /** Instead of S3, with the bucket in the path. */
  readonly endpoint?: string | undefined;
}

export interface ObjectReader {
  /** Every key that begins with the text, in S3's order. */
  list(prefix: string): AsyncIterable<string>;
  /** Undefined for an object that is not there. */
  get(key: string): Promise<Buffer | undefined>;
}

const TIMEOUT_MS = 60_000;
/** A part of an archive has 8 MB and the entries of one seal, of 400 KB each. */
const MAX_OBJECT_BYTES = 256 * 1_048_576;

/** Its methods throw when S3 answers anything else than what was asked for. */
export function createObjectReader(settings: ObjectReaderSettings): ObjectReader {
  const { bucket } = settings;
  const send = createSender(settings);
  return {
    async *list(prefix) {
      for (let token: string | undefined = ''; token !== undefined; ) {
        const query: Record<string, string> = {
          'list-type': '2',
          prefix,
          ...(token === '' ? {} : { 'continuation-token': token }),
        };
        const { status, body } = await send('', query);
        if (status !== 200) throw unexpected(bucket, status, body);
        const text = body.toString();
        for (const [, key = ''] of text.matchAll(/<Key>([^<]*)<\/Key>/g)) yield decodeXml(key);
        const next = /<NextContinuationToken>([^<]*)<\/NextContinuationToken>/.exec(text)?.[1];
        token = next === undefined ? undefined : decodeXml(next);
      }
    },
    async get(key) {
      const { status, body } = await send(key, {});
      if (status === 404 && body.toString().includes('<Code>NoSuchKey</Code>')) return undefined;
      if (status !== 200) throw unexpected(bucket, status, body);
      return body;
    },
  };
}

function createSender({ bucket, region, credentials, http, now, endpoint }: ObjectReaderSettings) {
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const base = new URL(endpoint === undefined ? `https://${bucket}.s3.${region}.${domain}` : endpoint);
  const folder = endpoint === undefined ? '' : `/${bucket}`;
  const signer = new SignatureV4({
    service: 's3',
    region,
    credentials,
    sha256: Sha256,
    // S3 is the only service that signs the path as it is sent.
    uriEscapePath: false,
  });
  return async (key: string, query: Readonly<Record<string, string>>) => {
    const path = `${folder}/${key.split('/').map(encode).join('/')}`;
    const request = {
      method: 'GET' as const,
      protocol: base.protocol,
      hostname: base.host,
      path,
      query: { ...query },
      headers: { host: base.host },
    };
    const signed = await signer.sign(request, { signingDate: new Date(now()) });
    const { host: _setByTheConnection, ...headers } = signed.headers;
    const words = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(value)}`);
    const search = words.length === 0 ? '' : `?${words.toSorted().join('&')}`;
    const { status, body } = await http({
      method: 'GET',
      url: `${base.origin}${path}${search}`,
      headers,
      maxBytes: MAX_OBJECT_BYTES,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status, body: Buffer.from(body) };
  };
}

/** Every character but the unreserved ones of RFC 3986, as signatures have them. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeXml(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex, decimal, name) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return decimal === undefined ? (ENTITIES[name] ?? all) : String.fromCodePoint(Number(decimal));
  });
}

/** With S3's own code, which names no secret. */
function unexpected(bucket: string, status: number, body: Buffer): Error {
  const code = /<Code>(\w+)<\/Code>/.exec(body.toString())?.[1];
  return new Error(`the bucket ${bucket} answered ${status}${code === undefined ? '' : ` ${code}`}`);
}

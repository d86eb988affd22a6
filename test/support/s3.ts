// S3 of tests: the part that the archive needs, over HTTP with the bucket in the path. It takes requests only with a signature that it can make itself.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignatureV4 } from '@smithy/signature-v4';
import { Sha256 } from '../../adapters/platform/sha256.ts';

export const CREDENTIALS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret of the test' };
export const REGION = 'eu-central-1';

export interface StoredObject {
  body: Buffer;
  readonly mode: string | undefined;
  /** ISO 8601. */
  readonly until: string | undefined;
}

export interface TestS3 {
  readonly endpoint: string;
  /** By key; tests put into it, change it and delete from it, as somebody with all rights would. */
  readonly objects: Map<string, StoredObject>;
  /** Methods and paths, in order. */
  readonly requests: string[];
  stop(): Promise<void>;
}

/** Lists that are longer go on with a token. */
const PAGE = 3;

export async function startS3(bucket: string): Promise<TestS3> {
  const objects = new Map<string, StoredObject>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    void answer(bucket, objects, request).then(([status, body]) => respond(response, status, body));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    objects,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function respond(response: ServerResponse, status: number, body: Buffer): void {
  response.writeHead(status, { 'content-length': String(body.byteLength) }).end(body);
}

type Answer = readonly [status: number, body: Buffer];

async function answer(
  bucket: string,
  objects: Map<string, StoredObject>,
  request: IncomingMessage,
): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://s3');
  if (!(await isSigned(request, pathname, searchParams, body))) return failure(403, 'SignatureDoesNotMatch');
  const [, name, ...rest] = pathname.split('/');
  if (name !== bucket) return failure(404, 'NoSuchBucket');
  const key = decodeURIComponent(rest.join('/'));
  if (request.method === 'PUT') return put(objects, key, body, request);
  if (key === '') return list(objects, searchParams);
  const found = objects.get(key);
  return found === undefined ? failure(404, 'NoSuchKey') : [200, found.body];
}

function put(
  objects: Map<string, StoredObject>,
  key: string,
  body: Buffer,
  { headers }: IncomingMessage,
): Answer {
  const mode = headers['x-amz-object-lock-mode']?.toString();
  const until = headers['x-amz-object-lock-retain-until-date']?.toString();
  if (headers['x-amz-checksum-sha256'] !== createHash('sha256').update(body).digest('base64'))
    return failure(400, 'BadDigest');
  objects.set(key, { body, mode, until });
  return [200, Buffer.alloc(0)];
}

function list(objects: Map<string, StoredObject>, query: URLSearchParams): Answer {
  if (query.get('list-type') !== '2') return failure(501, 'NotImplemented');
  const after = query.get('continuation-token') ?? '';
  const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '')).toSorted();
  const left = keys.filter((key) => key > after);
  const page = left.slice(0, PAGE);
  const next = left.length > PAGE ? page.at(-1) : undefined;
  const contents = page.map((key) => `<Contents><Key>${encodeXml(key)}</Key></Contents>`).join('');
  const token = next === undefined ? '' : `<NextContinuationToken>${encodeXml(next)}</NextContinuationToken>`;
  return [200, Buffer.from(`<ListBucketResult>${contents}${token}</ListBucketResult>`)];
}

function failure(status: number, code: string): Answer {
  return [status, Buffer.from(`<Error><Code>${code}</Code><Message>of the test</Message></Error>`)];
}

function encodeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&#34;');
}

/** Signs what came with the key that the caller should have, at the time that it names. */
async function isSigned(
  { method = '', headers, headersDistinct }: IncomingMessage,
  path: string,
  query: URLSearchParams,
  body: Buffer,
): Promise<boolean> {
  const authorization = headers.authorization ?? '';
  const [, list = ''] = /SignedHeaders=([^,]*),/.exec(authorization) ?? [];
  const names = list.split(';').filter((name) => name !== 'x-amz-date' && name !== 'x-amz-content-sha256');
  if (headers['x-amz-content-sha256'] !== createHash('sha256').update(body).digest('hex')) return false;
  const [date, time] = headers['x-amz-date']?.toString().split('T') ?? [];
  const digits = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(`${date}T${time}`)?.slice(1) ?? [];
  const [year, month, day, hour, minute, second] = digits;
  const signer = new SignatureV4({
    service: 's3',
    region: REGION,
    credentials: CREDENTIALS,
    sha256: Sha256,
    uriEscapePath: false,
  });
  const signed = await signer.sign(
    {
      method,
      protocol: 'http:',
      hostname: headers.host ?? '',
      path,
      query: Object.fromEntries(query),
      headers: Object.fromEntries(names.map((name) => [name, headersDistinct[name]?.[0] ?? ''])),
      body,
    },
    { signingDate: new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) },
  );
  return signed.headers['authorization'] === authorization;
}

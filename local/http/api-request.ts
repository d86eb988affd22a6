// An HTTP request as API Gateway reads it: raw headers, path, query and ids.

import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { parse as parseQueryString } from 'node:querystring';

export interface ApiRequest {
  readonly httpMethod: string;
  /** As sent, without the query. */
  readonly rawPath: string;
  /** As sent, with several slashes at the start as one. */
  readonly path: string;
  /** The last value of each. */
  readonly headers: Readonly<Record<string, string>>;
  readonly multiValueHeaders: Readonly<Record<string, readonly string[]>>;
  /** The last value of each; null without a query. */
  readonly queryStringParameters: Readonly<Record<string, string>> | null;
  readonly multiValueQueryStringParameters: Readonly<Record<string, readonly string[]>> | null;
  readonly host: string;
  readonly accept: string | undefined;
  readonly contentType: string | undefined;
  readonly userAgent: string | null;
  readonly sourceIp: string;
  readonly requestId: string;
  readonly extendedRequestId: string;
  readonly traceId: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

export interface RequestSettings {
  /** Tests only: the caller's address is the last one of X-Forwarded-For. */
  readonly trustForwardedFor: boolean;
}

// API Gateway Developer Guide, "Important notes", table of headers: integrations do not get these.
const DROPPED = new Set([
  'connection',
  'content-length',
  'content-md5',
  'expect',
  'max-forwards',
  'proxy-authenticate',
  'server',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'www-authenticate',
  'x-forwarded-for',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-amzn-trace-id',
  // "API Gateway overrides the method" with it and does not forward it.
  'x-http-method-override',
]);
// In recorded events of REST APIs these names have this case, and other names the case in which they were sent.
const RENAMED = new Map([
  ['authorization', 'Authorization'],
  ['host', 'Host'],
  ['user-agent', 'User-Agent'],
]);
const REQUEST_ID = /^[\w!#$%&'*+.^`|~-]{1,128}$/;

/** Reads a request without its body. */
export function readRequest(incoming: IncomingMessage, settings: RequestSettings): ApiRequest {
  const target = incoming.url ?? '/';
  const question = target.indexOf('?');
  const rawPath = pathOf(question < 0 ? target : target.slice(0, question));
  const peer = addressOf(incoming);
  const single = incoming.headers;
  const forwardedFor = single['x-forwarded-for'];
  const forwarded = typeof forwardedFor === 'string' ? `${forwardedFor}, ${peer}` : peer;
  const traceId = newTraceId();
  const [headers, multiValueHeaders] = readHeaders(incoming.rawHeaders);
  addHeader(headers, multiValueHeaders, 'X-Amzn-Trace-Id', traceId);
  addHeader(headers, multiValueHeaders, 'X-Forwarded-For', forwarded);
  addHeader(headers, multiValueHeaders, 'X-Forwarded-Port', String(incoming.socket.localPort ?? ''));
  addHeader(headers, multiValueHeaders, 'X-Forwarded-Proto', 'http');
  const [queryStringParameters, multiValueQueryStringParameters] =
    question < 0 ? [null, null] : readQuery(target.slice(question + 1));
  return {
    httpMethod: methodOf(incoming),
    rawPath,
    path: rawPath.startsWith('//') ? rawPath.replace(/^\/+/, '/') : rawPath,
    headers,
    multiValueHeaders,
    queryStringParameters,
    multiValueQueryStringParameters,
    host: single.host ?? '',
    accept: single.accept,
    contentType: single['content-type'],
    userAgent: single['user-agent'] ?? null,
    sourceIp: settings.trustForwardedFor ? lastForwarded(forwardedFor, peer) : peer,
    requestId: requestIdOf(single['x-amzn-requestid']),
    extendedRequestId: randomBytes(11).toString('base64'),
    traceId,
    time: Date.now(),
  };
}

// AWS: "When sending requests to an API by passing the X-HTTP-Method-Override header, API Gateway overrides the method."
function methodOf(incoming: IncomingMessage): string {
  const override = incoming.headers['x-http-method-override'];
  return typeof override === 'string' && override !== '' ? override.toUpperCase() : (incoming.method ?? '');
}

// A target may be a whole URL (RFC 9112 section 3.2.2). `*` of OPTIONS matches no resource.
function pathOf(target: string): string {
  if (target.startsWith('/') || !/^https?:\/\//i.test(target)) return target;
  const slash = target.indexOf('/', target.indexOf('//') + 2);
  return slash < 0 ? '/' : target.slice(slash);
}

function addressOf(incoming: IncomingMessage): string {
  const address = incoming.socket.remoteAddress ?? '';
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
}

function lastForwarded(forwardedFor: string | string[] | undefined, peer: string): string {
  const last =
    String(forwardedFor ?? '')
      .split(',')
      .at(-1)
      ?.trim() ?? '';
  return last === '' ? peer : last;
}

// AWS, $context variables: "Clients can override this request ID"; the header is x-amzn-requestid.
function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && REQUEST_ID.test(header) ? header : randomUUID();
}

type Headers = [Record<string, string>, Record<string, string[]>];

// From the raw headers, since Node joins or drops repeated ones. Without prototype: a header may be named __proto__.
function readHeaders(raw: readonly string[]): Headers {
  const headers: Record<string, string> = Object.create(null);
  const multiValueHeaders: Record<string, string[]> = Object.create(null);
  for (let index = 0; index < raw.length; index += 2) {
    const sent = raw[index] ?? '';
    const lower = sent.toLowerCase();
    if (DROPPED.has(lower)) continue;
    addHeader(headers, multiValueHeaders, RENAMED.get(lower) ?? sent, raw[index + 1] ?? '');
  }
  return [headers, multiValueHeaders];
}

function addHeader(headers: Headers[0], multiValueHeaders: Headers[1], name: string, value: string): void {
  headers[name] = value;
  const values = multiValueHeaders[name];
  if (values === undefined) multiValueHeaders[name] = [value];
  else values.push(value);
}

// AWS, "Important notes": a semicolon in a query string "results in the data being split".
function readQuery(query: string): [Record<string, string>, Record<string, string[]>] | [null, null] {
  const parsed = parseQueryString(query.replaceAll(';', '&'), '&', '=', { maxKeys: 0 });
  const single: Record<string, string> = Object.create(null);
  const multi: Record<string, string[]> = Object.create(null);
  let empty = true;
  for (const name in parsed) {
    const value = parsed[name];
    const values = Array.isArray(value) ? value : [value ?? ''];
    single[name] = values.at(-1) ?? '';
    multi[name] = values;
    empty = false;
  }
  return empty ? [null, null] : [single, multi];
}

// X-Ray Developer Guide, "Tracing header": version, time in seconds, 96 random bits.
function newTraceId(): string {
  const seconds = Math.floor(Date.now() / 1000).toString(16);
  return `Root=1-${seconds}-${randomBytes(12).toString('hex')}`;
}

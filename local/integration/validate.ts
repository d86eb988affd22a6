// Validates the result of a function, as API Gateway does.

import { validateHeaderName, validateHeaderValue } from 'node:http';
import { type HeaderList, withContentType } from '../gateway-responses/templates.ts';
import { isObject, parseObject } from '../json.ts';
import { mergeHeaders } from './response-headers.ts';

export interface AnswerHead {
  readonly status: number;
  readonly headers: HeaderList;
}

export interface ProxyAnswer extends AnswerHead {
  readonly body: Buffer;
}

const BUFFERED_MEMBERS = new Set(['statusCode', 'headers', 'multiValueHeaders', 'body', 'isBase64Encoded']);
const METADATA_MEMBERS = new Set(['statusCode', 'headers', 'multiValueHeaders', 'cookies']);

/**
 * Reads the JSON that a function returned (API Gateway Developer Guide, "Output format of a Lambda function for proxy
 * integration"). Recorded answers: no member is required, an unknown one is an error, a status may be text, header values may be
 * booleans. Assumed: header values may be numbers, a body must be text.
 * @param acceptsBinary the caller's Accept header names a binary media type: only then is base64 decoded
 * @returns undefined for a malformed answer, which becomes 502
 */
export function readProxyAnswer(json: Buffer, acceptsBinary: boolean): ProxyAnswer | undefined {
  const answer = parseObject(json.toString());
  const head = answer && readHead(answer, BUFFERED_MEMBERS);
  if (answer === undefined || head === undefined) return undefined;
  const body = answer['body'] ?? '';
  const encoded = answer['isBase64Encoded'] ?? false;
  if (typeof body !== 'string' || typeof encoded !== 'boolean') return undefined;
  return { ...head, body: Buffer.from(body, encoded && acceptsBinary ? 'base64' : 'utf8') };
}

/**
 * Reads the metadata of a streamed answer (API Gateway Developer Guide, "Set up a Lambda proxy integration with payload
 * response streaming"): the members of a buffered one, with `cookies` and without a body.
 * @returns undefined for malformed metadata
 */
export function readMetadata(json: string): AnswerHead | undefined {
  const metadata = parseObject(json);
  const cookies = metadata?.['cookies'] ?? [];
  if (metadata === undefined || !isTexts(cookies)) return undefined;
  const head = readHead(metadata, METADATA_MEMBERS);
  if (head === undefined || !isSendable(cookies.map((cookie) => ['Set-Cookie', cookie]))) return undefined;
  for (const cookie of cookies) head.headers.push(['Set-Cookie', cookie]);
  return head;
}

function readHead(
  answer: Readonly<Record<string, unknown>>,
  members: ReadonlySet<string>,
): AnswerHead | undefined {
  for (const name of Object.keys(answer)) if (!members.has(name)) return undefined;
  const status = readStatus(answer['statusCode']);
  const headers = readSingle(answer['headers'] ?? {});
  const multiValueHeaders = readMulti(answer['multiValueHeaders'] ?? {});
  if (status === undefined || headers === undefined || multiValueHeaders === undefined) return undefined;
  const merged = mergeHeaders(headers, multiValueHeaders);
  return isSendable(merged) ? { status, headers: withContentType(merged) } : undefined;
}

function readStatus(value: unknown): number | undefined {
  if (value === undefined || value === null) return 200;
  if (typeof value !== 'number' && !(typeof value === 'string' && /^\d{3}$/.test(value))) return undefined;
  const status = Number(value);
  return Number.isInteger(status) && status >= 200 && status <= 599 ? status : undefined;
}

function readSingle(value: unknown): Record<string, string> | undefined {
  if (!isObject(value)) return undefined;
  const headers: Record<string, string> = {};
  for (const [name, member] of Object.entries(value)) {
    if (member === null) continue;
    if (!isScalar(member)) return undefined;
    headers[name] = String(member);
  }
  return headers;
}

function readMulti(value: unknown): Record<string, readonly string[]> | undefined {
  if (!isObject(value)) return undefined;
  const headers: Record<string, readonly string[]> = {};
  for (const [name, members] of Object.entries(value)) {
    if (!Array.isArray(members) || !members.every(isScalar)) return undefined;
    headers[name] = members.map(String);
  }
  return headers;
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number';
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((member) => typeof member === 'string');
}

// Otherwise Node would throw halfway through the answer.
function isSendable(headers: readonly (readonly string[])[]): boolean {
  try {
    for (const [name = '', value = ''] of headers) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
    return true;
  } catch {
    return false;
  }
}

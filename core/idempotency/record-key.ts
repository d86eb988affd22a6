// Reads the idempotency key of a request, and makes the key of its record and the digest of the request.

import { isEndUsernameOf } from '../contract/end-username.ts';
import { REQUEST_HEADERS } from '../contract/headers.ts';
import type { Route } from '../contract/routes.ts';
import { ServiceError } from '../contract/service-error.ts';
import type { RecordKey } from '../ports/idempotency.ts';
import type { UnparsedInvocation } from '../surfaces/surface.ts';
import { digestOfParts } from '../text/digest.ts';

/** Visible ASCII (RFC 5234, appendix B.1, VCHAR). */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** The one key of a request. Throws 422 `invalid_parameter` for several, an empty one, and one that is too long or not visible ASCII. */
export function readIdempotencyKey(values: readonly string[]): string {
  const [key] = values;
  if (values.length === 1 && key !== undefined && KEY.test(key)) return key;
  throw new ServiceError('invalid_parameter', {
    detail: `"${REQUEST_HEADERS.idempotencyKey}" must be 1 to 255 visible ASCII characters, sent once.`,
  });
}

/** The caller, named by the first of these that is known. Callers do not share keys. */
export interface KeyOwner {
  readonly keyId: string | undefined;
  readonly username: string | undefined;
  readonly sourceIp: string;
}

/** The record of one caller's key at one neuron. Text that callers chose is in it only as digests. */
export function toRecordKey(neuronId: string, owner: KeyOwner, idempotencyKey: string): RecordKey {
  const subject = subjectDigest(subjectOf(owner));
  return `I#${neuronId}#${subject}#${digestOfParts(['idempotency key 1', idempotencyKey])}` as RecordKey;
}

/** The digest in the keys of a caller's records, by which those of a person are found. */
export function subjectDigest(subject: readonly [string, string]): string {
  return digestOfParts(['idempotency subject 1', ...subject]);
}

function subjectOf({ keyId, username, sourceIp }: KeyOwner): readonly [string, string] {
  if (keyId !== undefined && !isEndUsernameOf(keyId, username)) return ['key', keyId];
  return username === undefined ? ['address', sourceIp] : ['username', username];
}

/** The parts of a request that decide on its answer. */
export interface RepeatableRequest {
  readonly surface: Route['surface'];
  readonly revision: string | undefined;
  readonly unparsed: UnparsedInvocation;
  /** True where headers ask for server-sent events; on OpenAI's surface the body says it. */
  readonly acceptsStream: boolean;
}

/** Two requests with the same digest are one request sent twice. The body counts to the byte, as it came. */
export function digestOfRequest({ surface, revision, unparsed, acceptsStream }: RepeatableRequest): string {
  const { body, bypassCache, rawOutput } = unparsed;
  const lists = [bypassCache, rawOutput].map((values) => JSON.stringify(values));
  const named = revision === undefined ? ['deployed', ''] : ['revision', revision];
  const text = body === undefined ? ['no body', ''] : ['body', body];
  return digestOfParts(['request 1', surface, ...named, ...text, ...lists, String(acceptsStream)]);
}

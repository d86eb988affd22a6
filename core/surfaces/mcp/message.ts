// Messages of JSON-RPC 2.0, as the Model Context Protocol sends them: one in a body, one in an answer.
import { FIXED_HEADERS } from '../../contract/headers.ts';
import { ServiceError } from '../../contract/service-error.ts';
import { isJsonObject, type JsonObject, memberOf } from '../../text/json.ts';
import { checkDepth } from '../body-depth.ts';
import { parseBody } from '../parse.ts';
import type { Answer } from '../surface.ts';

export type MessageId = string | number;

/** A request, or without an id a notification. */
export interface Message {
  readonly id: MessageId | undefined;
  readonly method: string;
  readonly params: JsonObject;
}

/** Codes of JSON-RPC 2.0, section 5.1, and of the Model Context Protocol, revision 2026-07-28, "Error Codes". */
export const RPC_CODES = {
  parse: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  headerMismatch: -32_020,
  unsupportedVersion: -32_022,
} as const;

/** An error of the protocol, with its HTTP status. */
export interface RpcError {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data?: JsonObject;
}

/** Reads the message of a body, or says why it is none. A list of messages ended with revision 2025-03-26. */
export function readMessage(body: string | undefined): Message | RpcError {
  let value: JsonObject;
  try {
    checkDepth(body);
    value = parseBody(body);
  } catch (thrown) {
    return toRpcError(thrown);
  }
  const [id, method] = [idOf(value), memberOf(value, 'method')];
  const params = memberOf(value, 'params') ?? {};
  const isMessage =
    memberOf(value, 'jsonrpc') === '2.0' && typeof method === 'string' && isJsonObject(params);
  if (!isMessage || (id === undefined && memberOf(value, 'id') !== undefined)) {
    return { status: 400, code: RPC_CODES.invalidRequest, message: NO_MESSAGE };
  }
  return { id, method, params };
}

const NO_MESSAGE =
  'The body must be one message of JSON-RPC 2.0: {"jsonrpc":"2.0","id":1,"method":"tools/list"}.';

function toRpcError(thrown: unknown): RpcError {
  if (!(thrown instanceof ServiceError) || thrown.code === 'malformed_json')
    return { status: 400, code: RPC_CODES.parse, message: 'The body is not valid JSON.' };
  return { status: 400, code: RPC_CODES.invalidRequest, message: thrown.detail ?? NO_MESSAGE };
}

/** A longer body is not parsed for its id alone, which callers who were not let in could ask for. */
const MAX_READ_FOR_ID = 65_536;

/** The id of a message in a body, as far as it has one. Never throws. */
export function idInBody(body = ''): MessageId | undefined {
  if (body.length > MAX_READ_FOR_ID) return undefined;
  try {
    return idOf(JSON.parse(body));
  } catch {
    return undefined;
  }
}

function idOf(value: unknown): MessageId | undefined {
  const id = memberOf(value, 'id');
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as MessageId) : undefined;
}

const HEADERS = { 'Content-Type': 'application/json', ...FIXED_HEADERS };

export function renderResult(id: MessageId | undefined, result: JsonObject): Answer {
  return { status: 200, headers: HEADERS, body: JSON.stringify({ jsonrpc: '2.0', id, result }) };
}

export function renderRpcError(id: MessageId | undefined, { status, ...error }: RpcError): Answer {
  return { status, headers: HEADERS, body: JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error }) };
}

/** The answer to a notification. */
export const ACCEPTED: Answer = { status: 202, headers: FIXED_HEADERS, body: '' };

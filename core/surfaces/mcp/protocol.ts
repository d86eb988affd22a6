// The Model Context Protocol without sessions, in both of its eras (modelcontextprotocol.io/specification): up to revision 2025-11-25 a
// client begins with `initialize`; since 2026-07-28 each request says everything in `_meta` and in headers.
import { parseExactJson } from '../../text/exact-json.ts';
import { isJsonObject, type JsonObject, memberOf } from '../../text/json.ts';
import type { ProtocolHeaders } from '../surface.ts';
import { type Message, RPC_CODES, type RpcError } from './message.ts';

/** Newest first. */
export const STATELESS_VERSIONS: readonly string[] = ['2026-07-28'];
const INITIALIZED_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26'];

const SERVER = { name: 'neuron-execution-service', version: '1' } as const;
/** How long clients may use a list, and what the server says of itself. Settings take effect within 15 s. */
const LIST_TTL_MS = 15_000;
const DISCOVERY_TTL_MS = 3_600_000;

/** How a client of a revision speaks: after `initialize`, or with everything in each request. */
export type Era = 'initialized' | 'stateless';

const META = 'io.modelcontextprotocol/';

/** A message as it is to be answered. */
export type ProtocolRequest =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'notification' }
  | { readonly kind: 'list'; readonly toResult: (tools: readonly JsonObject[]) => JsonObject }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: unknown; readonly era: Era }
  | { readonly kind: 'error'; readonly error: RpcError };

/** Never throws, whatever a client sent. */
export function readRequest(message: Message, headers: ProtocolHeaders): ProtocolRequest {
  const { id, method, params } = message;
  if (id === undefined) return { kind: 'notification' };
  const era = eraOf(message, headers);
  const error =
    era === 'stateless' ? explainStateless(message, headers) : explainInitialized(message, headers);
  if (error !== undefined) return { kind: 'error', error };
  if (method === 'tools/list') return readList(params, era);
  if (method === 'tools/call') {
    const name = memberOf(params, 'name');
    if (typeof name !== 'string') return invalidParams('"params.name" must be the name of a tool.');
    return { kind: 'call', name, arguments: memberOf(params, 'arguments') ?? {}, era };
  }
  const result = era === 'stateless' ? answerStateless(method) : answerInitialized(method, params);
  return result === undefined ? unknownMethod(method, era) : { kind: 'result', result };
}

/** The result of a list or a call, as its era has it. */
export function toResult(era: Era, result: JsonObject): JsonObject {
  return era === 'stateless' ? { resultType: 'complete', ...result } : result;
}

/** The object of a text that is JSON; nothing for another one. */
export function structuredContent(text: string): { readonly structuredContent?: JsonObject } {
  const value = parseExactJson(text);
  return isJsonObject(value) ? { structuredContent: value } : {};
}

function eraOf({ method, params }: Message, { versions }: ProtocolHeaders): Era {
  const isNamed = memberOf(memberOf(params, '_meta'), `${META}protocolVersion`) !== undefined;
  const isInitialized = versions.every((version) => INITIALIZED_VERSIONS.includes(version));
  return isNamed || method === 'server/discover' || !isInitialized ? 'stateless' : 'initialized';
}

/** Headers repeat the body, so that a proxy that reads the one and a server that reads the other agree. */
function explainStateless({ method, params }: Message, headers: ProtocolHeaders): RpcError | undefined {
  const meta = memberOf(params, '_meta');
  const version = memberOf(meta, `${META}protocolVersion`);
  if (typeof version !== 'string') return wrongParams(`"params._meta" must have ${META}protocolVersion.`);
  if (!isJsonObject(memberOf(meta, `${META}clientCapabilities`)))
    return wrongParams(`"params._meta" must have ${META}clientCapabilities, an object.`);
  if (!isOnly(headers.versions, version)) return mismatch('MCP-Protocol-Version');
  if (!STATELESS_VERSIONS.includes(version)) return unsupported(version);
  if (!isOnly(headers.methods, method)) return mismatch('Mcp-Method');
  const name = memberOf(params, 'name');
  if (method === 'tools/call' && typeof name === 'string' && !isOnly(headers.names.map(decodeName), name))
    return mismatch('Mcp-Name');
  return undefined;
}

function explainInitialized({ method }: Message, { versions }: ProtocolHeaders): RpcError | undefined {
  // Before its first answer a client has no version to name.
  return method === 'initialize' || versions.length <= 1 ? undefined : mismatch('MCP-Protocol-Version');
}

function isOnly(values: readonly string[], value: string): boolean {
  return values.length === 1 && values[0] === value;
}

/** `=?base64?…?=` (revision 2026-07-28, "Value Encoding"). */
function decodeName(value: string): string {
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString();
}

function readList(params: JsonObject, era: Era): ProtocolRequest {
  if (memberOf(params, 'cursor') !== undefined)
    return invalidParams('"params.cursor" is not known: there is one page.');
  const hints = era === 'stateless' ? { ttlMs: LIST_TTL_MS, cacheScope: 'private' } : {};
  return { kind: 'list', toResult: (tools) => toResult(era, { tools, ...hints }) };
}

function answerStateless(method: string): JsonObject | undefined {
  if (method !== 'server/discover') return undefined;
  return toResult('stateless', {
    supportedVersions: STATELESS_VERSIONS,
    capabilities: { tools: {} },
    _meta: { [`${META}serverInfo`]: SERVER },
    ttlMs: DISCOVERY_TTL_MS,
    cacheScope: 'private',
  });
}

/** No session id: nothing is remembered between requests. */
function answerInitialized(method: string, params: JsonObject): JsonObject | undefined {
  if (method === 'ping') return {};
  if (method !== 'initialize') return undefined;
  const wanted = memberOf(params, 'protocolVersion');
  const protocolVersion = INITIALIZED_VERSIONS.find((one) => one === wanted) ?? INITIALIZED_VERSIONS[0];
  return { protocolVersion, capabilities: { tools: {} }, serverInfo: SERVER };
}

function unknownMethod(method: string, era: Era): ProtocolRequest {
  const message = `The method ${JSON.stringify(method.slice(0, 80))} is not known here: tools/list and tools/call are.`;
  const status = era === 'stateless' ? 404 : 200;
  return { kind: 'error', error: { status, code: RPC_CODES.methodNotFound, message } };
}

function invalidParams(message: string): ProtocolRequest {
  return { kind: 'error', error: wrongParams(message) };
}

function wrongParams(message: string): RpcError {
  return { status: 400, code: RPC_CODES.invalidParams, message };
}

function mismatch(header: string): RpcError {
  const message = `The header ${header} must be there once, and say what the body says.`;
  return { status: 400, code: RPC_CODES.headerMismatch, message };
}

function unsupported(requested: string): RpcError {
  return {
    status: 400,
    code: RPC_CODES.unsupportedVersion,
    message: `The protocol version is not known here: ${STATELESS_VERSIONS.join(', ')} is.`,
    data: { supported: STATELESS_VERSIONS, requested: requested.slice(0, 80) },
  };
}

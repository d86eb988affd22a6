// Parses the parts of a request that are the same on several surfaces: a JSON object as its body, its members, and flags in its query.
import { ServiceError } from '../contract/service-error.ts';
import { type Conversation, inputOf } from '../conversation/conversation.ts';
import { filledText, invalidAt, type LocatedValue, TEXT } from '../conversation/reader.ts';
import { bytesOfConversation } from '../conversation/size.ts';
import type { SentVariables } from '../conversation/variables/read-variables.ts';
import { parseExactJson } from '../text/exact-json.ts';
import { hasMoreValues, isJsonObject, type JsonObject, memberOf } from '../text/json.ts';
import type { AddressedNeuron, Invocation, UnparsedInvocation } from './surface.ts';

/** Values of a body, and names of members: a conversation of 10,000 messages, half of them calls of tools, has 125,000. */
const MAX_VALUES = 150_000;

/** The name under which OpenAI keeps what requests have in common. */
export const PROMPT_CACHE_KEY = filledText(512);

/** The session of a body that names one, as clients do for caches and metadata; nothing for a name of another type or length. */
function sessionNamed(name: unknown): { readonly session?: string } {
  return typeof name === 'string' && name !== '' && name.length <= MAX_SESSION_LENGTH
    ? { session: name }
    : {};
}

const MAX_SESSION_LENGTH = 512;

/** `user` and `metadata`, which every form has, or may have beside its own members. */
export function labelsOf(body: JsonObject): Pick<Invocation, 'labels'> {
  const metadata = memberOf(body, 'metadata');
  const user = memberOf(body, 'user') ?? memberOf(metadata, 'user_id');
  if (user === undefined && !isJsonObject(metadata)) return {};
  return { labels: { user, ...(isJsonObject(metadata) ? { metadata } : {}) } };
}

/** Values for variables in the forms of vendors, whose metadata are texts: JSON. */
function variablesInMetadata(body: JsonObject): SentVariables | undefined {
  const value = memberOf(memberOf(body, 'metadata'), 'variables');
  return value === undefined || value === null
    ? undefined
    : { path: 'metadata.variables', value, isText: true };
}

/** The members of every invocation that has a conversation. Throws `invalid_parameter` (422). */
export function conversationMembers(
  unparsed: UnparsedInvocation,
  body: JsonObject,
  conversation: Conversation,
  session?: unknown,
) {
  return {
    input: inputOf(conversation),
    conversation,
    sentVariables: variablesInMetadata(body),
    bypassCache: parseFlag('bypassCache', unparsed.bypassCache),
    ...sessionNamed(session),
    ...labelsOf(body),
  };
}

/** The body as an object. Throws `malformed_json` or `malformed_body` (400), and `invalid_input` (422) for very many values. */
export function parseBody(body: string | undefined): JsonObject {
  // A list of empty lists takes a hundred times its size once it is parsed, and an object of many members as much time.
  if (body !== undefined && hasMoreValues(body, MAX_VALUES)) {
    throw new ServiceError('invalid_input', {
      detail: `The body has more than ${MAX_VALUES} values and names. Send less in one request.`,
    });
  }
  const value = parseExactJson(body ?? '');
  // No cause: the parser's message quotes the body, and the body must not reach a log.
  if (value === undefined) throw new ServiceError('malformed_json');
  if (!isJsonObject(value)) throw new ServiceError('malformed_body');
  return value;
}

/** The `model` of a body, whatever else is in it. Throws as `parseBody` does, and `invalid_input` where there is none. */
export function readModel({ body }: Pick<UnparsedInvocation, 'body'>): string {
  const { model } = parseBody(body);
  if (model === undefined || model === null) throw invalidAt('model', 'is missing');
  return TEXT.read({ path: 'model', value: model });
}

/** `true`, `false` (any case), `1` or `0`, once; absent is false. Throws `invalid_parameter` (422). */
export function parseFlag(name: string, values: readonly string[]): boolean {
  if (values.length === 0) return false;
  if (values.length > 1)
    throw new ServiceError('invalid_parameter', { reason: `${name} given ${values.length} times` });
  const value = values[0]?.toLowerCase();
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  throw new ServiceError('invalid_parameter', { reason: `${name} is not a boolean` });
}

/**
 * `honoured`: it reaches the model, or decides on the form of the answer. `refused`: 400 with its name, unless its value changes
 * nothing. `leftOut`: without any effect, and named so.
 */
export type FieldTreatment = 'honoured' | 'refused' | 'leftOut';

/** The fields of one form, by name. A field that is in none of them is left out: agents send new ones each month. */
export interface FieldTable {
  readonly fields: Readonly<Record<string, FieldTreatment>>;
  /** Values of refused fields that change nothing; clients send some of them by default. */
  readonly harmless: Readonly<Record<string, readonly unknown[]>>;
  /** In place of "is not supported". */
  readonly remedies?: Readonly<Record<string, string>>;
}

/** The names of members that are left out. Throws `invalid_input` for the first refused one. Null is absent: clients send it so. */
export function checkFields(body: JsonObject, { fields, harmless, remedies = {} }: FieldTable): string[] {
  const names = Object.keys(body).filter((name) => body[name] !== null);
  return names.filter((name) => {
    const treatment = Object.hasOwn(fields, name) ? fields[name] : 'leftOut';
    if (treatment === 'refused' && !isHarmless(harmless[name], body[name])) {
      throw invalidAt(name, remedies[name] ?? 'is not supported');
    }
    return treatment === 'leftOut';
  });
}

function isHarmless(harmless: readonly unknown[] = [], value: unknown): boolean {
  const text = JSON.stringify(value);
  return harmless.some((one) => JSON.stringify(one) === text);
}

/** `model` as the caller named it. Throws `model_not_found` for every other neuron's name. */
export function parseModel(body: JsonObject, { organization, neuron, chosen }: AddressedNeuron): string {
  const model = TEXT.read(required(body, 'model'));
  if (model === chosen) return model;
  if (model !== neuron && model !== `${organization}/${neuron}`) throw new ServiceError('model_not_found');
  return model;
}

/** The value of a member; undefined for one that is missing or null. */
export function parse<T>(body: JsonObject, name: string, read: (member: LocatedValue) => T): T | undefined {
  const member = memberAt(body, name);
  return member === undefined ? undefined : read(member);
}

export function required(body: JsonObject, name: string): LocatedValue {
  const member = memberAt(body, name);
  if (member === undefined) throw invalidAt(name, 'is missing');
  return member;
}

export function memberAt(body: JsonObject, name: string, path = name): LocatedValue | undefined {
  const value = memberOf(body, name);
  return value === undefined || value === null ? undefined : { path, value };
}

/** For members that an answer repeats. */
export function textOrNull(body: JsonObject, name: string): string | null {
  const value = memberOf(body, name);
  return typeof value === 'string' ? value : null;
}

/** Throws `input_too_large`, which names the member. */
export function checkSize(
  conversation: Conversation,
  { maxInputBytes }: AddressedNeuron,
  param: string,
): void {
  if (bytesOfConversation(conversation) > maxInputBytes) throw new ServiceError('input_too_large', { param });
}

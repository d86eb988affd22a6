// Reads the values that a caller sends for the variables of a version: by type, bounds and names, strictly.
import { ServiceError } from '../../contract/service-error.ts';
import type { Variable, Variables } from '../../settings/variables/variables-schema.ts';
import { isExactNumber, parseExactJson, withDoubles } from '../../text/exact-json.ts';
import { hasMoreValues, isJsonObject, type JsonObject, memberOf } from '../../text/json.ts';
import { utf8Bytes } from '../../text/utf8.ts';
import { invalidAt, type LocatedValue, TEXT } from '../reader.ts';
import type { VariableValue } from './variable-value.ts';

/** Values as a surface found them, before the version is known that declares them. */
export interface SentVariables extends LocatedValue {
  /** True where the request has neither an input nor messages. */
  readonly isAlone?: true;
  /** True where the value is JSON text: metadata of a vendor's form are texts. */
  readonly isText?: true;
}

/** The values of a request, and the UTF-8 bytes of those that the caller sent. */
export interface ReadVariables {
  readonly values: readonly VariableValue[];
  readonly bytes: number;
}

/** Throws 422 `invalid_input` with the path of the first mistake. A name that the version does not declare is one. */
export function readVariables(declared: Variables, sent: SentVariables | undefined): ReadVariables {
  const names = Object.keys(declared);
  // Where nothing is declared, the metadata of a vendor's form are labels.
  if (names.length === 0 && sent?.isText) return { values: [], bytes: 0 };
  const { path = 'variables' } = sent ?? {};
  const object = sent === undefined ? {} : readObject(sent);
  rejectUnknown(object, names, sent);
  let bytes = 0;
  const values = names.flatMap((name): readonly VariableValue[] => {
    const variable = declared[name];
    if (variable === undefined) return [];
    const value = memberOf(object, name);
    const isSent = value !== undefined && value !== null;
    if (!isSent && variable.required) throw invalidAt(`${path}.${name}`, 'is missing');
    const text = isSent
      ? readValue(variable, { path: `${path}.${name}`, value })
      : String(variable.default ?? '');
    if (isSent) bytes += utf8Bytes(text);
    const isQuoted = variable.type === 'string' && variable.quoted;
    const isOwn = !isSent || variable.type === 'boolean' || variable.enum !== undefined;
    return [{ name, text, ...(isOwn ? { isOwn } : {}), ...(isQuoted ? { isQuoted } : {}) }];
  });
  return { values, bytes };
}

function readObject({ path, value, isText }: SentVariables): JsonObject {
  const parsed = isText && typeof value === 'string' ? parseObject(value) : value;
  if (isText && (typeof value !== 'string' || !isJsonObject(parsed)))
    throw invalidAt(path, 'must be the text of a JSON object, such as {"name":"value"}');
  if (!isJsonObject(parsed)) throw invalidAt(path, 'must be an object, such as {"name":"value"}');
  return parsed;
}

/** Names and values of the most variables that a version can have, and as many again. */
const MAX_VALUES = 200;

function parseObject(text: string): unknown {
  return hasMoreValues(text, MAX_VALUES) ? undefined : parseExactJson(text);
}

/** A name that nobody could declare is not repeated. */
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

function rejectUnknown(object: JsonObject, names: readonly string[], sent: SentVariables | undefined): void {
  const all = Object.keys(object);
  const unknown = all.find((name) => !names.includes(name));
  if (sent === undefined || (unknown === undefined && (all.length > 0 || !sent.isAlone))) return;
  if (sent.isAlone && all.every((name) => !names.includes(name))) {
    throw new ServiceError('invalid_input', {
      param: 'input',
      detail: `"input" is missing, and so are "messages" and every variable of this neuron: ${listOf(names)}.`,
    });
  }
  if (unknown === undefined) return;
  const path = NAME.test(unknown) ? `${sent.path}.${unknown}` : sent.path;
  const must = path === sent.path ? 'has a name that' : '';
  throw invalidAt(path, `${must} is no variable of this neuron: ${listOf(names)}`.trim());
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
}

function readValue(variable: Variable, located: LocatedValue): string {
  const { path, value } = located;
  if (variable.type === 'boolean') {
    if (typeof value !== 'boolean') throw invalidAt(path, 'must be true or false');
    return String(value);
  }
  if (variable.type === 'number') return readNumber(variable, located);
  const text = TEXT.read(located);
  if (variable.enum !== undefined && !variable.enum.includes(text))
    throw invalidAt(path, `must be one of ${variable.enum.map((one) => JSON.stringify(one)).join(', ')}`);
  if (text.length > variable.maxLength)
    throw invalidAt(path, `must have at most ${variable.maxLength} characters`);
  return text;
}

function readNumber(
  { enum: values, min, max }: Extract<Variable, { type: 'number' }>,
  { path, value }: LocatedValue,
): string {
  const double = withDoubles(value);
  if (typeof double !== 'number' || !Number.isFinite(double)) throw invalidAt(path, 'must be a number');
  if (values !== undefined && !values.includes(double))
    throw invalidAt(path, `must be one of ${values.join(', ')}`);
  if (min !== undefined && double < min) throw invalidAt(path, `must be at least ${min}`);
  if (max !== undefined && double > max) throw invalidAt(path, `must be at most ${max}`);
  return isExactNumber(value) ? value.rawJSON : String(double);
}

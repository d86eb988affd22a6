// Rejects a caller's answer schema that no answer can fit. Found after the model was paid, it would look like an outage.

import { type JsonObject, toJsonObject, valueAt } from '../text/json.ts';
import { invalidAt } from './reader.ts';

/** json-schema.org/draft/2020-12/json-schema-validation, section 6.1.1. */
const TYPES: readonly unknown[] = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'];

/** Keywords whose value is a schema, a list of schemas, or schemas by name (json-schema-core, section 10 and 8.2.4). */
const ONE = ['items', 'additionalProperties', 'not', 'contains', 'if', 'then', 'else', 'propertyNames'];
const LIST = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const NAMED = ['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas'];

/** References by the way on which a schema was reached: nothing here follows them, and no provider takes them. */
const UNSUPPORTED = ['$dynamicRef', '$recursiveRef'];

/** Throws for an unknown `type`, and for a `$ref` that leads nowhere or out of the schema: nothing is fetched. */
export function checkAnswerSchema(path: string, schema: JsonObject): void {
  const left: (readonly [string, unknown])[] = [[path, schema]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [at, value] = next;
    const one = toJsonObject(value);
    if (one === undefined) {
      // `true` and `false` are schemas too.
      if (typeof value !== 'boolean') throw invalidAt(at, 'must be a JSON Schema');
      continue;
    }
    checkType(at, one);
    checkReference(at, one, schema);
    for (const inner of subschemasOf(at, one)) left.push(inner);
  }
}

function checkType(path: string, schema: JsonObject): void {
  if (!Object.hasOwn(schema, 'type')) return;
  const { type } = schema;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (types.length > 0 && types.every((one) => TYPES.includes(one))) return;
  throw invalidAt(`${path}.type`, `must be of ${TYPES.join(', ')}`);
}

function checkReference(path: string, schema: JsonObject, root: JsonObject): void {
  const unsupported = UNSUPPORTED.find((name) => Object.hasOwn(schema, name));
  if (unsupported !== undefined) throw invalidAt(`${path}.${unsupported}`, 'is not supported: use $ref');
  if (!Object.hasOwn(schema, '$ref')) return;
  const { $ref } = schema;
  if (typeof $ref === 'string' && resolves($ref, root)) return;
  throw invalidAt(`${path}.$ref`, 'must lead to a place within the schema, such as #/$defs/name');
}

/** A JSON pointer as a fragment (RFC 6901, section 6). An anchor is resolved when an answer is checked. */
function resolves(reference: string, root: JsonObject): boolean {
  if (!reference.startsWith('#')) return false;
  if (!reference.startsWith('#/')) return true;
  const names = reference.slice(2).split('/').map(decode);
  return valueAt(root, names) !== undefined;
}

function decode(part: string): string {
  return decodePercent(part).replaceAll('~1', '/').replaceAll('~0', '~');
}

function decodePercent(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function subschemasOf(path: string, schema: JsonObject): readonly (readonly [string, unknown])[] {
  const own = (names: readonly string[]) =>
    names
      .filter((name) => Object.hasOwn(schema, name))
      .map((name) => [`${path}.${name}`, schema[name]] as const);
  return [
    ...own(ONE),
    ...own(LIST).flatMap(([at, list]) =>
      Array.isArray(list)
        ? list.map((one: unknown, index) => [`${at}[${index}]`, one] as const)
        : [[at, list] as const],
    ),
    ...own(NAMED).flatMap(([at, named]) =>
      // Names are text of the caller, which no error may hold.
      Object.values(toJsonObject(named) ?? {}).map((one) => [`${at}.*`, one] as const),
    ),
  ];
}

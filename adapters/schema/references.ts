// Finds the target of a `$ref` within the document; nothing is fetched (json-schema-core, sections 8.2 and 9.2).
import { type JsonObject, toJsonObject } from '../../core/text/json.ts';
import { IncompleteValidation, type Work } from './work.ts';

/** Keywords whose value is one schema, a list of schemas, or a schema for each name. In other values an `$id` or `$anchor` is data. */
const ONE = [
  'items',
  'additionalProperties',
  'additionalItems',
  'not',
  'contains',
  'if',
  'then',
  'else',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items'];
const BY_NAME = [
  'properties',
  '$defs',
  'definitions',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
];

/** The base of schemas without an `$id`. */
const NO_BASE = 'schema:///';

/** The target of a reference in `schema`. Throws `IncompleteValidation` where there is none. */
export type FollowReference = (reference: string, schema: JsonObject) => unknown;

export function createReferences(root: JsonObject, work: Work): FollowReference {
  let index: Index | undefined;
  const found = new Map<string, unknown>();
  return (reference, schema) => {
    // It takes some microseconds to resolve a reference.
    work.spend(8 + reference.length / 8);
    index ??= indexSchemas(root, work);
    const base = index.bases.get(schema) ?? NO_BASE;
    const uri = resolve(reference, base);
    if (!found.has(uri)) found.set(uri, find(uri, index, work));
    return found.get(uri);
  };
}

interface Index {
  readonly bases: ReadonlyMap<JsonObject, string>;
  /** Schemas with an `$id`, and by `#anchor` after the base those with an anchor. */
  readonly named: ReadonlyMap<string, JsonObject>;
}

function indexSchemas(root: JsonObject, work: Work): Index {
  const bases = new Map<JsonObject, string>();
  const named = new Map<string, JsonObject>([[NO_BASE, root]]);
  const left: (readonly [unknown, string])[] = [[root, NO_BASE]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [value, outer] = next;
    work.spend(1);
    const schema = toJsonObject(value);
    if (schema === undefined || bases.has(schema)) continue;
    const id = ownText(schema, '$id');
    const base = id === undefined ? outer : withoutFragment(resolve(id, outer));
    bases.set(schema, base);
    if (id !== undefined) named.set(base, schema);
    const anchor = ownText(schema, '$anchor') ?? ownText(schema, '$dynamicAnchor');
    if (anchor !== undefined) named.set(`${base}#${anchor}`, schema);
    for (const inner of subschemasOf(schema)) left.push([inner, base]);
  }
  return { bases, named };
}

function* subschemasOf(schema: JsonObject): Generator {
  for (const keyword of ONE) {
    if (Object.hasOwn(schema, keyword)) yield schema[keyword];
  }
  for (const keyword of LISTS) {
    const list = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
    if (Array.isArray(list)) yield* list;
  }
  for (const keyword of BY_NAME) {
    const byName = Object.hasOwn(schema, keyword) ? toJsonObject(schema[keyword]) : undefined;
    if (byName !== undefined) yield* Object.values(byName);
  }
}

function find(uri: string, { named }: Index, work: Work): unknown {
  const base = withoutFragment(uri);
  const fragment = decode(uri.slice(base.length + 1));
  if (fragment !== '' && !fragment.startsWith('/')) return orThrow(named.get(`${base}#${fragment}`));
  let place: unknown = orThrow(named.get(base));
  // RFC 6901, section 4.
  for (const part of fragment.split('/').slice(1)) {
    work.spend(1);
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, name))
      throw new IncompleteValidation('schema');
    place = (place as Readonly<Record<string, unknown>>)[name];
  }
  return place;
}

function orThrow(schema: JsonObject | undefined): JsonObject {
  if (schema === undefined) throw new IncompleteValidation('schema');
  return schema;
}

function ownText(schema: JsonObject, keyword: string): string | undefined {
  const value = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
  return typeof value === 'string' ? value : undefined;
}

function resolve(reference: string, base: string): string {
  if (!URL.canParse(reference, base)) throw new IncompleteValidation('schema');
  return new URL(reference, base).href;
}

function withoutFragment(uri: string): string {
  const hash = uri.indexOf('#');
  return hash === -1 ? uri : uri.slice(0, hash);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new IncompleteValidation('schema');
  }
}

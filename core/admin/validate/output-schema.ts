// Validates an outputSchema: a JSON Schema that the structured output of its provider takes.

import { ServiceError } from '../../contract/service-error.ts';
import { checkAnswerSchema } from '../../conversation/check-answer-schema.ts';
import type { Provider } from '../../settings/organization-schema.ts';
import type { Path } from '../../settings/path.ts';
import { type JsonObject, toJsonObject } from '../../text/json.ts';
import { errorAt, type PartDiagnostic } from '../diagnostic.ts';

/** Hosts whose structured output wants every property to be required (platform.openai.com/docs/guides/structured-outputs, "Supported schemas"). */
const OPENAI_HOSTS = /^(?:.+\.)?api\.openai\.com$|\.openai\.azure\.com$/;

const BY_NAME = ['properties', '$defs', 'definitions'] as const;
const LISTS = ['anyOf', 'allOf', 'oneOf', 'prefixItems'] as const;

/** Vendors want each object to say `additionalProperties: false`; what no vendor judges (echo, servers of your own) only has to be a schema. */
export function validateOutputSchema(
  path: Path,
  schema: JsonObject,
  { provider, name }: { readonly provider: Provider; readonly name: string },
): PartDiagnostic[] {
  const rootType = schema['type'];
  const root =
    rootType === 'object'
      ? []
      : [errorAt([...path, 'type'], 'must be object: structured output is a JSON object at every provider')];
  const unreadable = validateReadable(path, schema);
  const isOpenai = provider.type === 'openai' && OPENAI_HOSTS.test(new URL(provider.baseUrl).hostname);
  const isStrict = isOpenai || provider.type === 'anthropic' || provider.type === 'bedrock';
  if (!isStrict) return [...root, ...unreadable];
  return [
    ...root,
    ...unreadable,
    ...objectsOf(schema, path).flatMap((object) => [
      ...(object.schema['additionalProperties'] === false
        ? []
        : [
            errorAt(object.path, `must have additionalProperties: false, which ${name} wants of each object`),
          ]),
      ...(isOpenai ? optionalOf(object.schema).map((one) => optionalError(object.path, one, name)) : []),
    ]),
  ];
}

/** An answer is checked against it at each call: one that cannot be read would fail them all. */
export function validateReadable(path: Path, schema: JsonObject): PartDiagnostic[] {
  try {
    checkAnswerSchema('outputSchema', schema);
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError) || error.detail === undefined) throw error;
    return [errorAt(path, `must be a JSON Schema: ${error.detail.replace(/\.$/, '')}`)];
  }
}

function optionalError(path: Path, property: string, name: string): PartDiagnostic {
  return errorAt(
    [...path, 'properties', property],
    `must be in required, which ${name} wants of each property: let its type be a list with null where it may be missing`,
  );
}

function optionalOf(schema: JsonObject): readonly string[] {
  const required: unknown = schema['required'];
  const names = Array.isArray(required) ? required : [];
  return Object.keys(toJsonObject(schema['properties']) ?? {}).filter((name) => !names.includes(name));
}

interface PlacedSchema {
  readonly path: Path;
  readonly schema: JsonObject;
}

/** Each schema of an object, the whole one first. The document is bounded in size and depth when it is read. */
function objectsOf(schema: JsonObject, path: Path): readonly PlacedSchema[] {
  const isObject = schema['type'] === 'object' || schema['properties'] !== undefined;
  return [
    ...(isObject ? [{ path, schema }] : []),
    ...partsOf(schema, path).flatMap((one) => objectsOf(one.schema, one.path)),
  ];
}

function partsOf(schema: JsonObject, path: Path): readonly PlacedSchema[] {
  const placed = (value: unknown, at: Path): readonly PlacedSchema[] => {
    const part = toJsonObject(value);
    return part === undefined ? [] : [{ path: at, schema: part }];
  };
  return [
    ...placed(schema['items'], [...path, 'items']),
    ...BY_NAME.flatMap((keyword) =>
      Object.entries(toJsonObject(schema[keyword]) ?? {}).flatMap(([name, value]) =>
        placed(value, [...path, keyword, name]),
      ),
    ),
    ...LISTS.flatMap((keyword) => {
      const list: unknown = schema[keyword];
      return Array.isArray(list)
        ? list.flatMap((value, index) => placed(value, [...path, keyword, index]))
        : [];
    }),
  ];
}

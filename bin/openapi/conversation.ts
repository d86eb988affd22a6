// The schemas of a request in the OpenAPI document, from the declarations that read it.
import { REQUEST_MEMBERS } from '../../core/conversation/parse-conversation.ts';
import { MESSAGE, TOOL_CALL } from '../../core/conversation/parse-messages.ts';
import { PART } from '../../core/conversation/parse-parts.ts';
import { TOOL } from '../../core/conversation/parse-tools.ts';
import { isJsonObject, type JsonObject } from '../../core/text/json.ts';

/** Parts of the document that have a name of their own. */
const NAMED: Readonly<Record<string, JsonObject>> = {
  Message: MESSAGE.schema,
  Part: PART.schema,
  Tool: TOOL.schema,
  SentToolCall: TOOL_CALL.schema,
};
const NAMES = new Map(Object.entries(NAMED).map(([name, schema]) => [schema, name]));

export const REQUEST_PROPERTIES = mapMembers(REQUEST_MEMBERS, ({ schema }, name) =>
  name === 'input' ? schema : orNull(refer(schema)),
);

export const CONVERSATION_SCHEMAS = mapMembers(NAMED, referWithin);

/** The same value with references in the place of named schemas. */
function refer(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(refer);
  if (!isJsonObject(value)) return value;
  const name = NAMES.get(value);
  return name === undefined ? referWithin(value) : { $ref: `#/components/schemas/${name}` };
}

function referWithin(schema: JsonObject): JsonObject {
  const { required = [] } = schema;
  return mapMembers(schema, (member, keyword) => {
    if (keyword !== 'properties') return refer(member);
    return mapMembers(member as JsonObject, (property, name) =>
      (required as readonly string[]).includes(name) ? refer(property) : orNull(refer(property)),
    );
  });
}

/** Every member that may be missing may be null. */
function orNull(schema: unknown): unknown {
  const { type, enum: values, oneOf } = schema as JsonObject;
  if (type === 'null' || Object.keys(schema as JsonObject).length === 0) return schema;
  if (Array.isArray(oneOf)) return { ...(schema as JsonObject), oneOf: [...oneOf, { type: 'null' }] };
  if (typeof type === 'string' && values === undefined) {
    return { ...(schema as JsonObject), type: [type, 'null'] };
  }
  return { oneOf: [schema, { type: 'null' }] };
}

function mapMembers<T>(
  object: Readonly<Record<string, T>>,
  map: (member: T, name: string) => unknown,
): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, member]) => [name, map(member, name)]));
}

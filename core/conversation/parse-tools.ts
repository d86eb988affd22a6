// Reads the members beside messages: tools, tool choice, answer format.
import type { JsonObject } from '../text/json.ts';
import { checkAnswerSchema } from './check-answer-schema.ts';
import type { AnswerSchema, Conversation, ToolChoice, ToolDefinition } from './conversation.ts';
import {
  anything,
  choice,
  FLAG,
  invalidAt,
  JSON_OBJECT,
  type LocatedValue,
  list,
  mapped,
  NAME,
  noted,
  object,
  openObject,
  optional,
  type Reader,
  TEXT,
} from './reader.ts';

const MAX_TOOLS = 512;
const NO_PARAMETERS: JsonObject = { type: 'object', properties: {} };

const JSON_SCHEMA = noted(JSON_OBJECT, { description: 'A JSON Schema (draft 2020-12).' });

/** Every provider wants an object; some want its `type` named, which others leave out for a tool without parameters. */
export const TOOL_PARAMETERS = mapped(JSON_SCHEMA, (schema, { path }): JsonObject => {
  if (Object.keys(schema).length === 0) return NO_PARAMETERS;
  const type = Object.hasOwn(schema, 'type') ? schema['type'] : undefined;
  if (type !== undefined && type !== 'object') throw invalidAt(`${path}.type`, 'must be object');
  return type === undefined ? { type: 'object', ...schema } : schema;
});

export const TOOL = mapped(
  openObject({
    type: choice(['function']),
    function: openObject({
      name: NAME,
      description: optional(TEXT),
      parameters: optional(TOOL_PARAMETERS),
      strict: optional(FLAG),
    }),
  }),
  ({ function: called }): ToolDefinition => ({ ...called, parameters: called.parameters ?? NO_PARAMETERS }),
);

/** Tools, no two of one name. */
export const TOOLS: Reader<readonly ToolDefinition[]> = mapped(
  list(TOOL, 0, MAX_TOOLS),
  (tools, { path }) => {
    const names = new Set<string>();
    for (const [index, { name }] of tools.entries()) {
      if (names.has(name)) throw invalidAt(`${path}[${index}].function.name`, 'must not be used twice');
      names.add(name);
    }
    return tools;
  },
);

const MODES = choice(['auto', 'none', 'required']);
const ONE_TOOL = openObject({
  type: choice(['function']),
  function: openObject({ name: anything(NAME.schema) }),
});

/** Whether and which tool the model calls. */
export const TOOL_CHOICE = {
  schema: { description: 'Beside `tools` only.', oneOf: [MODES.schema, ONE_TOOL.schema] },
};

/** A mode, or one of the tools. */
export function parseToolChoice(located: LocatedValue, tools: readonly ToolDefinition[]): ToolChoice {
  if (tools.length === 0) throw invalidAt(located.path, 'goes with tools only');
  if (typeof located.value === 'string') return MODES.read(located);
  const { name } = ONE_TOOL.read(located).function;
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw invalidAt(`${located.path}.function.name`, 'must be the name of a tool');
  return { name: tool.name };
}

const FORMAT = choice(['text', 'json_object', 'json_schema']);

const ANSWER_SCHEMA: Reader<AnswerSchema> = object({
  name: NAME,
  description: optional(TEXT),
  schema: mapped(JSON_SCHEMA, (schema, { path }) => {
    checkAnswerSchema(path, schema);
    return schema;
  }),
  strict: optional(FLAG),
});

const ANY_FORMAT = openObject({ type: FORMAT });
const TEXT_FORMAT = openObject({ type: choice(['text', 'json_object']) });
const SCHEMA_FORMAT = openObject({ type: choice(['json_schema']), json_schema: ANSWER_SCHEMA });

/** The form that a caller asks for: a schema, any JSON object, or neither for `text`. */
export const RESPONSE_FORMAT: Reader<Pick<Conversation, 'schema' | 'json'>> = {
  schema: { oneOf: [TEXT_FORMAT.schema, SCHEMA_FORMAT.schema] },
  read(located) {
    const { type } = ANY_FORMAT.read(located);
    if (type === 'text') return {};
    return type === 'json_object' ? { json: true } : { schema: SCHEMA_FORMAT.read(located).json_schema };
  },
};

// Reads the members beside messages: tools, tool choice, answer format, sampling parameters.
import type { JsonObject } from '../text/json.ts';
import { checkAnswerSchema } from './check-answer-schema.ts';
import type { AnswerSchema, CallerParameters, ToolChoice, ToolDefinition } from './conversation.ts';
import {
  anything,
  choice,
  FLAG,
  filledText,
  integer,
  invalidAt,
  JSON_OBJECT,
  type LocatedValue,
  list,
  mapped,
  NAME,
  noted,
  number,
  object,
  optional,
  type Reader,
  TEXT,
} from './reader.ts';

const MAX_TOOLS = 128;
const NO_PARAMETERS: JsonObject = { type: 'object', properties: {} };
const MAX_STOP_SEQUENCES = 4;
const MAX_STOP_LENGTH = 200;

const JSON_SCHEMA = noted(JSON_OBJECT, { description: 'A JSON Schema (draft 2020-12).' });

/** Every provider wants an object; some want its `type` named, which others leave out for a tool without parameters. */
export const TOOL_PARAMETERS = mapped(JSON_SCHEMA, (schema, { path }): JsonObject => {
  if (Object.keys(schema).length === 0) return NO_PARAMETERS;
  const type = Object.hasOwn(schema, 'type') ? schema['type'] : undefined;
  if (type !== undefined && type !== 'object') throw invalidAt(`${path}.type`, 'must be object');
  return type === undefined ? { type: 'object', ...schema } : schema;
});

export const TOOL = mapped(
  object({
    type: choice(['function']),
    function: object({
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
  list(TOOL, 1, MAX_TOOLS),
  (tools, { path }) => {
    for (const [index, { name }] of tools.entries()) {
      if (tools.findIndex((tool) => tool.name === name) < index)
        throw invalidAt(`${path}[${index}].function.name`, 'must not be used twice');
    }
    return tools;
  },
);

const MODES = choice(['auto', 'none', 'required']);
const ONE_TOOL = object({ type: choice(['function']), function: object({ name: anything(NAME.schema) }) });

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

const FORMATS = ['text', 'json_schema'] as const;

/** JSON without a schema has an error of its own. */
const FORMAT: Reader<(typeof FORMATS)[number]> = {
  schema: choice(FORMATS).schema,
  read(located) {
    if (located.value !== 'json_object') return choice(FORMATS).read(located);
    throw invalidAt(
      located.path,
      'must be json_schema: JSON without a schema is not supported by every provider',
    );
  },
};

const ANSWER_SCHEMA: Reader<AnswerSchema> = object({
  name: NAME,
  description: optional(TEXT),
  schema: mapped(JSON_SCHEMA, (schema, { path }) => {
    checkAnswerSchema(path, schema);
    return schema;
  }),
  strict: optional(FLAG),
});

const ANY_FORMAT = object({ type: FORMAT, json_schema: optional(anything()) });
const TEXT_FORMAT = object({ type: choice(['text']), json_schema: optional(anything()) });
const SCHEMA_FORMAT = object({ type: choice(['json_schema']), json_schema: ANSWER_SCHEMA });

/** The schema of the answer; undefined for `text`. */
export const RESPONSE_FORMAT: Reader<AnswerSchema | undefined> = {
  schema: { oneOf: [TEXT_FORMAT.schema, SCHEMA_FORMAT.schema] },
  read(located) {
    if (ANY_FORMAT.read(located).type === 'text') return undefined;
    return SCHEMA_FORMAT.read(located).json_schema;
  },
};

/** Tokens of an answer, at most. */
export const MAX_TOKENS = integer(1, 1_000_000);

const STOP_SEQUENCE = filledText(MAX_STOP_LENGTH);
const STOP_SEQUENCES = list(STOP_SEQUENCE, 1, MAX_STOP_SEQUENCES);

/** A text or a list of them. */
const STOP: Reader<readonly string[]> = {
  schema: { oneOf: [STOP_SEQUENCE.schema, STOP_SEQUENCES.schema] },
  read: (located) =>
    typeof located.value === 'string' ? [STOP_SEQUENCE.read(located)] : STOP_SEQUENCES.read(located),
};

export const PARAMETERS: Reader<CallerParameters> = object(
  {
    temperature: optional(number(0, 2)),
    topP: optional(number(0, 1)),
    maxTokens: optional(MAX_TOKENS),
    stop: optional(STOP),
    seed: optional(integer(0, 2_147_483_647)),
  },
  'Bounded by those of the flow.',
);

// Reads what a caller sends beside messages: tools, tool choice, answer format, sampling parameters.

import type { JsonObject } from '../text/json.ts';
import { checkAnswerSchema } from './check-answer-schema.ts';
import type { AnswerSchema, CallerParameters, ToolChoice, ToolDefinition } from './conversation.ts';
import {
  invalidAt,
  type Located,
  readChoice,
  readFlag,
  readInteger,
  readJsonObject,
  readList,
  readName,
  readNumber,
  readObject,
  readText,
} from './reader.ts';

const MAX_TOOLS = 128;
const TOOL_CHOICES = ['auto', 'none', 'required'] as const;
const NO_PARAMETERS: JsonObject = { type: 'object', properties: {} };
const MAX_STOP_SEQUENCES = 4;
const MAX_STOP_LENGTH = 200;

/** `[{ type: 'function', function: { name, description?, parameters?, strict? } }]`. */
export function parseTools(located: Located): readonly ToolDefinition[] {
  const tools = readList(located, 1, MAX_TOOLS).map(parseTool);
  for (const [index, { name }] of tools.entries()) {
    if (tools.findIndex((tool) => tool.name === name) < index) {
      throw invalidAt(`${located.path}[${index}].function.name`, 'must not be used twice');
    }
  }
  return tools;
}

function parseTool(located: Located): ToolDefinition {
  const tool = readObject(located, ['type', 'function']);
  readChoice(tool.required('type'), ['function']);
  const called = readObject(tool.required('function'), ['name', 'description', 'parameters', 'strict']);
  const description = called.optional('description');
  const parameters = called.optional('parameters');
  const strict = called.optional('strict');
  return {
    name: readName(called.required('name')),
    parameters: parseToolParameters(parameters),
    ...(description === undefined ? {} : { description: readText(description) }),
    ...(strict === undefined ? {} : { strict: readFlag(strict) }),
  };
}

/** Every provider wants an object; some want its `type` named, which others leave out for a tool without parameters. */
function parseToolParameters(located: Located | undefined): JsonObject {
  if (located === undefined) return NO_PARAMETERS;
  const schema = readJsonObject(located);
  if (Object.keys(schema).length === 0) return NO_PARAMETERS;
  const type = Object.hasOwn(schema, 'type') ? schema['type'] : undefined;
  if (type !== undefined && type !== 'object') throw invalidAt(`${located.path}.type`, 'must be object');
  return type === undefined ? { type: 'object', ...schema } : schema;
}

/** `auto`, `none`, `required`, or `{ type: 'function', function: { name } }` with one of the tools. */
export function parseToolChoice(located: Located, tools: readonly ToolDefinition[]): ToolChoice {
  if (tools.length === 0) throw invalidAt(located.path, 'goes with tools only');
  if (typeof located.value === 'string') return readChoice(located, TOOL_CHOICES);
  const choice = readObject(located, ['type', 'function']);
  readChoice(choice.required('type'), ['function']);
  const name = readObject(choice.required('function'), ['name']).required('name');
  if (!tools.some((tool) => tool.name === name.value))
    throw invalidAt(name.path, 'must be the name of a tool');
  return { name: readText(name) };
}

/** `{ type: 'text' }`, which is none, or `{ type: 'json_schema', json_schema: { name, description?, schema, strict? } }`. */
export function parseResponseFormat(located: Located): AnswerSchema | undefined {
  const format = readObject(located, ['type', 'json_schema']);
  const type = format.required('type');
  if (type.value === 'json_object') {
    throw invalidAt(
      type.path,
      'must be json_schema: JSON without a schema is not supported by every provider',
    );
  }
  if (readChoice(type, ['text', 'json_schema']) === 'text') return undefined;
  const input = readObject(format.required('json_schema'), ['name', 'description', 'schema', 'strict']);
  const description = input.optional('description');
  const strict = input.optional('strict');
  const at = input.required('schema');
  const schema = readJsonObject(at);
  checkAnswerSchema(at.path, schema);
  return {
    name: readName(input.required('name')),
    schema,
    ...(description === undefined ? {} : { description: readText(description) }),
    ...(strict === undefined ? {} : { strict: readFlag(strict) }),
  };
}

/** `{ temperature, topP, maxTokens, stop, seed }`, each optional. */
export function parseParameters(located: Located): CallerParameters {
  const input = readObject(located, ['temperature', 'topP', 'maxTokens', 'stop', 'seed']);
  const read = <T>(name: string, parse: (member: Located) => T): Record<string, T> => {
    const member = input.optional(name);
    return member === undefined ? {} : { [name]: parse(member) };
  };
  return {
    ...read('temperature', (member) => readNumber(member, 0, 2)),
    ...read('topP', (member) => readNumber(member, 0, 1)),
    ...read('maxTokens', readMaxTokens),
    ...read('stop', parseStop),
    ...read('seed', (member) => readInteger(member, 0, 2_147_483_647)),
  };
}

/** Tokens of an answer, at most. */
export function readMaxTokens(located: Located): number {
  return readInteger(located, 1, 1_000_000);
}

/** A text or 1 to 4 of them. */
function parseStop(located: Located): readonly string[] {
  const list = typeof located.value === 'string' ? [located] : readList(located, 1, MAX_STOP_SEQUENCES);
  return list.map((entry) => {
    const text = readText(entry);
    if (text !== '' && text.length <= MAX_STOP_LENGTH) return text;
    throw invalidAt(entry.path, `must be a text of 1 to ${MAX_STOP_LENGTH} characters`);
  });
}

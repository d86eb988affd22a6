// The answers of the echo provider: always the same for the same request, so that conversations, tools and schemas work offline.
import {
  lastUserIndex,
  type Message,
  type ToolCall,
  textOfParts,
} from '../../../core/conversation/conversation.ts';
import { documentLengthsOf, imagesOf, textBytesOf } from '../../../core/conversation/size.ts';
import type { ModelRequest, ModelResult } from '../../../core/ports/providers.ts';
import type { JsonObject } from '../../../core/text/json.ts';
import { sum } from '../../../core/text/numbers.ts';

/** Rounded up; about as many as models count in English text. */
const BYTES_PER_TOKEN = 4;

/** The count of an image or a document. */
const TOKENS_PER_FILE = 100;

type EchoRequest = Omit<ModelRequest, 'signal' | 'model'>;

/**
 * Tool calls where the user names tools, else a value of the schema where there is one, else `You said: TEXT`, after `(SYSTEM) ` where
 * there is a system text. Texts are cut at a stop sequence, then at `maxTokens`.
 */
export function toEchoResult(request: EchoRequest): ModelResult {
  const toolCalls = callTools(request);
  const whole = toolCalls.length > 0 ? '' : renderText(request);
  const stopped = cutAtStop(whole, request.stopSequences ?? []);
  const text = cutToTokens(stopped, request.maxTokens);
  return {
    text,
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    finish: toolCalls.length > 0 ? 'toolCalls' : text === stopped ? 'stop' : 'length',
    usage: {
      input: countEchoTokens(request),
      output: tokensOf(Buffer.byteLength(toolCalls.length > 0 ? JSON.stringify(toolCalls) : text)),
    },
    modelVersion: 'echo-1',
  };
}

/**
 * Every tool that the user's last turn names, or the first one where the caller requires a call. Arguments are made from the tool's
 * schema, with the user's text in place of every text. Tool results never cause another call.
 */
function callTools({
  messages,
  tools = [],
  toolChoice = 'auto',
  parallelToolCalls,
}: EchoRequest): readonly ToolCall[] {
  const last = messages.at(-1);
  if (last?.role !== 'user' || toolChoice === 'none') return [];
  const said = textOfParts(last.content);
  const named = tools.filter(({ name }) =>
    typeof toolChoice === 'string' ? said.includes(name) : name === toolChoice.name,
  );
  const wanted = toolChoice === 'required' && named.length === 0 ? tools.slice(0, 1) : named;
  return wanted
    .slice(0, parallelToolCalls === false ? 1 : wanted.length)
    .map(({ name, parameters }, index) => {
      const options = makeExample(parameters, said);
      return {
        id: `call_${messages.length}_${index + 1}`,
        name,
        arguments: typeof options === 'object' && options !== null ? { ...options } : {},
      };
    });
}

function renderText({ system: blocks, messages, schema, json }: EchoRequest): string {
  const last = lastUserIndex(messages);
  const said = textOf(messages[last]);
  if (schema !== undefined) return JSON.stringify(makeExample(schema.schema, said));
  if (json === true) return JSON.stringify({ said });
  const results = messages
    .slice(last + 1)
    .flatMap((turn) => (turn.role === 'tool' ? [textOfParts(turn.content)] : []));
  const system = [...blocks, ...messages.flatMap((turn) => (turn.role === 'system' ? [turn] : []))]
    .map(({ text }) => text)
    .join('\n\n');
  const before = messages.slice(0, Math.max(0, last)).findLast(({ role }) => role === 'user');
  return [
    ...(system === '' ? [] : [`(${system})`]),
    `You said: ${said}`,
    ...(results.length === 0 ? [] : [`Tools said: ${results.join('; ')}`]),
    ...(before === undefined ? [] : [`Before that you said: ${textOf(before)}`]),
  ].join(' ');
}

function textOf(message: Message | undefined): string {
  return message?.role === 'user' ? textOfParts(message.content) : '';
}

function countEchoTokens({ system, messages }: EchoRequest): number {
  return messages.reduce(
    (total, message) =>
      total +
      tokensOf(textBytesOf(message)) +
      (imagesOf(message) + documentLengthsOf(message).length) * TOKENS_PER_FILE,
    tokensOf(sum(system.map(({ text }) => Buffer.byteLength(text)))),
  );
}

function tokensOf(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

function cutAtStop(text: string, stopSequences: readonly string[]): string {
  const ends = stopSequences.map((stop) => text.indexOf(stop)).filter((index) => index !== -1);
  return text.slice(0, Math.min(text.length, ...ends));
}

/** Never splits a character. */
function cutToTokens(text: string, maxTokens: number): string {
  const bytes = Buffer.from(text);
  let end = Math.min(bytes.byteLength, maxTokens * BYTES_PER_TOKEN);
  if (end === bytes.byteLength) return text;
  // A byte 10xxxxxx continues a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString();
}

const MAX_DEPTH = 20;

/**
 * A value that a simple JSON Schema takes (json-schema.org/draft/2020-12); `text` stands for every free text. Unknown keywords are
 * ignored.
 */
function makeExample(schema: unknown, text: string, depth = 0): unknown {
  if (typeof schema !== 'object' || schema === null || depth > MAX_DEPTH) return null;
  const {
    type,
    enum: choices,
    const: fixed,
    properties,
    items,
    anyOf,
    minItems,
    minimum,
  } = schema as JsonObject;
  if (fixed !== undefined) return fixed;
  if (Array.isArray(choices)) return choices[0];
  if (Array.isArray(anyOf)) return makeExample(anyOf[0], text, depth + 1);
  switch (Array.isArray(type) ? type[0] : (type ?? (properties === undefined ? undefined : 'object'))) {
    case 'object':
      return Object.fromEntries(
        Object.entries(properties ?? {}).map(([name, member]) => [
          name,
          makeExample(member, text, depth + 1),
        ]),
      );
    case 'array':
      return Array.from({ length: typeof minItems === 'number' ? Math.min(minItems, 10) : 1 }, () =>
        makeExample(items, text, depth + 1),
      );
    case 'string':
      return text;
    case 'integer':
    case 'number':
      return typeof minimum === 'number' ? minimum : 0;
    case 'boolean':
      return true;
    default:
      return null;
  }
}

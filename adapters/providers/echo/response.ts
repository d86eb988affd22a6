// What the echo provider answers: the same for the same request, always, so that conversations, tools and schemas work offline.
import {
  lastUserIndex,
  type Message,
  type ToolCall,
  textOfParts,
} from '../../../core/conversation/conversation.ts';
import { imagesOf, textBytesOf } from '../../../core/conversation/size.ts';
import type { ModelRequest, ModelResult } from '../../../core/ports/providers.ts';
import { exampleOf } from './example.ts';

/** A token is four bytes of UTF-8, rounded up: about what English text costs elsewhere. */
const BYTES_PER_TOKEN = 4;

/** What an image counts. */
const TOKENS_PER_IMAGE = 100;

type EchoRequest = Omit<ModelRequest, 'signal' | 'model'>;

/**
 * A call of tools where there are some to call, an instance of the schema where there is one, and otherwise `You said: TEXT`, after
 * `(SYSTEM) ` where there is a system text; cut at a stop sequence, then at `maxTokens`.
 */
export function toEchoResult(request: EchoRequest): ModelResult {
  const toolCalls = callTools(request);
  const whole = toolCalls.length > 0 ? '' : say(request);
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
 * Every tool whose name the last turn of a user says, or the first one where the caller requires a call. Arguments are made from the
 * tool's schema, its texts being what the user said. Results are never answered with another call.
 */
function callTools({ messages, tools = [], toolChoice = 'auto' }: EchoRequest): readonly ToolCall[] {
  const last = messages.at(-1);
  if (last?.role !== 'user' || toolChoice === 'none') return [];
  const said = textOfParts(last.content);
  const named = tools.filter(({ name }) =>
    typeof toolChoice === 'string' ? said.includes(name) : name === toolChoice.name,
  );
  const wanted = toolChoice === 'required' && named.length === 0 ? tools.slice(0, 1) : named;
  return wanted.map(({ name, parameters }, index) => {
    const options = exampleOf(parameters, said);
    return {
      id: `call_${messages.length}_${index + 1}`,
      name,
      arguments: typeof options === 'object' && options !== null ? { ...options } : {},
    };
  });
}

function say({ system, messages, schema }: EchoRequest): string {
  const last = lastUserIndex(messages);
  const said = textOf(messages[last]);
  if (schema !== undefined) return JSON.stringify(exampleOf(schema.schema, said));
  const results = messages.slice(last + 1).flatMap((turn) => (turn.role === 'tool' ? [turn.text] : []));
  const before = messages.slice(0, last).findLast(({ role }) => role === 'user');
  return [
    ...(system === undefined ? [] : [`(${system})`]),
    `You said: ${said}`,
    ...(results.length === 0 ? [] : [`Tools said: ${results.join('; ')}`]),
    ...(before === undefined ? [] : [`Before that you said: ${textOf(before)}`]),
  ].join(' ');
}

function textOf(message: Message | undefined): string {
  return message?.role === 'user' ? textOfParts(message.content) : '';
}

/** Tokens of a request as the echo provider counts them. */
function countEchoTokens({ system = '', messages }: EchoRequest): number {
  return messages.reduce(
    (sum, message) => sum + tokensOf(textBytesOf(message)) + imagesOf(message) * TOKENS_PER_IMAGE,
    tokensOf(Buffer.byteLength(system)),
  );
}

function tokensOf(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

function cutAtStop(text: string, stopSequences: readonly string[]): string {
  const ends = stopSequences.map((stop) => text.indexOf(stop)).filter((index) => index !== -1);
  return text.slice(0, Math.min(text.length, ...ends));
}

/** Never splits a character: a cut one is left out. */
function cutToTokens(text: string, maxTokens: number): string {
  const bytes = Buffer.from(text);
  let end = Math.min(bytes.byteLength, maxTokens * BYTES_PER_TOKEN);
  if (end === bytes.byteLength) return text;
  // A byte 10xxxxxx continues a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString();
}

// Reads the input of a response, a text or items, into the turns of a conversation. What items say is put in the words of Chat Completions,
// whose reader is the one of the service; what an assistant said, called and thought in a row is one turn.
import { type AssistantBlock, toolMessage } from '../../conversation/conversation.ts';
import {
  checkArguments,
  MAX_TOOL_CALLS,
  MESSAGE,
  type ParsedMessage,
  TOOL_CALL,
} from '../../conversation/parse-messages.ts';
import { CONTENT } from '../../conversation/parse-parts.ts';
import {
  choice,
  invalidAt,
  LOCATED_OBJECT,
  type LocatedValue,
  list,
  NAME,
  TEXT,
} from '../../conversation/reader.ts';
import { isJsonObject, type JsonObject, memberOf, textMemberOf } from '../../text/json.ts';
import { openReasoning } from '../sealed-reasoning.ts';

const MAX_ITEMS = 10_000;

/** The turns of an input, the tools that its items add, and what of it reaches no model. */
export interface ParsedInput {
  readonly messages: readonly ParsedMessage[];
  readonly tools: readonly LocatedValue[];
  /** Paths of reasoning that was not sealed by this service. */
  readonly leftOut: readonly string[];
}

const ITEMS = list(LOCATED_OBJECT, 1, MAX_ITEMS);

export function parseInput({ path, value }: LocatedValue): ParsedInput {
  if (typeof value === 'string') {
    const message = MESSAGE.read({ path, value: { role: 'user', content: TEXT.read({ path, value }) } });
    return { messages: [message], tools: [], leftOut: [] };
  }
  if (!Array.isArray(value)) throw invalidAt(path, 'must be a text or a list of items');
  const items = ITEMS.read({ path, value });
  checkArguments(
    items.map((item) => ({ path: `${item.path}.arguments`, value: memberOf(item.value, 'arguments') })),
  );
  const turns = new Turns();
  const tools: LocatedValue[] = [];
  const leftOut: string[] = [];
  for (const item of items) {
    const read = readItem(item);
    if (read === undefined) leftOut.push(item.path);
    else if ('tools' in read) tools.push(read.tools);
    else turns.add(read.message);
  }
  return { messages: turns.messages, tools, leftOut };
}

/**
 * The turns of items. An assistant that goes on is in the same turn: providers take its text and its calls together only. A class, since its
 * method changes what it holds: a turn of thousands of items must not be copied with each.
 */
class Turns {
  readonly messages: ParsedMessage[] = [];
  /** The blocks that the last turn has so far, and the paths of its calls' ids; undefined where it is not the assistant's. */
  #open: { readonly blocks: AssistantBlock[]; readonly idPaths: string[] } | undefined;

  add(message: ParsedMessage): void {
    if (message.role !== 'assistant') {
      this.#open = undefined;
      this.messages.push(message);
      return;
    }
    const { idPaths = [] } = message;
    if (this.#open === undefined) {
      this.#open = { blocks: [...message.blocks], idPaths: [...idPaths] };
      this.messages.push({ ...message, ...this.#open });
      return;
    }
    for (const block of message.blocks) this.#open.blocks.push(block);
    for (const path of idPaths) this.#open.idPaths.push(path);
    if (this.#open.idPaths.length > MAX_TOOL_CALLS) {
      throw invalidAt(
        message.path,
        `must not be call ${MAX_TOOL_CALLS + 1} in a row: send the results of the calls before it`,
      );
    }
  }
}

type ReadItem = { readonly message: ParsedMessage } | { readonly tools: LocatedValue };

type Item = LocatedValue & { readonly value: JsonObject };

/** Undefined for an item that is left out. */
function readItem(item: Item): ReadItem | undefined {
  const { path, value } = item;
  const { type } = value;
  switch (type ?? (memberOf(value, 'role') === undefined ? undefined : 'message')) {
    case 'message':
      return { message: MESSAGE.read({ path, value: toMessage(item) }) };
    case 'function_call':
      return { message: readCall(item) };
    case 'function_call_output':
      return { message: readResult(item) };
    case 'reasoning': {
      const reasoning = openReasoning(textMemberOf(value, 'encrypted_content') ?? '');
      return (
        reasoning && { message: { role: 'assistant', blocks: [{ type: 'reasoning', reasoning }], path } }
      );
    }
    case 'additional_tools':
      return { tools: { path: `${path}.tools`, value: value['tools'] } };
    default:
      throw invalidAt(`${path}.type`, remedyOf(type));
  }
}

function remedyOf(type: unknown): string {
  // The SDKs that send it leave the type out in places.
  if (type === 'item_reference' || type === undefined || type === null) {
    return 'must not be item_reference: nothing is stored. Send the item itself, with "store": false at the client';
  }
  return 'must be one of message, function_call, function_call_output, reasoning, additional_tools';
}

/** Phases and states are the client's own; no model takes them. */
function toMessage({ path, value: { role, content } }: Item): JsonObject {
  return { role, content: toParts({ path: `${path}.content`, value: content }) };
}

function toParts({ path, value }: LocatedValue): unknown {
  return Array.isArray(value) ? value.map((part, index) => toPart(`${path}[${index}]`, part)) : value;
}

/** A part as Chat Completions have it. */
function toPart(path: string, part: unknown): unknown {
  if (!isJsonObject(part)) return part;
  const { type, text, image_url: url, detail, file_data, filename } = part;
  rejectStored(path, part);
  switch (type) {
    case 'input_text':
    case 'output_text':
      return { type: 'text', text };
    case 'input_image':
      return { type: 'image_url', image_url: { url, detail } };
    case 'input_file':
      return { type: 'file', file: { file_data, filename } };
    case 'text':
    case 'refusal':
      return part;
    default:
      throw invalidAt(
        `${path}.type`,
        'must be one of input_text, output_text, input_image, input_file, refusal',
      );
  }
}

/** Throws for what would have to be stored or fetched here. */
function rejectStored(path: string, { type, file_id: id, file_url: url }: JsonObject): void {
  const remedy = type === 'input_image' ? 'image_url' : 'file_data';
  if (id != null) throw invalidAt(`${path}.file_id`, `is not supported: send ${remedy}, nothing is stored`);
  if (url != null)
    throw invalidAt(`${path}.file_url`, `is not supported: send ${remedy}, nothing is fetched here`);
}

const OPTIONAL_NAMESPACE = (located: LocatedValue) =>
  located.value === undefined || located.value === null ? undefined : NAME.read(located);

function readCall({ path, value }: Item): ParsedMessage {
  const { call_id: id, name, arguments: input } = value;
  const called = { id, type: 'function', function: { name, arguments: input } };
  const namespace = OPTIONAL_NAMESPACE({ path: `${path}.namespace`, value: value['namespace'] });
  const call = {
    ...TOOL_CALL.read({ path, value: called }),
    ...(namespace === undefined ? {} : { namespace }),
  };
  return { role: 'assistant', blocks: [{ type: 'toolCall', call }], path, idPaths: [`${path}.call_id`] };
}

function readResult({ path, value: { call_id: id, output } }: Item): ParsedMessage {
  const idPath = `${path}.call_id`;
  const located = { path: `${path}.output`, value: output };
  const content = CONTENT.read({ ...located, value: toParts(located) });
  return {
    ...toolMessage(NAME.read({ path: idPath, value: id }), content),
    path,
    idPaths: [idPath],
    partPaths: content.map((_part, index) => `${located.path}[${index}]`),
  };
}

/** The include list: sealed reasoning is there, and the results of tools that nobody here runs never are. */
export const INCLUDE = list(
  choice([
    'reasoning.encrypted_content',
    'code_interpreter_call.outputs',
    'computer_call_output.output.image_url',
    'file_search_call.results',
    'message.input_image.image_url',
    'web_search_call.action.sources',
    'web_search_call.results',
  ]),
  0,
  20,
);

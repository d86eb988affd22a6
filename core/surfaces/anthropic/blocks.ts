// Reads the messages of a request for a message into the turns of a conversation. What blocks say is put in the words of Chat Completions,
// whose reader is the one of the service; results of tools, which stand in a user's turn here, become turns of their own.
import {
  type AssistantBlock,
  type CacheHint,
  type ContentPart,
  type SystemBlock,
  toolMessage,
} from '../../conversation/conversation.ts';
import { type ParsedMessage, TOOL_CALL } from '../../conversation/parse-messages.ts';
import { PART } from '../../conversation/parse-parts.ts';
import {
  anything,
  choice,
  FLAG,
  invalidAt,
  JSON_OBJECT,
  LOCATED_OBJECT,
  type LocatedValue,
  list,
  NAME,
  TEXT,
  type ValueOf,
} from '../../conversation/reader.ts';
import { isJsonObject, type JsonObject, memberOf, textMemberOf } from '../../text/json.ts';
import { openReasoning } from '../sealed-reasoning.ts';

const MAX_MESSAGES = 10_000;
const MAX_BLOCKS = 10_000;

export type Block = ValueOf<typeof LOCATED_OBJECT>;

export const MESSAGE_LIST = list(LOCATED_OBJECT, 1, MAX_MESSAGES);
const BLOCKS = list(LOCATED_OBJECT, 0, MAX_BLOCKS);
const MAX_TOOLS = 512;
export const TOOL_LIST = list(anything(), 0, MAX_TOOLS);
export const ROLE = choice(['user', 'assistant', 'system']);

/** The turns, and the paths of what reaches no model. */
export interface ParsedTurns {
  readonly messages: readonly ParsedMessage[];
  readonly leftOut: readonly string[];
}

export function parseTurns(located: LocatedValue): ParsedTurns {
  const leftOut: string[] = [];
  const messages = MESSAGE_LIST.read(located).flatMap(({ path, value }) => {
    const role = ROLE.read({ path: `${path}.role`, value: value['role'] });
    const blocks = toBlocks({ path: `${path}.content`, value: value['content'] });
    if (role === 'user') return readUser(path, blocks);
    if (role === 'system') return readSystem(blocks).map((block) => ({ role, ...block, path }));
    const idPaths = blocks
      .filter(({ value: { type } }) => type === 'tool_use')
      .map((block) => `${block.path}.id`);
    return [{ role, blocks: blocks.flatMap((block) => readAssistant(block, leftOut)), path, idPaths }];
  });
  return { messages, leftOut };
}

/** A text, or blocks of text; they stay apart, since caches of providers end between them. */
export function parseSystem(located: LocatedValue): readonly SystemBlock[] {
  return readSystem(toBlocks(located));
}

export function toBlocks({ path, value }: LocatedValue): readonly Block[] {
  if (typeof value === 'string') return [{ path, value: { type: 'text', text: TEXT.read({ path, value }) } }];
  if (!Array.isArray(value)) throw invalidAt(path, 'must be a text or a list of blocks');
  return BLOCKS.read({ path, value });
}

function readSystem(blocks: readonly Block[]): readonly SystemBlock[] {
  return blocks.map(({ path, value }) => {
    if (value['type'] !== 'text') throw invalidAt(`${path}.type`, 'must be text');
    return { text: TEXT.read({ path: `${path}.text`, value: value['text'] }), ...cacheOf(path, value) };
  });
}

/** Results come before all else that the user says in the same turn. */
function readUser(path: string, blocks: readonly Block[]): readonly ParsedMessage[] {
  const results = blocks.filter(({ value }) => value['type'] === 'tool_result').map(readResult);
  const parts = blocks.filter(({ value }) => value['type'] !== 'tool_result');
  const content = parts.map(readPart);
  const partPaths = parts.map((part) => part.path);
  const isUser = content.length > 0 || results.length === 0;
  return [...results, ...(isUser ? [{ role: 'user' as const, content, path, partPaths }] : [])];
}

export function readPart({ path, value }: Block): ContentPart {
  return { ...PART.read({ path, value: toPart({ path, value }) }), ...cacheOf(path, value) };
}

/** A block as Chat Completions have it. */
function toPart({ path, value }: Block): JsonObject {
  const { type, text, source, title } = value;
  switch (type) {
    case 'text':
      return { type, text };
    case 'image':
      return { type: 'image_url', image_url: { url: toUrl({ path: `${path}.source`, value: source }) } };
    case 'document': {
      rejectAsides(path, value);
      const url = toUrl({ path: `${path}.source`, value: source });
      return {
        type: 'file',
        file: { file_data: url, ...(typeof title === 'string' ? { filename: title } : {}) },
      };
    }
    default:
      throw invalidAt(`${path}.type`, 'must be one of text, image, document, tool_result');
  }
}

/** Throws for members of a document that the model would read, or that would change its answer. */
function rejectAsides(path: string, { context, citations }: JsonObject): void {
  if (context != null && context !== '')
    throw invalidAt(`${path}.context`, 'is not supported: send it as a text before the document');
  if (memberOf(citations, 'enabled') === true)
    throw invalidAt(`${path}.citations.enabled`, 'must not be true: answers have no citations here');
}

/** The data URL of a source; an address stays one. */
function toUrl({ path, value }: LocatedValue): string {
  if (!isJsonObject(value)) throw invalidAt(path, 'must be an object with type and data');
  const type = textMemberOf(value, 'type');
  if (type === 'base64') {
    const mediaType = TEXT.read({ path: `${path}.media_type`, value: memberOf(value, 'media_type') });
    const data = TEXT.read({ path: `${path}.data`, value: memberOf(value, 'data') });
    return `data:${mediaType};base64,${data}`;
  }
  if (type === 'url') return TEXT.read({ path: `${path}.url`, value: memberOf(value, 'url') });
  throw invalidAt(`${path}.type`, 'must be base64 or url');
}

function readResult({ path, value }: Block): ParsedMessage {
  const { tool_use_id: id, content = '', is_error: isError } = value;
  const idPath = `${path}.tool_use_id`;
  const blocks =
    content === '' || content === null ? [] : toBlocks({ path: `${path}.content`, value: content });
  return {
    ...toolMessage(NAME.read({ path: idPath, value: id }), blocks.map(readPart)),
    ...(isError === undefined || isError === null
      ? {}
      : { isError: FLAG.read({ path: `${path}.is_error`, value: isError }) }),
    ...cacheOf(path, value),
    path,
    idPaths: [idPath],
  };
}

/** Thoughts that were not sealed by this service go to no provider: it could not be the one that they came from. */
export function readAssistant({ path, value }: Block, leftOut: string[]): readonly AssistantBlock[] {
  switch (value['type']) {
    case 'text': {
      const text = TEXT.read({ path: `${path}.text`, value: value['text'] });
      return [{ type: 'text', text, ...cacheOf(path, value) }];
    }
    case 'tool_use': {
      const { id, name, input } = value;
      const args = JSON.stringify(JSON_OBJECT.read({ path: `${path}.input`, value: input }));
      const call = TOOL_CALL.read({
        path,
        value: { id, type: 'function', function: { name, arguments: args } },
      });
      return [{ type: 'toolCall', call, ...cacheOf(path, value) }];
    }
    case 'thinking':
    case 'redacted_thinking': {
      const sealed = value['type'] === 'thinking' ? value['signature'] : value['data'];
      const reasoning = openReasoning(typeof sealed === 'string' ? sealed : '');
      if (reasoning !== undefined) return [{ type: 'reasoning', reasoning }];
      leftOut.push(path);
      return [];
    }
    default:
      throw invalidAt(`${path}.type`, 'must be one of text, tool_use, thinking, redacted_thinking');
  }
}

const TTL = choice(['5m', '1h']);

/** `cache_control: {type: "ephemeral", ttl?}`. */
export function cacheOf(path: string, value: JsonObject): { readonly cache?: CacheHint } {
  const control = value['cache_control'];
  if (control === undefined || control === null) return {};
  const at = `${path}.cache_control`;
  if (textMemberOf(control, 'type') !== 'ephemeral') throw invalidAt(`${at}.type`, 'must be ephemeral');
  const ttl = memberOf(control, 'ttl') ?? '5m';
  return { cache: { ttl: TTL.read({ path: `${at}.ttl`, value: ttl }) } };
}

// Checks that providers can take a transcript, so that no caller waits and pays for a provider's own error.
import { callsOfBlocks, type Message, type SystemBlock } from './conversation.ts';
import type { ParsedMessage } from './parse-messages.ts';
import { invalidAt } from './reader.ts';

/** Images and documents in a conversation (Amazon Bedrock takes so many in a message). */
export const MAX_IMAGES = 20;
export const MAX_DOCUMENTS = 5;

type Turn = Extract<ParsedMessage, { readonly role: 'user' | 'assistant' | 'tool' }>;

/** The turns of a conversation, and the system texts before all of them. */
interface Transcript {
  readonly system: readonly SystemBlock[];
  readonly messages: readonly Message[];
}

/** Throws 422 `invalid_input` with the path of the first turn that cannot stand where it is. */
export function checkTranscript(parsed: readonly ParsedMessage[]): Transcript {
  const begin = parsed.findIndex(({ role }) => role !== 'system');
  const leading = begin === -1 ? parsed : parsed.slice(0, begin);
  const system = leading.flatMap((message) => (message.role === 'system' ? [toBlock(message)] : []));
  const rest = withoutEmptyEnd(parsed.slice(leading.length));
  const turns = rest.filter((message): message is Turn => message.role !== 'system');
  if (turns.length === 0 && system.every(isEmpty)) {
    throw invalidAt('messages', 'must have a message of role user, or a system text');
  }
  checkToolResults(turns);
  checkFiles(turns);
  return {
    system: system.filter((block) => !isEmpty(block)),
    messages: behindResults(rest)
      .filter((message) => message.role !== 'system' || !isEmpty(message))
      .map(({ path: _path, idPaths: _idPaths, partPaths: _partPaths, ...message }): Message => message),
  };
}

function toBlock({ text, cache }: SystemBlock): SystemBlock {
  return { text, ...(cache === undefined ? {} : { cache }) };
}

function isEmpty({ text }: SystemBlock): boolean {
  return text === '';
}

/** An empty answer at the end is the place that a chat page holds for the answer to come. */
function withoutEmptyEnd(messages: readonly ParsedMessage[]): readonly ParsedMessage[] {
  const last = messages.at(-1);
  return last?.role === 'assistant' && last.blocks.length === 0 ? messages.slice(0, -1) : messages;
}

/** A system text between a call and its result moves behind the results: no provider takes it there. */
function behindResults(messages: readonly ParsedMessage[]): readonly ParsedMessage[] {
  const moved: ParsedMessage[] = [];
  let waiting: ParsedMessage[] = [];
  let open = 0;
  for (const message of messages) {
    if (message.role === 'tool') open -= 1;
    if (message.role === 'assistant') open = callsOfBlocks(message.blocks).length;
    if (message.role === 'system' && open > 0) waiting.push(message);
    else moved.push(message);
    if (open > 0) continue;
    moved.push(...waiting);
    waiting = [];
  }
  return [...moved, ...waiting];
}

/** Each call has an id of its own within its turn, and one result right after it. Some bridges number the calls of each turn anew. */
function checkToolResults(turns: readonly Turn[]): void {
  let open = new Map<string, string>();
  for (const turn of turns) {
    if (turn.role === 'tool') {
      if (!open.delete(turn.toolCallId)) {
        const path = turn.idPaths?.[0] ?? `${turn.path}.tool_call_id`;
        throw invalidAt(path, 'must name a call of the assistant turn before it');
      }
      continue;
    }
    rejectOpen(open);
    open = new Map();
    if (turn.role !== 'assistant') continue;
    for (const [index, { id }] of callsOfBlocks(turn.blocks).entries()) {
      const path = turn.idPaths?.[index] ?? `${turn.path}.tool_calls[${index}].id`;
      if (open.has(id)) throw invalidAt(path, 'must not be used twice in one turn');
      open.set(id, path);
    }
  }
  rejectOpen(open);
}

function rejectOpen(open: ReadonlyMap<string, string>): void {
  const [path] = open.values();
  if (path !== undefined) throw invalidAt(path, 'must have its result right after it');
}

function checkFiles(turns: readonly Turn[]): void {
  const counts = { images: 0, documents: 0 };
  for (const turn of turns) {
    if (turn.role === 'assistant') continue;
    for (const [index, part] of turn.content.entries()) {
      if (part.type === 'text') continue;
      const kind = part.type === 'document' ? 'documents' : 'images';
      const max = kind === 'documents' ? MAX_DOCUMENTS : MAX_IMAGES;
      counts[kind] += 1;
      if (counts[kind] > max) {
        const path = turn.partPaths?.[index] ?? `${turn.path}.content[${index}]`;
        throw invalidAt(path, `must not be: a conversation has at most ${max} ${kind}`);
      }
    }
  }
}

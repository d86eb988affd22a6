// Checks that providers can take a transcript, so that no caller waits and pays for a provider's own error.
import { type ContentPart, callsOfBlocks, type Message, type SystemBlock } from './conversation.ts';
import type { ParsedMessage } from './parse-messages.ts';
import { invalidAt } from './reader.ts';

/** Images in a conversation (Amazon Bedrock takes 20 in a message). */
export const MAX_IMAGES = 20;

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
  const rest = parsed.slice(leading.length);
  checkTurns(rest.filter((message): message is Turn => message.role !== 'system'));
  return {
    system: leading.flatMap((message) => (message.role === 'system' ? [toBlock(message)] : [])),
    messages: behindResults(rest).map(({ path: _path, ...message }): Message => message),
  };
}

function toBlock({ text, cache }: SystemBlock): SystemBlock {
  return { text, ...(cache === undefined ? {} : { cache }) };
}

function checkTurns(turns: readonly Turn[]): void {
  const [first] = turns;
  const last = turns.at(-1);
  if (first === undefined || last === undefined) {
    throw invalidAt('messages', 'must have a message of role user');
  }
  if (first.role !== 'user')
    throw invalidAt(`${first.path}.role`, 'must be user: a conversation begins with one');
  if (last.role === 'assistant')
    throw invalidAt(`${last.path}.role`, 'must be user or tool: the assistant answers');
  checkToolResults(turns);
  checkImages(turns);
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

/** Each call has an id of its own, and one result right after the turn that made it. */
function checkToolResults(turns: readonly Turn[]): void {
  const seen = new Set<string>();
  let open = new Map<string, string>();
  for (const turn of turns) {
    if (turn.role === 'tool') {
      if (!open.delete(turn.toolCallId)) {
        throw invalidAt(`${turn.path}.tool_call_id`, 'must name a call of the assistant message before it');
      }
      continue;
    }
    rejectOpen(open);
    open = new Map();
    if (turn.role !== 'assistant') continue;
    for (const [index, { id }] of callsOfBlocks(turn.blocks).entries()) {
      const path = `${turn.path}.tool_calls[${index}].id`;
      if (seen.has(id)) throw invalidAt(path, 'must not be used twice');
      seen.add(id);
      open.set(id, path);
    }
  }
  rejectOpen(open);
}

function rejectOpen(open: ReadonlyMap<string, string>): void {
  const [path] = open.values();
  if (path !== undefined)
    throw invalidAt(path, 'must have its result in a message of role tool right after it');
}

function checkImages(turns: readonly Turn[]): void {
  let images = 0;
  for (const turn of turns) {
    if (turn.role === 'assistant') continue;
    for (const [index, part] of turn.content.entries()) {
      if (isImage(part)) images += 1;
      if (images > MAX_IMAGES) {
        throw invalidAt(
          `${turn.path}.content[${index}]`,
          `must not be: a conversation has at most ${MAX_IMAGES} images`,
        );
      }
    }
  }
}

function isImage({ type }: ContentPart): boolean {
  return type === 'image' || type === 'imageAddress';
}

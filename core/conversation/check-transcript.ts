// Checks that providers can take a transcript, so that no caller waits and pays for a provider's own error.
import type { Message } from './conversation.ts';
import type { ParsedMessage } from './parse-messages.ts';
import { invalidAt } from './reader.ts';

/** Images in a conversation (Amazon Bedrock takes 20 in a message). */
export const MAX_IMAGES = 20;

type Turn = Message & { readonly path: string };

/** Throws 422 `invalid_input` with the path of the first turn that cannot stand where it is. */
export function checkTranscript(parsed: readonly ParsedMessage[]): readonly Turn[] {
  const turns = parsed.filter((message): message is Turn => message.role !== 'system');
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
  return turns;
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
    for (const [index, { id }] of turn.toolCalls.entries()) {
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
    if (turn.role !== 'user') continue;
    for (const [index, part] of turn.content.entries()) {
      if (part.type === 'image') images += 1;
      if (images > MAX_IMAGES) {
        throw invalidAt(
          `${turn.path}.content[${index}]`,
          `must not be: a conversation has at most ${MAX_IMAGES} images`,
        );
      }
    }
  }
}

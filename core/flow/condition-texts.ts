// The texts in which a condition on the input looks for its patterns.
import {
  type AssistantBlock,
  type ContentPart,
  type Conversation,
  inputOf,
  type Message,
} from '../conversation/conversation.ts';
import { argumentsText } from '../conversation/tool-arguments.ts';
import type { InputCondition } from '../settings/flow-schema.ts';
import { isExactNumber } from '../text/exact-json.ts';
import { isJsonObject } from '../text/json.ts';

type SearchedParts = Pick<Conversation, 'system' | 'messages' | 'tools' | 'schema' | 'variables'>;

/**
 * Each text apart, so that `^` and `$` of a pattern are its ends. `everything`: all that a model call could be sent, whatever member of the
 * request it came in; JSON as it is sent, and as the texts that it stands for, since `\u0061` is sent as `a`.
 */
export function textsOfInput(conversation: SearchedParts, where: InputCondition['in']): readonly string[] {
  if (where === 'lastMessage') return [inputOf(conversation)];
  const { system, messages, tools, schema, variables = [] } = conversation;
  const texts = [
    ...system.map(({ text }) => text),
    ...messages.flatMap(textsOfMessage),
    ...tools.flatMap(textsOfJson),
    ...(schema === undefined ? [] : textsOfJson(schema)),
    ...variables.map(({ text }) => text),
  ];
  return [...new Set(texts)];
}

function textsOfMessage(message: Message): readonly string[] {
  if (message.role === 'system') return [message.text];
  if (message.role === 'tool') return [...joined(message.content.flatMap(textsOfPart)), message.toolCallId];
  const texts =
    message.role === 'assistant'
      ? message.blocks.flatMap(textsOfBlock)
      : message.content.flatMap(textsOfPart);
  const others = message.role === 'assistant' ? message.blocks.flatMap(textsOfCall) : [];
  return [...joined(texts), ...others];
}

/** Providers differ in how they join parts; a pattern must not be split by them. */
function joined(texts: readonly string[]): readonly string[] {
  return [texts.join('\n'), texts.join(''), texts.join(' ')];
}

/** Names and addresses are sent too. */
function textsOfPart(part: ContentPart): readonly string[] {
  if (part.type === 'text') return [part.text];
  if (part.type === 'imageAddress') return [part.url];
  return part.type === 'document' && part.name !== undefined ? [part.name] : [];
}

/** Sealed reasoning can be sent too, and what it says is readable where it has a text. */
function textsOfBlock(block: AssistantBlock): readonly string[] {
  if (block.type === 'text') return [block.text];
  return block.type === 'reasoning' && block.reasoning.text !== undefined ? [block.reasoning.text] : [];
}

function textsOfCall(block: AssistantBlock): readonly string[] {
  if (block.type !== 'toolCall') return [];
  const { id, namespace, name, arguments: input } = block.call;
  return [
    // Some servers write it into the prompt.
    id,
    ...(namespace === undefined ? [] : [namespace]),
    name,
    argumentsText(input),
    ...(typeof input === 'string' ? [] : textsOfJson(input)),
  ];
}

/** JSON text, and all names and values in it, each in a line of its own. */
function textsOfJson(value: unknown): readonly string[] {
  return [JSON.stringify(value), leavesOf(value).join('\n')];
}

/** Names and values in the order in which they are written. Schemas and arguments are bounded in depth where they are parsed. */
function leavesOf(value: unknown): readonly string[] {
  const leaves: string[] = [];
  const visit = (one: unknown): void => {
    if (Array.isArray(one)) for (const entry of one) visit(entry);
    else if (isJsonObject(one)) {
      for (const [name, member] of Object.entries(one)) {
        leaves.push(name);
        visit(member);
      }
    } else leaves.push(isExactNumber(one) ? one.rawJSON : String(one));
  };
  visit(value);
  return leaves;
}

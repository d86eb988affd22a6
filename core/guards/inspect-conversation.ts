// Shows guards every text of a conversation that could reach a model, and gives back the same conversation with what they leave of it.
import type {
  AnswerSchema,
  AssistantBlock,
  ContentPart,
  Conversation,
  EmbeddingInput,
  EmbeddingWish,
  Message,
  ToolCall,
  ToolDefinition,
} from '../conversation/conversation.ts';
import type { VariableValue } from '../conversation/variables/variable-value.ts';
import type { Stage } from '../settings/guards/guards-schema.ts';
import type { JsonObject } from '../text/json.ts';
import type { Place } from './find-counts.ts';
import { mapJson, mapJsonText, withoutEscapes } from './map-json.ts';

/** Texts that a model reads as one, after the guards. As many come back. */
export type InspectPlace = (place: Place, texts: readonly string[]) => readonly string[];

/** Member for member what came in, with other texts. */
export function inspectConversation(conversation: Conversation, inspectSome: InspectPlace): Conversation {
  const inspectAsRead = asRead(inspectSome);
  // Providers take no empty text.
  const inspect: InspectPlace = (place, texts) =>
    inspectAsRead(place, texts).map((text, index) => (text === '' && texts[index] !== '' ? '[...]' : text));
  const { system, messages, tools, schema, parameters, variables, promptCacheKey, ...rest } = conversation;
  const one = (place: Place) => (text: string) => inspect(place, [text])[0] ?? '';
  const ofTools = one({ stage: 'tools' });
  const ofInput = one({ stage: 'input' });
  const texts = inspect(
    { stage: 'system' },
    system.map(({ text }) => text),
  );
  const isKept = promptCacheKey !== undefined && ofInput(promptCacheKey) === promptCacheKey;
  return {
    ...rest,
    system: system.map((block, index) => ({ ...block, text: texts[index] ?? '' })),
    messages: messages.map((message, index) => inspectMessage(message, index, inspect)),
    tools: tools.map((tool) => inspectTool(tool, ofTools)),
    ...(schema === undefined ? {} : { schema: inspectSchema(schema, ofTools) }),
    parameters:
      parameters.stop === undefined ? parameters : { ...parameters, stop: parameters.stop.map(ofInput) },
    ...(variables === undefined ? {} : { variables: inspectVariables(variables, inspect) }),
    ...(isKept ? { promptCacheKey } : {}),
  };
}

/** JSON within a text is shown as a model reads it; where the guards leave it, it stays as it is written. */
function asRead(inspect: InspectPlace): InspectPlace {
  return (place, texts) => {
    const read = texts.map(withoutEscapes);
    const inspected = inspect(place, read);
    return inspected.map((text, index) => (text === read[index] ? (texts[index] ?? '') : text));
  };
}

/** With a blank between them, since a template may put them side by side. */
function inspectVariables(
  variables: readonly VariableValue[],
  inspect: InspectPlace,
): readonly VariableValue[] {
  const ofCaller = variables.filter(({ isOwn }) => isOwn !== true);
  if (ofCaller.length === 0) return variables;
  const shown = ofCaller.flatMap(({ text }, index) => (index === 0 ? [text] : [' ', text]));
  const names = ofCaller.flatMap(({ name }, index) => (index === 0 ? [name] : [undefined, name]));
  const texts = inspect({ stage: 'input', variables: names }, shown);
  return variables.map((value) => {
    const at = ofCaller.indexOf(value);
    return at === -1 ? value : { ...value, text: texts[2 * at] ?? '' };
  });
}

/** Token ids stay: what they say is not seen. */
export function inspectEmbedding(wish: EmbeddingWish, inspectSome: InspectPlace): EmbeddingWish {
  const inspect = asRead(inspectSome);
  const inspectInput = (input: EmbeddingInput, message: number): EmbeddingInput =>
    typeof input === 'string' ? (inspect({ stage: 'input', message }, [input])[0] ?? '') : input;
  return { ...wish, inputs: wish.inputs.map(inspectInput) };
}

function inspectSchema(schema: AnswerSchema, change: (text: string) => string): AnswerSchema {
  const { name, description } = schema;
  return {
    ...schema,
    name: change(name),
    ...(description === undefined ? {} : { description: change(description) }),
    schema: mapJson(schema.schema, change) as JsonObject,
  };
}

function inspectTool(tool: ToolDefinition, change: (text: string) => string): ToolDefinition {
  const { description, parameters } = tool;
  return {
    ...tool,
    ...(description === undefined ? {} : { description: change(description) }),
    parameters: mapJson(parameters, change) as JsonObject,
  };
}

function inspectMessage(message: Message, index: number, inspect: InspectPlace): Message {
  if (message.role === 'system') {
    const [text = ''] = inspect({ stage: 'system', message: index }, [message.text]);
    return { ...message, text };
  }
  if (message.role === 'assistant') {
    return { ...message, blocks: inspectBlocks(message.blocks, { stage: 'input', message: index }, inspect) };
  }
  const stage = message.role === 'tool' ? 'toolResults' : 'input';
  return { ...message, content: inspectParts(message.content, { stage, message: index }, inspect) };
}

function inspectParts(
  parts: readonly ContentPart[],
  place: Place,
  inspect: InspectPlace,
): readonly ContentPart[] {
  const texts = inspect(
    place,
    parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
  );
  let next = 0;
  return parts.map((part) => {
    if (part.type === 'text') {
      const text = texts[next] ?? '';
      next += 1;
      return { ...part, text };
    }
    if (part.type === 'imageAddress') return { ...part, url: inspect(place, [part.url])[0] ?? '' };
    if (part.type !== 'document' || part.name === undefined) return part;
    return { ...part, name: inspect(place, [part.name])[0] ?? '' };
  });
}

/** A thought that is signed cannot be changed: it is left out. */
function inspectBlocks(
  blocks: readonly AssistantBlock[],
  place: Place,
  inspect: InspectPlace,
): readonly AssistantBlock[] {
  const texts = inspect(
    place,
    blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])),
  );
  let next = 0;
  return blocks.flatMap((block): readonly AssistantBlock[] => {
    if (block.type === 'text') {
      const text = texts[next] ?? '';
      next += 1;
      return [{ ...block, text }];
    }
    if (block.type === 'toolCall') return [{ ...block, call: inspectCall(block.call, place, inspect) }];
    const { text } = block.reasoning;
    return text === undefined || inspect(place, [text])[0] === text ? [block] : [];
  });
}

/** Its arguments: texts, names of members, and numbers. */
export function inspectCall(call: ToolCall, place: Place, inspect: InspectPlace): ToolCall {
  const change = (text: string) => inspect(place, [text])[0] ?? '';
  return { ...call, arguments: mapJson(call.arguments, change) as ToolCall['arguments'] };
}

/** Where a conversation has content that no guard in process can look at: images, documents, sealed thoughts without a text. */
export function findUnseen({ messages }: Pick<Conversation, 'messages'>): readonly Place[] {
  return messages.flatMap((message, index): readonly Place[] => {
    const stage = message.role === 'tool' ? 'toolResults' : 'input';
    return isUnseen(message) ? [{ stage, message: index }] : [];
  });
}

function isUnseen(message: Message): boolean {
  if (message.role === 'system') return false;
  return message.role === 'assistant'
    ? message.blocks.some((block) => block.type === 'reasoning' && block.reasoning.text === undefined)
    : message.content.some(({ type }) => type !== 'text');
}

/** Stages of members that an answer repeats; the others are of the input. */
const REPEATED: Readonly<Record<string, Stage>> = { instructions: 'system', tools: 'tools', text: 'tools' };

/** Members of the request that its answer repeats: an idempotency key keeps them. */
export function inspectRepeated(repeated: object, inspectSome: InspectPlace): object {
  const inspect = asRead(inspectSome);
  const members = Object.entries(repeated).map(([name, member]) => {
    const stage = REPEATED[name] ?? 'input';
    const change = (text: string) => inspect({ stage }, [text])[0] ?? '';
    // Values of variables are JSON within a text of the metadata, which may write them otherwise.
    const changeText = name === 'metadata' ? (text: string) => change(mapJsonText(text, change)) : change;
    return [name, mapJson(member, changeText)] as const;
  });
  return Object.fromEntries(members);
}

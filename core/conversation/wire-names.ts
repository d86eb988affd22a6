// Names of tools as providers take them: no provider but OpenAI's Responses knows namespaces, so both names are joined, and told apart again in an answer.
import type { Conversation, Message, ToolCall, ToolDefinition } from './conversation.ts';

/** The longest name that every provider takes. */
const MAX_LENGTH = 64;

type Named = Pick<ToolCall, 'namespace' | 'name'>;

/** The names of one conversation's tools. */
export interface WireNames {
  toWire(tool: Named): string;
  /** A call as its caller knows it. A name of no tool stays as it is. */
  fromWire(call: ToolCall): ToolCall;
}

/** A tool without a namespace keeps its name; the others get `namespace__name`, cut to 64 characters and unlike every other. */
export function nameTools(tools: readonly ToolDefinition[]): WireNames {
  const taken = new Set(tools.flatMap(({ namespace, name }) => (namespace === undefined ? [name] : [])));
  const wireNames = new Map<string, string>();
  const tellers = new Map<string, Named>();
  for (const { namespace, name } of tools) {
    if (namespace === undefined) continue;
    const wire = unlike(taken, join({ namespace, name }));
    taken.add(wire);
    wireNames.set(keyOf({ namespace, name }), wire);
    tellers.set(wire, { namespace, name });
  }
  return {
    toWire: (tool) =>
      tool.namespace === undefined
        ? tool.name
        : (wireNames.get(keyOf(tool)) ?? join(tool).slice(0, MAX_LENGTH)),
    fromWire(call) {
      const told = tellers.get(call.name);
      return told === undefined ? call : { ...call, ...told };
    },
  };
}

/** Tools, choice and calls of a conversation under the names that providers take; the same object where no tool has a namespace. */
export function withWireNames<Part extends Pick<Conversation, 'tools' | 'toolChoice' | 'messages'>>(
  part: Part,
  { toWire }: WireNames,
): Part {
  const { tools, toolChoice, messages } = part;
  const hasNamespace =
    tools.some(({ namespace }) => namespace !== undefined) || messages.some(callsNamespace);
  if (!hasNamespace) return part;
  return {
    ...part,
    tools: tools.map((tool) => rename(tool, toWire)),
    messages: messages.map((message) => renameCalls(message, toWire)),
    ...(typeof toolChoice === 'object' ? { toolChoice: { name: toWire(toolChoice) } } : {}),
  };
}

function rename<Tool extends Named>({ namespace, ...tool }: Tool, toWire: WireNames['toWire']) {
  return { ...tool, name: toWire({ ...(namespace === undefined ? {} : { namespace }), name: tool.name }) };
}

function callsNamespace(message: Message): boolean {
  if (message.role !== 'assistant') return false;
  return message.blocks.some((block) => block.type === 'toolCall' && block.call.namespace !== undefined);
}

function renameCalls(message: Message, toWire: WireNames['toWire']): Message {
  if (message.role !== 'assistant') return message;
  return {
    ...message,
    blocks: message.blocks.map((block) =>
      block.type === 'toolCall' ? { ...block, call: rename(block.call, toWire) } : block,
    ),
  };
}

function join({ namespace = '', name }: Named): string {
  return `${namespace}__${name}`;
}

function keyOf({ namespace = '', name }: Named): string {
  return JSON.stringify([namespace, name]);
}

function unlike(taken: ReadonlySet<string>, wanted: string): string {
  const whole = wanted.slice(0, MAX_LENGTH);
  if (!taken.has(whole)) return whole;
  for (let number = 2; ; number += 1) {
    const end = `_${number}`;
    const other = wanted.slice(0, MAX_LENGTH - end.length) + end;
    if (!taken.has(other)) return other;
  }
}

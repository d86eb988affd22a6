// The loop of an agent: calls a neuron, runs the tools that the model calls, and sends their results until it calls none.
import type { NeuronClient } from './client.ts';
import type { NeuronJsonSchema, NeuronMessage } from './conversation.ts';
import type { CallNeuronOptions, NeuronResponse, NeuronToolCall } from './types.ts';

/** A tool with its function. */
export interface RunnableTool {
  readonly name: string;
  readonly description?: string | undefined;
  /** The arguments, as a JSON Schema. @default none */
  readonly parameters?: NeuronJsonSchema | undefined;
  /** The model wrote the arguments: check them. A result that is not text is sent as JSON; an error ends the loop. */
  readonly run: (args: Readonly<Record<string, unknown>>) => unknown;
}

/** Options of a loop: those of a call, with tools that can be run. With `idempotent` each call of the loop has a key of its own. */
export type RunToolsOptions = Omit<
  CallNeuronOptions,
  'tools' | 'rawOutput' | 'input' | 'messages' | 'idempotencyKey'
> & {
  /** The user's text. Not with `messages`. */
  readonly input?: string | undefined;
  /** The conversation so far, which ends with a user's message. Not with `input`. */
  readonly messages?: readonly NeuronMessage[] | undefined;
  readonly tools: readonly RunnableTool[];
  /** The most calls of the neuron. @default 10 */
  readonly maxCalls?: number | undefined;
};

/** The last answer, with the conversation that led to it. */
export interface RunToolsResult extends NeuronResponse {
  /** The whole conversation without the last answer. To go on, send it with that answer. */
  readonly messages: readonly NeuronMessage[];
  /** Calls of the neuron. */
  readonly calls: number;
}

/** The model wanted tools in every call. A class so that it is an `Error` with a stack and the conversation so far. */
export class ToolLoopError extends Error {
  /** The conversation, the last calls and their results included. */
  declare readonly messages: readonly NeuronMessage[];

  constructor(calls: number, messages: readonly NeuronMessage[]) {
    super(`The model still wanted tools after ${calls} calls. Raise maxCalls, or look at what it asks for.`);
    Object.assign(this, { name: 'ToolLoopError', messages });
  }
}

/**
 * Calls a neuron until its model wants no more tools. Calls of one answer run at the same time.
 *
 * Throws `ToolLoopError` when it wants tools in all of `maxCalls` calls, and whatever a call or a tool throws.
 *
 * @example
 * const { output } = await runTools(client, 'acme', 'agent', {
 *   input: 'What is the weather in Bern?',
 *   tools: [{ name: 'weather', parameters: { type: 'object' }, run: () => 'sunny' }],
 * });
 */
export async function runTools(
  client: Pick<NeuronClient, 'callNeuron'>,
  organization: string,
  neuron: string,
  { input = '', messages: args, tools, maxCalls = 10, ...options }: RunToolsOptions,
): Promise<RunToolsResult> {
  let messages: readonly NeuronMessage[] = args ?? [{ role: 'user', content: input }];
  const sent = tools.map(({ run: _run, ...tool }) => ({ type: 'function' as const, function: tool }));
  for (let calls = 1; calls <= maxCalls; calls += 1) {
    const call = { ...options, messages, tools: sent } as CallNeuronOptions & { readonly rawOutput?: false };
    const answer = await client.callNeuron(organization, neuron, call);
    const { toolCalls = [] } = answer;
    if (toolCalls.length === 0) return { ...answer, messages, calls };
    const results = await Promise.all(toolCalls.map((one) => toResult(one, tools)));
    messages = [...messages, toAssistantMessage(answer.output, toolCalls), ...results];
  }
  throw new ToolLoopError(maxCalls, messages);
}

function toAssistantMessage(output: string | undefined, calls: readonly NeuronToolCall[]): NeuronMessage {
  return {
    role: 'assistant',
    content: output || null,
    tool_calls: calls.map(({ id, name, arguments: args }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    })),
  };
}

/** Tells the model if it calls an unknown tool. */
async function toResult(call: NeuronToolCall, tools: readonly RunnableTool[]): Promise<NeuronMessage> {
  const tool = tools.find(({ name }) => name === call.name);
  const result = tool === undefined ? `There is no tool ${call.name}.` : await tool.run(call.arguments);
  const content = typeof result === 'string' ? result : (JSON.stringify(result) ?? '');
  return { role: 'tool', tool_call_id: call.id, content };
}

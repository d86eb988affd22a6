// Checks that the steps of a flow accept all parts of a conversation. Others are rejected by name: nothing is dropped in silence.

import { ServiceError } from '../contract/service-error.ts';
import {
  type CallerParameters,
  type Conversation,
  isNamedWish,
  lastUserIndex,
  type Message,
} from '../conversation/conversation.ts';
import type { Acceptable, CallModel, Flow } from '../settings/flow-schema.ts';
import { walkFlow } from '../settings/walk-flow.ts';

/** Stop sequences of a call, the step's and the caller's together: OpenAI takes no more. */
const MAX_STOP_SEQUENCES = 4;

// By the parsed flow, which lives as long as its version is kept in memory.
const known = new WeakMap<Flow, readonly CallModel[]>();

function callsOf(flow: Flow): readonly CallModel[] {
  const calls =
    known.get(flow) ??
    [...walkFlow(flow)].flatMap(({ step }) =>
      step !== undefined && 'callModel' in step ? [step.callModel] : [],
    );
  known.set(flow, calls);
  return calls;
}

/**
 * The names of hints that no step takes: they are left out, since the answer means the same without them. Throws 422: `not_accepted` with the
 * member that no step accepts, and the line to add, `invalid_input` for more stop sequences than a step has room for.
 */
export function requireAccepted(flow: Flow, conversation: Conversation): readonly string[] {
  if (conversation.passed !== undefined) return [];
  const calls = callsOf(flow);
  const accepted = new Set<string>(calls.flatMap(acceptedBy));
  for (const { member, needs, line } of needsOf(conversation)) {
    if (needs.some((one) => accepted.has(one))) continue;
    throw new ServiceError('not_accepted', {
      param: /^"([\w.]+)"/.exec(member)?.[1] ?? '',
      detail: `${member}: this neuron does not accept that. Its operator can add \`${line}\` to a callModel of its flow.`,
    });
  }
  const { stop = [] } = conversation.parameters;
  for (const { accepts, stopSequences = [] } of calls) {
    const all = new Set([...stopSequences, ...stop]);
    if (accepts.includes('parameters') && all.size > MAX_STOP_SEQUENCES) {
      const room = MAX_STOP_SEQUENCES - stopSequences.length;
      throw new ServiceError('invalid_input', {
        param: 'parameters.stop',
        detail: `"parameters.stop" may have at most ${room} entries for this neuron.`,
      });
    }
  }
  return [
    ...(accepted.has('parameters') ? [] : hintsOf(conversation)),
    ...(accepted.has('thinking') ? [] : thoughtsOf(conversation)),
  ];
}

/** True where requests of one form go to their provider as they are. */
export function passesOn(flow: Flow): boolean {
  return callsOf(flow).some(({ accepts }) => accepts.includes('passThrough'));
}

const FILES = ['images', 'documents', 'passThrough'] as const;

/** True where a step takes images or documents, whose size `maxInputBytes` does not bound. */
export function acceptsFiles(flow: Flow): boolean {
  return callsOf(flow).some(({ accepts }) => FILES.some((what) => accepts.includes(what)));
}

/** A step without history has no use for earlier turns, and one with a schema of its own none for the caller's. */
function acceptedBy({ accepts, history, outputSchema, images }: CallModel): readonly string[] {
  return [
    ...accepts.filter(
      (what) => (what !== 'history' || history) && (what !== 'schema' || outputSchema === undefined),
    ),
    ...(accepts.includes('images') && images?.byAddress === true ? [BY_ADDRESS] : []),
  ];
}

const BY_ADDRESS = 'images by address';

/** Parameters that change how an answer is made and not what it means; clients send them by habit. */
const HINTS: ReadonlySet<string> = new Set<keyof CallerParameters>(['reasoningEffort', 'verbosity']);

function hintsOf({ parameters, promptCacheKey }: Conversation): readonly string[] {
  const names = Object.keys(parameters).filter((name) => HINTS.has(name));
  return [
    ...names.map((name) => `parameters.${name}`),
    ...(promptCacheKey === undefined ? [] : ['promptCacheKey']),
  ];
}

/** An answer means the same without them. */
function thoughtsOf({ messages, thinking }: Conversation): readonly string[] {
  return [
    ...(usedIn(messages).has('reasoning') ? ['messages[].reasoning'] : []),
    ...(isNamedWish(thinking) ? ['thinking'] : []),
  ];
}

interface Need {
  /** The quoted path, with words about it. */
  readonly member: string;
  /** One of these is enough. */
  readonly needs: readonly string[];
  /** The line of a `callModel` that takes it. */
  readonly line: string;
}

function need(isThere: boolean, member: string, ...needs: readonly Acceptable[]): readonly Need[] {
  return isThere ? [{ member, needs, line: `accepts: [${needs[0]}]` }] : [];
}

/** The members of the request that need acceptance, in the order of their errors. */
function needsOf(conversation: Conversation): readonly Need[] {
  const { system, messages, tools, toolChoice, schema, json, parameters, thinking } = conversation;
  const { parallelToolCalls, ...others } = parameters;
  const parameter = Object.keys(others).find((name) => !HINTS.has(name));
  const used = usedIn(messages);
  const last = lastUserIndex(messages);
  const hasEarlier = last > 0 || (last === -1 && messages.length > 0);
  const isBegun = messages.at(-1)?.role === 'assistant';
  return [
    ...need(system.length > 0 || used.has('system'), '"messages" with role system or developer', 'system'),
    ...need(hasEarlier, '"messages" with earlier turns', 'history'),
    ...need(isBegun, '"messages" with the assistant last', 'history'),
    ...need(used.has('image') || used.has('imageAddress'), '"messages" with an image_url', 'images'),
    ...needAddress(used.has('imageAddress')),
    ...need(used.has('document'), '"messages" with a file', 'documents'),
    ...need(used.has('tool') || used.has('toolCall'), '"messages" with tool calls or results', 'tools'),
    ...need(tools.length > 0, '"tools"', 'tools'),
    ...need(toolChoice !== undefined, '"toolChoice"', 'tools'),
    ...need(schema !== undefined, '"responseFormat"', 'schema'),
    ...need(json === true, '"responseFormat"', 'schema', 'parameters'),
    ...need(thinking?.mode === 'budget', '"thinking"', 'thinking'),
    ...need(parallelToolCalls === false, '"parameters.parallelToolCalls"', 'tools', 'parameters'),
    ...need(parameter !== undefined, `"parameters.${parameter}"`, 'parameters'),
  ];
}

function needAddress(isThere: boolean): readonly Need[] {
  if (!isThere) return [];
  const member = '"messages" with an image by its address';
  return [{ member, needs: [BY_ADDRESS], line: 'images: { byAddress: true }' }];
}

/** Roles and types of parts and blocks that occur. */
function usedIn(messages: readonly Message[]): ReadonlySet<string> {
  const used = new Set<string>();
  for (const message of messages) {
    used.add(message.role);
    if (message.role === 'system') continue;
    for (const { type } of message.role === 'assistant' ? message.blocks : message.content) used.add(type);
  }
  return used;
}

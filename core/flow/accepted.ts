// Checks that the steps of a flow accept all parts of a conversation. Others are rejected by name: nothing is dropped in silence.

import { ServiceError } from '../contract/service-error.ts';
import { type Conversation, lastUserIndex, type Message } from '../conversation/conversation.ts';
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

/** Throws 422: `not_accepted` with the member that no step accepts, `invalid_input` for more stop sequences than a step has room for. */
export function requireAccepted(flow: Flow, conversation: Conversation): void {
  const calls = callsOf(flow);
  const accepted = new Set(calls.flatMap(acceptedBy));
  for (const { member, needs } of needsOf(conversation)) {
    if (!accepted.has(needs)) {
      throw new ServiceError('not_accepted', {
        param: /^"([\w.]+)"/.exec(member)?.[1] ?? '',
        detail: `${member}: this neuron does not accept that.`,
      });
    }
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
}

/** True where a step takes images or documents, whose size `maxInputBytes` does not bound. */
export function acceptsFiles(flow: Flow): boolean {
  return callsOf(flow).some(({ accepts }) => accepts.includes('images') || accepts.includes('documents'));
}

/** A step without history has no use for earlier turns, and one with a schema of its own none for the caller's. */
function acceptedBy({ accepts, history, outputSchema }: CallModel): readonly Acceptable[] {
  return accepts.filter(
    (what) => (what !== 'history' || history) && (what !== 'schema' || outputSchema === undefined),
  );
}

/** The members of the request that need acceptance, in the order of their errors. */
function needsOf(conversation: Conversation): { readonly member: string; readonly needs: Acceptable }[] {
  const { system, messages, tools, toolChoice, schema, parameters } = conversation;
  const [parameter] = Object.keys(parameters);
  const used = usedIn(messages);
  const needs: readonly (readonly [boolean, string, Acceptable])[] = [
    [system.length > 0 || used.has('system'), '"messages" with role system or developer', 'system'],
    [lastUserIndex(messages) > 0, '"messages" with earlier turns', 'history'],
    [used.has('image') || used.has('imageAddress'), '"messages" with an image_url', 'images'],
    [used.has('document'), '"messages" with a file', 'documents'],
    [used.has('tool') || used.has('toolCall'), '"messages" with tool calls or results', 'tools'],
    [tools.length > 0, '"tools"', 'tools'],
    [toolChoice !== undefined, '"toolChoice"', 'tools'],
    [schema !== undefined, '"responseFormat"', 'schema'],
    [parameter !== undefined, `"parameters.${parameter}"`, 'parameters'],
  ];
  return needs.flatMap(([isThere, member, what]) => (isThere ? [{ member, needs: what }] : []));
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

// Ids and arguments of tool calls as providers send them.
import { randomUUID } from 'node:crypto';
import type { ToolCall } from '../../core/conversation/conversation.ts';
import { parseArguments, type ToolArguments } from '../../core/conversation/tool-arguments.ts';
import { ProviderFailure, type TokenUsage } from '../../core/ports/providers.ts';
import { isDeeper, MAX_VALUE_DEPTH } from '../../core/text/depth.ts';
import { isJsonObject } from '../../core/text/json.ts';

/** A text where the model wrote no object. Undefined where there is nothing. */
function toToolArguments(input: unknown): ToolArguments | undefined {
  if (input === undefined || input === null) return undefined;
  if (typeof input === 'string') return parseArguments(input.toWellFormed());
  return isJsonObject(input) ? input : JSON.stringify(input);
}

/** A whole answer that is being read: its status and usage, and the ids of its calls. */
export interface AnswerReport {
  readonly status: number;
  readonly usage: TokenUsage | undefined;
  readonly toId: ToCallId;
}

/**
 * A call of a whole answer. Throws `ProviderFailure` `malformed_answer` for one without id, name or arguments, or with arguments that are
 * nested too deep: the model wrote that, and its provider is well.
 */
export function readCall(
  { id, name, input }: Readonly<Record<'id' | 'name' | 'input', unknown>>,
  { status, usage, toId }: AnswerReport,
): ToolCall {
  // Before arguments that are a list are written as a text.
  const options = isDeeper(input, MAX_VALUE_DEPTH) ? undefined : toToolArguments(input);
  const isCall = typeof id === 'string' && typeof name === 'string' && options !== undefined;
  if (!isCall || isDeeper(options, MAX_VALUE_DEPTH)) {
    throw new ProviderFailure('malformed_answer', { status, usage, isOfModel: true });
  }
  return { id: toId(id), name, arguments: options };
}

const CALL_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** The id of a call as callers may send it back. To be asked once for each call. */
export type ToCallId = (id: string | undefined) => string;

/** For one answer. A call gets a new id where the provider gave none, one of another shape, or that of a call before it. */
export function createCallIds(): ToCallId {
  const taken = new Set<string>();
  return (id) => {
    const isFree = id !== undefined && CALL_ID.test(id) && !taken.has(id);
    const own = isFree ? id : `call_${randomUUID().replaceAll('-', '')}`;
    taken.add(own);
    return own;
  };
}

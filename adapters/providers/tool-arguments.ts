// Ids and arguments of tool calls as providers send them.
import { randomUUID } from 'node:crypto';
import type { ToolCall } from '../../core/conversation/conversation.ts';
import { parseArguments, type ToolArguments } from '../../core/conversation/tool-arguments.ts';
import { ProviderFailure, type TokenUsage } from '../../core/ports/providers.ts';
import { isJsonObject } from '../../core/text/json.ts';

/** A text where the model wrote no object. Undefined where there is nothing. */
function toToolArguments(input: unknown): ToolArguments | undefined {
  if (input === undefined || input === null) return undefined;
  if (typeof input === 'string') return parseArguments(input.toWellFormed());
  return isJsonObject(input) ? input : JSON.stringify(input);
}

/** A call of a whole answer. Undefined for one without id, name or arguments. */
export function toToolCall(id: unknown, name: unknown, input: unknown): ToolCall | undefined {
  const options = toToolArguments(input);
  if (typeof id !== 'string' || typeof name !== 'string' || options === undefined) return undefined;
  return { id: toCallId(id), name, arguments: options };
}

/** The status of a whole answer, and its usage. */
export interface AnswerReport {
  readonly status: number;
  readonly usage: TokenUsage | undefined;
}

/** Throws `ProviderFailure` `malformed_answer` without a call: the model wrote that, and its provider is well. */
export function requireCall(call: ToolCall | undefined, report: AnswerReport): ToolCall {
  if (call === undefined) throw new ProviderFailure('malformed_answer', { ...report, isOfModel: true });
  return call;
}

const CALL_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** The id of a call as callers may send it back; a new one where the provider gave none, or one of another shape. */
export function toCallId(id: string | undefined): string {
  return id !== undefined && CALL_ID.test(id) ? id : `call_${randomUUID().replaceAll('-', '')}`;
}

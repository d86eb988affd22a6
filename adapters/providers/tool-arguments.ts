// Ids and arguments of tool calls as providers send them.
import { randomUUID } from 'node:crypto';
import { type JsonObject, toJsonObject } from '../../core/text/json.ts';

/** An empty text means no arguments. Undefined for text that is cut, or no object. */
export function parseToolArguments(text: unknown): JsonObject | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return toJsonObject(text === '' ? {} : JSON.parse(text));
  } catch {
    return undefined;
  }
}

const CALL_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** The id of a call as callers may send it back; a new one where the provider gave none, or one of another shape. */
export function toCallId(id: string | undefined): string {
  return id !== undefined && CALL_ID.test(id) ? id : `call_${randomUUID().replaceAll('-', '')}`;
}

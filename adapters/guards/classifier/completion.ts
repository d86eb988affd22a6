// Reads the text of a completion that holds a verdict.
import * as z from 'zod/mini';
import { GuardFailure } from '../../../core/ports/guards.ts';

/** Others end an answer before it is whole. Compatible servers have reasons of their own, or none. */
const CUT = new Set(['length', 'content_filter', 'tool_calls']);

const chat = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string() }),
        finish_reason: z.optional(z.nullable(z.string())),
      }),
    )
    .check(z.length(1)),
});

/** Throws `GuardFailure` `unreadable` for anything but one whole text. */
export function chatTextOf(json: unknown): string {
  const { success, data } = chat.safeParse(json);
  const choice = data?.choices[0];
  if (!success || choice === undefined || CUT.has(choice.finish_reason ?? '')) throw unreadable();
  return choice.message.content.trim();
}

export function unreadable(): GuardFailure {
  return new GuardFailure('unreadable', 200);
}

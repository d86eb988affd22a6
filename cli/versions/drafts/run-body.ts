// The request of a run: an input or a conversation, and values of variables.
import type { JsonObject } from '../../../core/text/json.ts';
import { readMessages } from '../../call/call-messages.ts';
import type { VariableValues } from '../../call/parse-variable.ts';
import { usageFailure } from '../../output/failure.ts';
import type { Terminal } from '../../output/terminal.ts';

interface BodyOptions {
  readonly input: string | undefined;
  readonly messages: string | undefined;
  readonly var: VariableValues | undefined;
}

/** Throws `CommandFailure` where there is nothing to send. */
export async function readBody(
  { input, messages, var: variables }: BodyOptions,
  terminal: Terminal,
): Promise<JsonObject> {
  if (messages === undefined && input === undefined && variables === undefined)
    throw usageFailure('There is no input.', 'Pass --input TEXT or --messages FILE.');
  const content: JsonObject =
    messages === undefined ? { input: input ?? '' } : { ...(await readMessages(messages, terminal)) };
  const values = { ...(content['variables'] as VariableValues | undefined), ...variables };
  return Object.keys(values).length === 0 ? content : { ...content, variables: values };
}

// Turns whole answers of models into sequences of events, and back.
import type { ToolCall } from '../conversation/conversation.ts';
import { type ModelEvent, type ModelResult, ProviderFailure } from './providers.ts';

/** An answer as its events, its text in one piece unless `texts` are its pieces. */
export function* toModelEvents(
  { text, toolCalls = [], usage, finish, modelVersion }: ModelResult,
  texts: Iterable<string> = text === '' ? [] : [text],
): Generator<ModelEvent> {
  for (const piece of texts) yield { type: 'text', text: piece };
  for (const call of toolCalls) yield { type: 'toolCall', call };
  yield { type: 'end', finish, usage, modelVersion };
}

/** The answer of a sequence of events. Throws what the sequence throws, and `ProviderFailure` `truncated` without an end. */
export async function collectModelEvents(events: AsyncIterable<ModelEvent>): Promise<ModelResult> {
  const texts: string[] = [];
  const toolCalls: ToolCall[] = [];
  for await (const event of events) {
    if (event.type === 'text') texts.push(event.text);
    else if (event.type === 'toolCall') toolCalls.push(event.call);
    else if (event.type === 'end') {
      const { finish, usage, modelVersion } = event;
      const calls = toolCalls.length === 0 ? {} : { toolCalls };
      return { text: texts.join(''), ...calls, finish, usage, modelVersion };
    }
  }
  throw new ProviderFailure('truncated');
}

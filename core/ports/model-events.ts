// Turns whole answers of models into sequences of events, and back.
import type { ToolCall } from '../conversation/conversation.ts';
import { type AnswerBlock, type ModelEvent, type ModelResult, ProviderFailure } from './providers.ts';

/** An answer as its events, its text in one piece unless `texts` are its pieces. */
export function* toModelEvents(
  { text, toolCalls = [], blocks, usage, finish, modelVersion, passed }: ModelResult,
  texts: Iterable<string> = text === '' ? [] : [text],
): Generator<ModelEvent> {
  if (blocks !== undefined) yield* blocks.map(toModelEvent);
  else {
    for (const piece of texts) yield { type: 'text', text: piece };
    for (const call of toolCalls) yield { type: 'toolCall', call };
  }
  yield { type: 'end', finish, usage, modelVersion, ...(passed === undefined ? {} : { passed }) };
}

function toModelEvent(block: AnswerBlock): ModelEvent {
  return block.type === 'text' ? { type: 'text', text: block.text } : block;
}

/** The answer of a sequence of events. Throws what the sequence throws, and `ProviderFailure` `truncated` without an end. */
export async function collectModelEvents(events: AsyncIterable<ModelEvent>): Promise<ModelResult> {
  const collected = collectBlocks();
  for await (const event of events) {
    if (event.type === 'end') return collected.result(event);
    collected.add(event);
  }
  throw new ProviderFailure('truncated');
}

/** The pieces of an answer so far. */
export interface CollectedBlocks {
  /** Events without output add nothing. */
  add(event: Exclude<ModelEvent, { type: 'end' }>): void;
  result(end: Extract<ModelEvent, { type: 'end' }>): ModelResult;
}

export function collectBlocks(): CollectedBlocks {
  const texts: string[] = [];
  const toolCalls: ToolCall[] = [];
  const blocks: (Exclude<AnswerBlock, { type: 'text' }> | string[])[] = [];
  let hasThoughts = false;
  return {
    add(event) {
      if (event.type === 'text') {
        texts.push(event.text);
        const last = blocks.at(-1);
        if (Array.isArray(last)) last.push(event.text);
        else blocks.push([event.text]);
      } else if (event.type === 'toolCall' || event.type === 'thought') {
        blocks.push(event);
        if (event.type === 'toolCall') toolCalls.push(event.call);
        else hasThoughts = true;
      }
    },
    result: ({ finish, usage, modelVersion, passed }) => ({
      text: texts.join(''),
      ...(toolCalls.length === 0 ? {} : { toolCalls }),
      ...(hasThoughts ? { blocks: blocks.map(toBlock) } : {}),
      finish,
      usage,
      modelVersion,
      ...(passed === undefined ? {} : { passed }),
    }),
  };
}

/** Pieces of text in a row are one block. */
function toBlock(block: Exclude<AnswerBlock, { type: 'text' }> | readonly string[]): AnswerBlock {
  return 'type' in block ? block : { type: 'text', text: block.join('') };
}

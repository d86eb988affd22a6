// One call of a tool at most, for an API that cannot be asked for it: the first call stands, the others are dropped.
import type { ModelEvent, ModelResult } from '../../core/ports/providers.ts';

interface Wish {
  readonly parallelToolCalls?: boolean;
}

/** The answer with its first call alone, where the request wants no more. */
export function withFewerCalls(result: ModelResult, { parallelToolCalls }: Wish): ModelResult {
  const { toolCalls, blocks } = result;
  if (parallelToolCalls !== false || toolCalls === undefined) return result;
  const first = blocks?.find(({ type }) => type === 'toolCall');
  const kept = blocks?.filter((block) => block.type !== 'toolCall' || block === first);
  return { ...result, toolCalls: toolCalls.slice(0, 1), ...(kept === undefined ? {} : { blocks: kept }) };
}

/** The same for a stream. */
export async function* withoutOtherCalls(
  events: AsyncIterable<ModelEvent> | Iterable<ModelEvent>,
  { parallelToolCalls }: Wish,
): AsyncGenerator<ModelEvent, void, void> {
  let calls = 0;
  for await (const event of events) {
    if (event.type === 'toolCall') calls += 1;
    // A call that is dropped is output all the same: it ends a silence.
    const isOther = event.type === 'toolCall' && calls > 1 && parallelToolCalls === false;
    yield isOther ? { type: 'progress' } : event;
  }
}

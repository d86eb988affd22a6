// At most one call of a tool, for an API that cannot be asked for it.
import { describe, expect, it } from 'vitest';
import { withFewerCalls, withoutOtherCalls } from '../../../adapters/providers/single-call.ts';
import { collectModelEvents, toModelEvents } from '../../../core/ports/model-events.ts';
import type { ModelResult } from '../../../core/ports/providers.ts';

const call = (id: string) => ({ id, name: 'f', arguments: {} });
const result: ModelResult = {
  text: 'Two.',
  toolCalls: [call('a'), call('b'), call('c')],
  finish: 'toolCalls',
  usage: { input: 1, output: 9 },
  modelVersion: undefined,
};

describe('an answer with several calls', () => {
  it('keeps the first one where the caller wants one, whole and streamed', async () => {
    const one = { ...result, toolCalls: [call('a')] };
    const wish = { parallelToolCalls: false };
    expect(withFewerCalls(result, wish)).toEqual(one);
    expect(await collectModelEvents(withoutOtherCalls(toModelEvents(result), wish))).toEqual(one);
  });

  it.each([{}, { parallelToolCalls: true }])('keeps all of them else: %j', async (wish) => {
    expect(withFewerCalls(result, wish)).toEqual(result);
    expect(await collectModelEvents(withoutOtherCalls(toModelEvents(result), wish))).toEqual(result);
  });
});

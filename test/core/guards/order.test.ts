// The order of guards decides nothing: of their finds, what they leave of texts and what they block, however their finds overlap.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ActiveGuard, activeGuards, NO_TOOLS } from '../../../core/guards/active-guards.ts';
import { type Block, strictest } from '../../../core/guards/block.ts';
import { createCallIds } from '../../../core/guards/calls/call-ids.ts';
import { createFindCounts } from '../../../core/guards/find-counts.ts';
import { inspectTexts } from '../../../core/guards/inspect-texts.ts';
import { createPlaceholders } from '../../../core/guards/placeholders.ts';
import { guardSink } from '../../../core/guards/stream/guard-sink.ts';
import type { Organization } from '../../../core/settings/organization-schema.ts';

/** Patterns whose finds overlap, lie within each other, touch and are the same. */
const library = {
  one: { type: 'patterns', deny: ['abc', 'cab'], caseSensitive: false },
  two: { type: 'patterns', deny: ['bca', 'b'], caseSensitive: false },
  three: { type: 'patterns', deny: ['c{1,4}', 'abc'], caseSensitive: false },
  mails: { type: 'pii', entities: ['email'] },
} as const satisfies Organization['guards'];

const on = ['input' as const, 'output' as const];
const use = fc.record({
  use: fc.constantFrom('one', 'two', 'three', 'mails'),
  action: fc.constantFrom('block' as const, 'redact' as const, 'mask' as const, 'flag' as const),
  text: fc.constantFrom('No.', 'Never.', undefined),
  restore: fc.constantFrom<readonly ('output' | 'toolCalls')[]>(['output'], ['output', 'toolCalls'], []),
});
const uses = fc.array(use, { minLength: 2, maxLength: 5 });
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', 'a@b.cc', 'x@abc.cab '), maxLength: 14 });

const withGuards = (list: readonly object[]): readonly ActiveGuard[] =>
  activeGuards(
    { organization: { guards: library }, neuron: { guards: list.map((one) => ({ on, ...one })) as never } },
    NO_TOOLS,
  );

function stateOf(guards: readonly ActiveGuard[]) {
  const blocks: (Block & { readonly name: string })[] = [];
  const state = {
    ...{ guards, placeholders: createPlaceholders('key'), counts: createFindCounts() },
    callIds: createCallIds(guards),
    validateJson: async () => undefined,
    block: ({ name, text }: ActiveGuard, place: Block['place']) => blocks.push({ name, text, place }),
  };
  return { state, blocks };
}

function whole(guards: readonly ActiveGuard[], texts: readonly string[]) {
  const { state, blocks } = stateOf(guards);
  const left = inspectTexts(state, { stage: 'input' }, texts);
  const masks = left.join().match(/[A-Z]+_[A-Z2-7]{8}/g) ?? [];
  return {
    left,
    blocked: strictest(blocks),
    counts: state.counts.list().map((one) => JSON.stringify(one)),
    restored: masks.map((mask) =>
      (['output', 'toolCalls'] as const).map((where) => state.placeholders.valueOf(mask, where)),
    ),
  };
}

async function streamed(guards: readonly ActiveGuard[], texts: readonly string[]) {
  let left = '';
  const { state } = stateOf(guards);
  const { sink, blockedText } = guardSink(
    {
      text: async (piece) => {
        left += piece;
      },
      toolCall: async () => undefined,
    },
    state,
  );
  const isBlocked = await (async () => {
    for (const piece of texts) await sink.text(piece);
    await sink.end?.();
  })().then(
    () => false,
    () => true,
  );
  return { left, isBlocked, text: blockedText() };
}

const orders = <One>(list: readonly One[]): readonly (readonly One[])[] => [
  list.toReversed(),
  [...list.slice(1), ...list.slice(0, 1)],
  list.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
];

it('is decided by no order of the guards, whole', () => {
  const property = fc.property(uses, fc.array(text, { minLength: 1, maxLength: 3 }), (list, texts) => {
    const first = whole(withGuards(list), texts);
    for (const order of orders(list)) {
      const other = whole(withGuards(order), texts);
      expect({ ...other, counts: other.counts.toSorted() }).toEqual({
        ...first,
        counts: first.counts.toSorted(),
      });
    }
  });
  fc.assert(property, { numRuns: 1_000 });
});

it('is decided by no order of the guards in a stream, which is blocked where the whole is', async () => {
  const property = fc.asyncProperty(uses, fc.array(text, { maxLength: 5 }), async (list, pieces) => {
    const unmasked = list.map((one) => (one.action === 'mask' ? { ...one, action: 'redact' } : one));
    const first = await streamed(withGuards(unmasked), pieces);
    const { left, blocked } = whole(withGuards(unmasked), [pieces.join('')]);
    expect(first.isBlocked).toBe(blocked !== undefined);
    if (first.isBlocked) expect(left[0]?.startsWith(first.left)).toBe(true);
    else expect(first.left).toBe(left[0]);
    for (const order of orders(unmasked)) expect(await streamed(withGuards(order), pieces)).toEqual(first);
  });
  await fc.assert(property, { numRuns: 500 });
});

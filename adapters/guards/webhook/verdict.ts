// Reads the verdict of a webhook. A member that nobody knows is an error: it may be a misspelt one that was to stop a text.
import * as z from 'zod/mini';
import {
  GuardFailure,
  type GuardVerdict,
  type InspectedText,
  type ServiceFind,
} from '../../../core/ports/guards.ts';
import { spansOf } from '../code-points.ts';

const MAX_FINDS = 1_000;

const find = z.strictObject({
  type: z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9_]{0,31}$/)),
  text: z.number(),
  start: z.optional(z.number()),
  end: z.optional(z.number()),
});

const answer = z.discriminatedUnion('verdict', [
  z.strictObject({ verdict: z.literal('pass') }),
  z.strictObject({
    verdict: z.literal('block'),
    finds: z.optional(z.array(find).check(z.maxLength(MAX_FINDS))),
  }),
]);

const USAGE = { units: { call: 1 } };

/** Throws `GuardFailure` `unreadable`. */
export function readVerdict(json: unknown, texts: readonly InspectedText[]): GuardVerdict {
  const { success, data } = answer.safeParse(json);
  if (!success) throw unreadable();
  if (data.verdict === 'pass') return { verdict: 'none', finds: [], usage: USAGE };
  const places = texts.map(({ text }) => spansOf(text));
  const finds = (data.finds ?? []).map((one) => toFind(one, places));
  return { verdict: 'block', finds, usage: USAGE };
}

/** Places are code points of their text, as most languages count them. */
function toFind(
  { type, text, start, end }: z.output<typeof find>,
  places: readonly ReturnType<typeof spansOf>[],
): ServiceFind {
  const spanAt = places[text];
  if (spanAt === undefined) throw unreadable();
  if (start === undefined && end === undefined) return { entity: type, text };
  const span = spanAt(start ?? Number.NaN, end ?? Number.NaN);
  if (span === undefined) throw unreadable();
  return { entity: type, text, span };
}

function unreadable(): GuardFailure {
  return new GuardFailure('unreadable', 200);
}

// Tags of neurons, API keys and calls: names with values, by which usage is added up. They limit nothing and let nobody in.
import * as z from 'zod/mini';
import { noted } from '../schema-notes.ts';

export const MAX_NEURON_TAGS = 10;
export const MAX_KEY_TAGS = 10;
export const MAX_CALL_TAGS = 5;

/** `team`, `cost-center`, `app.kubernetes.io/name` */
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._/-]{0,62}[A-Za-z0-9])?$/;
/** One line that a terminal can show: no controls, no marks of direction, no half of a surrogate pair. */
const VALUE = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]{1,64}$/u;

const name = z.string().check(
  z.regex(NAME, {
    error: 'must have tags with names of 1 to 64 letters, digits and . _ / - such as cost-center',
  }),
);
const value = z
  .string({ error: 'must be text' })
  .check(z.regex(VALUE, { error: 'must be one line of 1 to 64 characters' }));

/** Values by name. */
export type Tags = Readonly<Record<string, string>>;

export function tagsSchema(maximum: number) {
  return noted(
    z.record(name, value, { error: 'must be tags by name, such as { team: shop }' }).check(
      z.refine((tags) => Object.keys(tags).length <= maximum, {
        error: `must be at most ${maximum} tags`,
      }),
    ),
    { maxProperties: maximum, examples: [{ team: 'shop' }] },
  );
}

/** All tags of a call: its own before those of its key, these before those of its neuron. Undefined for none. */
export function joinTags(
  neuron: Tags | undefined,
  key: Tags | undefined,
  call: Tags | undefined,
): Tags | undefined {
  const tags = Object.fromEntries(
    [neuron, key, call].flatMap((some) => Object.entries(some ?? {})).toSorted(byName),
  );
  return Object.keys(tags).length === 0 ? undefined : tags;
}

function byName([one]: readonly [string, string], [other]: readonly [string, string]): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

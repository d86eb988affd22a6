// A guard by Presidio's analyzer (microsoft.github.io/presidio), a server of one's own that names persons, places and the like.
import * as z from 'zod/mini';
import { members } from '../../members.ts';
import { money, secretReference, url } from '../../scalars.ts';
import { serviceTimeout } from './timeout.ts';

const MAX_ENTITIES = 100;

const entity = z.string().check(
  z.regex(/^[A-Z][A-Z0-9_]{0,31}$/, {
    error: 'must be an entity of Presidio in capitals, such as PERSON or LOCATION',
  }),
);

export const presidio = members({
  type: z.literal('presidio'),
  /** The root of the analyzer: `/analyze` is added. */
  endpoint: url,
  /** Sent as a bearer token, to what stands before the analyzer. */
  apiKey: z.optional(secretReference),
  entities: z.array(entity).check(z.minLength(1), z.maxLength(MAX_ENTITIES)),
  language: z._default(
    z.string().check(z.regex(/^[a-z]{2}$/, { error: 'must be a language of two letters, such as en' })),
    'en',
  ),
  minScore: z._default(
    z
      .number({ error: 'must be a number from 0 to 1' })
      .check(z.minimum(0, { error: 'must be from 0 to 1' }), z.maximum(1, { error: 'must be from 0 to 1' })),
    0.5,
  ),
  timeout: serviceTimeout,
  prices: z.optional(members({ call: money })),
});

export type PresidioGuard = z.output<typeof presidio>;

// The schema of `access`. It takes `false` and empty lists, which `apply` rejects: in the store they allow nothing.
import * as z from 'zod/mini';
import { digestOfParts } from '../text/digest.ts';
import { toAsciiHost } from './host-name.ts';
import { members } from './members.ts';
import { flag, rotatedSecretReference, text, url } from './scalars.ts';
import { needing, noted } from './schema-notes.ts';

/** Signature algorithms by family (RFC 7518, section 3.1; RFC 8037 for EdDSA). */
export const SHARED_SECRET_ALGORITHMS = ['HS256', 'HS384', 'HS512'] as const;
export const JWKS_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const;

const textOrList = z.union([text(1, 1000), z.array(text(1, 1000)).check(z.minLength(1), z.maxLength(20))], {
  error: 'must be text or a list of 1 to 20 texts',
});

/** A path to a member of a token's payload: text split at dots, or a list of member names taken literally. */
const usernamePathSchema = z.union(
  [text(1, 256), z.array(text(1, 256)).check(z.minLength(1), z.maxLength(10))],
  {
    error: 'must be text such as sub, or a list of 1 to 10 member names',
  },
);

/** A condition on callers: their verified token has this claim, and one of these texts as its value. */
export const tokenCondition = members({
  claim: text(1, 256),
  is: z.array(text(1, 256)).check(z.minLength(1), z.maxLength(20)),
});

export type TokenCondition = z.output<typeof tokenCondition>;

/** `tier is free or trial` */
export function renderCondition({ claim, is }: TokenCondition): string {
  return `${claim} is ${is.join(' or ')}`;
}

/** 16 characters that stand for a condition where its claim must not be named. Equal for equal conditions, and for no others. */
export function conditionId({ claim, is }: TokenCondition): string {
  return digestOfParts(['claim condition 1', claim, ...[...new Set(is)].toSorted()]).slice(0, 16);
}

const jwt = noted(
  members({
    jwks: z.optional(noted(z.array(url).check(z.maxLength(5)), { minItems: 1 })),
    sharedSecret: z.optional(rotatedSecretReference),
    algorithms: z.optional(
      z.array(z.enum([...SHARED_SECRET_ALGORITHMS, ...JWKS_ALGORITHMS])).check(z.minLength(1)),
    ),
    issuer: z.optional(textOrList),
    audience: z.optional(textOrList),
    requireExpiry: z._default(flag, true),
    usernamePath: z.optional(usernamePathSchema),
    requireUsername: z._default(flag, false),
    usernameAs: z._default(z.enum(['plain', 'hmac'], { error: 'must be plain or hmac' }), 'plain'),
  }),
  { oneOf: ['jwks', 'sharedSecret'].map(needing) },
);

// Values that `apply` rejects beyond the schema, for editors.
const enabled = noted(z.boolean({ error: 'must be true or false' }), { const: true });
const NOT_EMPTY = { minItems: 1 };
const IPV4_OR_BLOCK = '^[0-9]{1,3}(?:\\.[0-9]{1,3}){3}(?:/[0-9]{1,2})?$';

/** A host, or `*.` and a host, in its ASCII form. */
const refererEntry = z.pipe(
  z.string(),
  z.transform((entry: string) =>
    entry.startsWith('*.') ? `*.${toAsciiHost(entry.slice(2))}` : toAsciiHost(entry),
  ),
);

/** Access control settings of a neuron. */
export const accessSchema = noted(
  members({
    public: z.optional(enabled),
    referers: z.optional(noted(z.array(refererEntry).check(z.maxLength(100)), NOT_EMPTY)),
    ips: z.optional(
      noted(z.array(noted(z.string(), { pattern: IPV4_OR_BLOCK })).check(z.maxLength(1000)), NOT_EMPTY),
    ),
    apiKey: z.optional(enabled),
    jwt: z.optional(jwt),
  }),
  // `public` stands alone.
  { anyOf: [{ maxProperties: 1 }, { properties: { public: false } }] },
);

export type Access = z.output<typeof accessSchema>;
export type JwtAccess = NonNullable<Access['jwt']>;

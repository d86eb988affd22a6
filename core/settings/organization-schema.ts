// The schema of an organization document.
import * as z from 'zod/mini';
import { guardLibrary, guardUses } from './guards/guards-schema.ts';
import { explainKind, members } from './members.ts';
import { headers, query } from './request-headers.ts';
import { duration, integer, label, money, providerName, secretReference, slug, url } from './scalars.ts';
import { organizationLimitSchema } from './usage-limits.ts';

/** The format that this release writes. A release reads every format ever released. */
export const DOCUMENT_FORMAT = 1;

const timeout = z.optional(duration('1s', '4m'));

const echoProvider = members({
  type: z.literal('echo'),
  delay: z.optional(duration('1s', '4m')),
  fail: z.optional(integer(400, 599)),
  wordsPerSecond: z.optional(integer(1, 1_000)),
  breakAfter: z.optional(integer(0, 1_000_000)),
  stallAfter: z.optional(integer(0, 1_000_000)),
  timeout,
});

const lexicalProvider = members({ type: z.literal('lexical'), timeout });

const openaiProvider = members({
  type: z.literal('openai'),
  baseUrl: z._default(url, 'https://api.openai.com/v1'),
  api: z.optional(z.enum(['chat', 'responses'], { error: 'must be chat or responses' })),
  apiKey: z.optional(secretReference),
  auth: z.optional(z.enum(['bearer', 'api-key'], { error: 'must be bearer or api-key' })),
  headers: z.optional(headers),
  query: z.optional(query),
  timeout,
});

const anthropicProvider = members({
  type: z.literal('anthropic'),
  baseUrl: z._default(url, 'https://api.anthropic.com'),
  apiKey: secretReference,
  headers: z.optional(headers),
  timeout,
});

const bedrockProvider = members({
  type: z.literal('bedrock'),
  region: z
    .string()
    .check(z.regex(/^[a-z]{2}(?:-[a-z]+)+-[0-9]$/, { error: 'must be an AWS region, such as us-east-1' })),
  timeout,
});

const providerSchema = z.discriminatedUnion(
  'type',
  [echoProvider, lexicalProvider, openaiProvider, anthropicProvider, bedrockProvider],
  { error: explainKind('type', ['openai', 'anthropic', 'bedrock', 'echo', 'lexical']) },
);

const price = members({
  input: money,
  cachedInput: z.optional(money),
  cacheWrite: z.optional(money),
  cacheWrite1h: z.optional(money),
  output: money,
  reasoning: z.optional(money),
});

const priceKey = z.string().check(
  z.regex(/^[a-z][a-z0-9-]{0,31}\/.{1,200}$/, {
    error: 'must be PROVIDER/MODEL, such as openai/gpt-4.1-mini',
  }),
);

/** An organization document; after parsing, durations are milliseconds and money is microdollars. */
export const organizationSchema = members({
  format: z._default(z.literal(DOCUMENT_FORMAT, { error: 'must be 1' }), DOCUMENT_FORMAT),
  organization: slug,
  name: z.optional(label(100)),
  providers: z._default(z.record(providerName, providerSchema), {}),
  prices: z._default(z.record(priceKey, price), {}),
  usageLimits: z._default(z.array(organizationLimitSchema).check(z.maxLength(10)), []),
  /** A library, by name. */
  guards: guardLibrary,
  /** Guards of every neuron, whatever its own list says. */
  mandatory: guardUses,
});

export type Organization = z.output<typeof organizationSchema>;
/** An organization document as written and stored. */
export type OrganizationDocument = z.input<typeof organizationSchema>;
export type Provider = z.output<typeof providerSchema>;

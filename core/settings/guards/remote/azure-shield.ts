// A guard by Azure AI Content Safety: shields against attacks in prompts and documents, severities of harm, and lists of blocked terms.
import * as z from 'zod/mini';
import { members } from '../../members.ts';
import { flag, money, secretReference, url } from '../../scalars.ts';
import { serviceTimeout } from './timeout.ts';

/** Its categories of harm, by their names in settings. */
export const HARMS = { hate: 'Hate', selfHarm: 'SelfHarm', sexual: 'Sexual', violence: 'Violence' } as const;
export type Harm = keyof typeof HARMS;

const MAX_BLOCKLISTS = 20;

const severity = z.optional(
  z.union([z.literal(2), z.literal(4), z.literal(6)], { error: 'must be a severity: 2, 4 or 6' }),
);

const harms = members({ hate: severity, selfHarm: severity, sexual: severity, violence: severity }).check(
  z.refine((named) => Object.keys(named).length > 0, {
    error: `must have a category: ${Object.keys(HARMS).join(', ')}`,
  }),
);

const blocklist = z.string().check(
  z.regex(/^[0-9A-Za-z._~-]{1,64}$/, {
    error: 'must be the name of a blocklist: 1 to 64 of A-Z a-z 0-9 . _ ~ -',
  }),
);

export const azureShield = members({
  type: z.literal('azureShield'),
  /** The root of the resource: `/contentsafety/…` is added. */
  endpoint: url,
  apiKey: secretReference,
  promptShield: z._default(flag, true),
  /** The severity from which a category counts. */
  harms: z.optional(harms),
  blocklists: z.optional(z.array(blocklist).check(z.minLength(1), z.maxLength(MAX_BLOCKLISTS))),
  timeout: serviceTimeout,
  /** A record is 1,000 characters of a text, or its rest, for each of the two APIs. */
  prices: z.optional(members({ record: money })),
}).check(
  z.refine((guard) => guard.promptShield || analysesText(guard), {
    error: 'has nothing to judge: leave promptShield out, or add harms or blocklists',
  }),
);

export type AzureShieldGuard = z.output<typeof azureShield>;

/** True where texts are analysed for harm or blocked terms, answers among them. Shields are of what is sent to a model. */
export function analysesText({
  harms: named,
  blocklists,
}: Pick<AzureShieldGuard, 'harms' | 'blocklists'>): boolean {
  return named !== undefined || blocklists !== undefined;
}

const RECORD_CHARACTERS = 1_000;

/** Records of one text, as one of the APIs counts them. */
export function recordsOf(text: string): number {
  return Math.ceil(text.length / RECORD_CHARACTERS);
}

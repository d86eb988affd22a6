// The scalar values of settings files: slugs, durations, money, sizes, references to secrets.
import * as z from 'zod/mini';
import { explainSlug, isSlug, RESERVED_SLUGS, SLUG_PATTERN } from '../contract/slugs.ts';
import { members } from './members.ts';
import { noted } from './schema-notes.ts';
import { parseWebUrl } from './web-url.ts';

const DURATION = /^([1-9][0-9]{0,4})(s|m|h|d)$/;
const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Milliseconds of a duration such as `30s`, `5m`, `1h`, `90d`; undefined for other texts. */
export function parseDuration(text: string): number | undefined {
  const match = DURATION.exec(text);
  if (match === null) return undefined;
  return Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS];
}

/** A duration between two others, inclusive; milliseconds after parsing. */
export function duration(shortest: string, longest: string) {
  const least = parseDuration(shortest) ?? 0;
  const most = parseDuration(longest) ?? 0;
  const error = `must be a duration from ${shortest} to ${longest}, such as ${shortest}`;
  const written = noted(
    z.string({ error }).check(
      z.refine(
        (text) => {
          const milliseconds = parseDuration(text);
          return milliseconds !== undefined && milliseconds >= least && milliseconds <= most;
        },
        { error },
      ),
    ),
    {
      pattern: DURATION.source,
      description: `a duration from ${shortest} to ${longest}`,
      examples: [shortest, longest],
    },
  );
  return z.pipe(
    written,
    z.transform((text: string) => parseDuration(text) ?? 0),
  );
}

/** US dollars with at most 6 decimals; integer microdollars after parsing. */
export const money = z.pipe(
  noted(
    z.number({ error: 'must be an amount in US dollars, such as 0.40' }).check(
      z.refine((dollars) => /^(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{1,6})?$/.test(String(dollars)), {
        error: 'must be an amount in US dollars from 0 to 999999999 with at most 6 decimals, such as 0.40',
      }),
    ),
    { minimum: 0, exclusiveMaximum: 1_000_000_000, description: 'US dollars, at most 6 decimals' },
  ),
  z.transform((dollars: number) => Math.round(dollars * 1_000_000)),
);

/** A whole number between two others, inclusive. */
export function integer(least: number, most: number) {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.int({ error }).check(z.gte(least, { error }), z.lte(most, { error }));
}

/** A number between two others, inclusive; tables do not take the smallest numbers of JavaScript. */
export function decimal(least: number, most: number) {
  const error = `must be a number from ${least} to ${most}`;
  return z.number({ error }).check(
    z.gte(least, { error }),
    z.lte(most, { error }),
    z.refine((value) => value === 0 || value >= 1e-6, { error: `${error}, zero or at least 0.000001` }),
  );
}

/** Text between two lengths in UTF-16 units. */
export function text(least: number, most: number) {
  const error = `must be text of ${least} to ${most} characters`;
  return z.string({ error }).check(z.minLength(least, { error }), z.maxLength(most, { error }));
}

/** Text on one line without control characters, for names and labels. */
export function label(most: number) {
  const error = `must be one line of 1 to ${most} characters`;
  return noted(
    z.string({ error }).check(
      z.minLength(1, { error }),
      z.maxLength(most, { error }),
      z.refine((value) => !/\p{Cc}/u.test(value), { error }),
    ),
    { pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
  );
}

export const flag = z.boolean({ error: 'must be true or false' });

/** A slug within a pattern of JSON Schema, without the reserved ones; `end` matches the text after it. */
export function slugPattern(end: string): string {
  return `(?!(?:${RESERVED_SLUGS.join('|')})${end})${SLUG_PATTERN.source.slice(1, -1)}`;
}

/** Why a text is not `ORGANIZATION/NEURON`, with the part that is wrong; undefined where it is. */
export function explainNeuronName(text: string): string | undefined {
  const [organization = '', neuron, ...rest] = text.split('/');
  const form = 'must be ORGANIZATION/NEURON, such as acme/support';
  if (neuron === undefined || rest.length > 0) return form;
  if (!isSlug(organization)) return `${form}: ${explainPart('the organization ', organization)}`;
  return isSlug(neuron) ? undefined : `${form}: ${explainPart('the neuron ', neuron)}`;
}

/** Longer texts and control characters would make the message unreadable. */
function explainPart(part: string, text: string): string {
  const shown = JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
  return `${part}${shown} ${explainSlug(text)}`;
}

/** An organization's or a neuron's slug. */
export const slug = noted(
  z.string().check(
    z.refine(isSlug, {
      error: ({ input }) => `must be a slug such as acme: ${explainPart('', String(input))}`,
    }),
  ),
  { pattern: `^${slugPattern('$')}$` },
);

export const providerName = z.string().check(
  z.regex(/^[a-z][a-z0-9-]{0,31}$/, {
    error: 'must be 1 to 32 characters of a-z, 0-9 and -, beginning with a letter',
  }),
);

export const modelName = z.string().check(
  z.regex(/^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}$/, {
    error: 'must be the name of a model, such as gpt-4.1-mini',
  }),
);

/** A model that a call names, or `{{model}}` for the one that its caller chose. */
export const callableModel = z.string().check(
  z.regex(/^(?:\{\{model\}\}|[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199})$/, {
    error:
      'must be the name of a model, such as gpt-4.1-mini, or "{{model}}" for the one that the caller chose',
  }),
);

/** A foundation model, or an inference profile that AWS defines, whose id begins with a geography. */
const BEDROCK_MODEL_ID = /^[a-z0-9-]+(?:\.[A-Za-z0-9_:-]+)+$/;

/** True for a text that can be the id of a model on Bedrock; false for ARNs. */
export function isBedrockModelId(text: string): boolean {
  return text.length <= 140 && BEDROCK_MODEL_ID.test(text);
}

/** The name of a secret, as in `neuron secrets set`. */
export const SECRET_NAME_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

const secretName = z
  .string()
  .check(z.regex(SECRET_NAME_PATTERN, { error: 'must be the name of a secret: a-z, 0-9 and -' }));

const SECRET_ERROR = 'must be { secret: NAME }; set the value with `neuron secrets set`';

/** A reference to a secret, never its value. */
export const secretReference = members({ secret: secretName }, SECRET_ERROR);

/** The same, with the name of the secret before it while both are in use. */
export const rotatedSecretReference = members(
  { secret: secretName, previous: z.optional(secretName) },
  SECRET_ERROR,
);

export type SecretReference = z.infer<typeof secretReference>;

/** An http or https URL without credentials or fragment. Its address is validated by `address-policy.ts`. */
export const url = noted(
  z.string().check(
    z.maxLength(2048),
    z.refine(
      (value) => {
        const parsed = parseWebUrl(value);
        return parsed !== undefined && `${parsed.username}${parsed.password}${parsed.hash}` === '';
      },
      {
        error:
          'must be a URL such as https://api.example.com/v1, without user, password, fragment, blanks or backslashes',
      },
    ),
  ),
  // Editors take a little more: they do not know every invisible character.
  {
    format: 'uri',
    pattern: '^[hH][tT]{2}[pP][sS]?://[^/#\\\\\\s][^#\\\\\\s]*$',
    examples: ['https://api.example.com/v1'],
  },
);

// A guard by a model that classifies texts, through a provider of the organization with an OpenAI-compatible endpoint.
import * as z from 'zod/mini';
import { utf8Bytes } from '../../../text/utf8.ts';
import { members } from '../../members.ts';
import { decimal, integer, modelName, providerName, text } from '../../scalars.ts';
import { needing, noted } from '../../schema-notes.ts';
import { serviceTimeout } from './timeout.ts';

/** `policy`: any model that follows a policy of one's own, such as gpt-oss-safeguard. */
export const CLASSIFIER_FORMATS = ['llamaGuard', 'shieldGemma', 'policy'] as const;

const MAX_POLICY = 20_000;
const MAX_CATEGORIES = 50;
const MAX_OUTPUT_TOKENS = 16_000;

/** The hazards of Llama Guard 3 and 4 (their model cards). */
export const LLAMA_GUARD_HAZARDS: readonly string[] = Array.from(
  { length: 14 },
  (_, index) => `S${index + 1}`,
);

const policyText = text(1, MAX_POLICY);

/** `file` is read when the document is applied and stored as `text`. */
const policyMembers = noted(
  members({ text: z.optional(policyText), file: z.optional(text(1, 500)) }).check(
    z.refine((policy) => (policy.text === undefined) !== (policy.file === undefined), {
      error: 'must have either text or file',
    }),
  ),
  { oneOf: ['text', 'file'].map(needing) },
);

const category = z.string().check(
  z.regex(/^[A-Za-z][A-Za-z0-9_]{0,31}$/, {
    error: 'must be the name of a category: 1 to 32 letters, digits and _, beginning with a letter',
  }),
);

const shape = members({
  type: z.literal('classifier'),
  /** A provider of type `openai`. */
  provider: providerName,
  model: modelName,
  format: z.enum(CLASSIFIER_FORMATS, { error: `must be one of ${CLASSIFIER_FORMATS.join(', ')}` }),
  policy: z.optional(z.union([policyText, policyMembers], { error: 'must be text, { text } or { file }' })),
  categories: z.optional(z.array(category).check(z.minLength(1), z.maxLength(MAX_CATEGORIES))),
  /** The chance of a `Yes` from which a text counts; without it the model's own word does. */
  threshold: z.optional(decimal(0, 1)),
  /** A model that reasons needs room for it. */
  maxTokens: z.optional(integer(16, MAX_OUTPUT_TOKENS)),
  effort: z.optional(z.enum(['low', 'medium', 'high'], { error: 'must be low, medium or high' })),
  timeout: serviceTimeout,
});

export type ClassifierGuard = z.output<typeof shape>;

/** Members that a format has beside those of all. */
const OWN = {
  llamaGuard: ['categories'],
  shieldGemma: ['policy', 'threshold'],
  policy: ['policy', 'categories', 'maxTokens', 'effort'],
} as const satisfies Record<ClassifierGuard['format'], readonly (keyof ClassifierGuard)[]>;

export const classifier = shape.check(
  z.check<ClassifierGuard>(({ value, issues }) => {
    const { format, categories = [] } = value;
    const own: readonly string[] = OWN[format];
    const add = (path: readonly (string | number)[], message: string) =>
      issues.push({ code: 'custom', input: undefined, path: [...path], message });
    for (const name of ['policy', 'categories', 'threshold', 'maxTokens', 'effort'] as const)
      if (value[name] !== undefined && !own.includes(name)) add([name], `is none of format ${format}`);
    if (own.includes('policy') && value.policy === undefined)
      add(['policy'], `must be the policy that format ${format} goes by`);
    if (format !== 'llamaGuard') return;
    for (const [index, name] of categories.entries())
      if (!LLAMA_GUARD_HAZARDS.includes(name))
        add(
          ['categories', index],
          `is no hazard of Llama Guard: those are S1 to S${LLAMA_GUARD_HAZARDS.length}`,
        );
  }),
);

/** Empty for a format without one. */
export function policyOf({ policy }: Pick<ClassifierGuard, 'policy'>): string {
  return (typeof policy === 'string' ? policy : policy?.text) ?? '';
}

/** The longest answer of a format, in tokens. */
export function maxTokensOf({
  format,
  maxTokens = 1_000,
}: Pick<ClassifierGuard, 'format' | 'maxTokens'>): number {
  if (format === 'policy') return maxTokens;
  return format === 'llamaGuard' ? 64 : 1;
}

/** The form of a question around policy and text, and what a server's template adds to it. */
const FORM_TOKENS = 2_000;

/** The most tokens of one call: a token is at least a byte. */
export function mostTokens(guard: ClassifierGuard, texts: readonly string[]) {
  const input = utf8Bytes(policyOf(guard)) + utf8Bytes(texts.join('')) + FORM_TOKENS;
  return { input, output: maxTokensOf(guard) };
}

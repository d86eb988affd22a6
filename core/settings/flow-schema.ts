// The schema of a flow: a list of steps, in which branches hold lists of their own.
import * as z from 'zod/mini';
import { REASONING_EFFORTS, type ReasoningEffort } from '../contract/reasoning-efforts.ts';
import { fallbacks, namesModel, TARGET_KEYWORDS, targetMembers } from './call-targets.ts';
import { stepGuardrail } from './guards/remote/bedrock.ts';
import { members } from './members.ts';
import { type SplitSubject, splitMembers } from './rollout-schema.ts';
import { decimal, duration, flag, integer, modelName, providerName, text } from './scalars.ts';
import { needing, noted } from './schema-notes.ts';

/** Steps of one flow, branches included, and the depth of branches. */
export const MAX_STEPS = 1_000;
export const MAX_DEPTH = 10;
const MAX_LIST = 100;
const MAX_EXAMPLES = 50;
const MAX_TEXT = 100_000;

const longText = text(1, MAX_TEXT);

/** `file` is read when the document is applied and stored as `text`. */
const instructions = noted(
  members({
    text: z.optional(longText),
    file: z.optional(text(1, 500)),
    append: z._default(flag, false),
  }).check(
    z.refine(({ text, file }) => (text === undefined) !== (file === undefined), {
      error: 'must have either text or file',
    }),
  ),
  { oneOf: ['text', 'file'].map(needing) },
);
const systemInstructions = z.union([longText, instructions as z.ZodMiniType<Instructions>], {
  error: 'must be text, { text, append? } or { file, append? }',
});

/** The parts of a conversation that a model call may accept beside the text of the last turn. */
export const ACCEPTABLE = [
  'history',
  'system',
  'images',
  'documents',
  'tools',
  'schema',
  'parameters',
  'thinking',
  'cacheControl',
  'passThrough',
] as const;
export type Acceptable = (typeof ACCEPTABLE)[number];

const outputSchema = z.record(z.string(), z.unknown(), { error: 'must be a JSON Schema: an object' });

/** Enough for most answers. */
const MAX_TOKENS = 1024;
/** For a model that thinks: its thoughts count too, and would use up the other default. */
const MAX_TOKENS_THINKING = 16_384;

const accepts = z.union(
  [
    z.literal('all'),
    z
      .array(z.enum(ACCEPTABLE, { error: `must be one of ${ACCEPTABLE.join(', ')}` }))
      .check(z.minLength(1), z.maxLength(ACCEPTABLE.length)),
  ],
  { error: `must be all, or a list of ${ACCEPTABLE.join(', ')}` },
);

/** Who marks what a provider keeps in its prompt cache: this service, the caller, or nobody. */
const PROMPT_CACHES = ['auto', 'caller', 'off'] as const;

/** Turns before the conversation, as they are written. */
const examples = z
  .array(members({ user: longText, assistant: longText }))
  .check(z.minLength(1), z.maxLength(MAX_EXAMPLES));

const callMembers = members({
  ...targetMembers,
  prompt: z.optional(longText),
  examples: z.optional(examples),
  temperature: z.optional(decimal(0, 2)),
  topP: z.optional(decimal(0, 1)),
  maxTokens: z.optional(
    noted(integer(1, 1_000_000), {
      description: `${MAX_TOKENS} when absent, ${MAX_TOKENS_THINKING} beside reasoningEffort`,
    }),
  ),
  stopSequences: z.optional(z.array(text(1, 200)).check(z.minLength(1), z.maxLength(4))),
  seed: z.optional(integer(0, 2_147_483_647)),
  timeout: z.optional(duration('1s', '4m')),
  retries: z._default(integer(0, 5), 2),
  fallbacks,
  accepts: z._default(accepts, []),
  images: z.optional(members({ byAddress: flag })),
  promptCache: z.optional(z.enum(PROMPT_CACHES, { error: `must be one of ${PROMPT_CACHES.join(', ')}` })),
  history: z._default(flag, true),
  outputSchema: z.optional(outputSchema),
  reasoningEffort: z.optional(
    z.enum(REASONING_EFFORTS, { error: `must be one of ${REASONING_EFFORTS.join(', ')}` }),
  ),
  showReasoning: z.optional(flag),
  guardrail: z.optional(stepGuardrail),
});

const writtenCallModel = noted(callMembers.check(namesModel), TARGET_KEYWORDS);

const callModel = z.pipe(
  writtenCallModel,
  z.transform((call: z.output<typeof writtenCallModel>) => ({
    ...call,
    accepts: acceptsOf(call),
    maxTokens: call.maxTokens ?? defaultMaxTokens(call.reasoningEffort),
    limitsTokens: call.maxTokens !== undefined,
  })),
);

/** Everything that does not contradict the step itself; passing requests on as they are is for those who ask for it by name. */
function allFor({
  history,
  outputSchema,
  promptCache,
}: z.output<typeof writtenCallModel>): readonly Acceptable[] {
  return ACCEPTABLE.filter(
    (what) =>
      what !== 'passThrough' &&
      (what !== 'history' || history) &&
      (what !== 'schema' || outputSchema === undefined) &&
      (what !== 'cacheControl' || promptCache !== 'off'),
  );
}

/** `promptCache: caller` says the same as `cacheControl`. */
function acceptsOf(call: z.output<typeof writtenCallModel>): readonly Acceptable[] {
  const accepted = call.accepts === 'all' ? allFor(call) : call.accepts;
  const adds = call.promptCache === 'caller' && !accepted.includes('cacheControl');
  return adds ? [...accepted, 'cacheControl'] : accepted;
}

/** True where a caller may say how long an answer is at most. */
export function takesMaxTokens({ accepts }: Pick<CallModel, 'accepts'>): boolean {
  return accepts.includes('parameters') || accepts.includes('passThrough');
}

function defaultMaxTokens(effort: ReasoningEffort | undefined): number {
  return effort === undefined || effort === 'none' ? MAX_TOKENS : MAX_TOKENS_THINKING;
}

/** The use of vectors, in Cohere's words. */
export const EMBEDDING_INPUT_TYPES = [
  'search_document',
  'search_query',
  'classification',
  'clustering',
] as const;
export type EmbeddingInputType = (typeof EMBEDDING_INPUT_TYPES)[number];

/** More than any model makes. */
export const MAX_DIMENSIONS = 16_384;

const embed = members({
  provider: providerName,
  model: modelName,
  dimensions: z.optional(integer(1, MAX_DIMENSIONS)),
  inputType: z.optional(
    z.enum(EMBEDDING_INPUT_TYPES, { error: `must be one of ${EMBEDDING_INPUT_TYPES.join(', ')}` }),
  ),
  timeout: z.optional(duration('1s', '4m')),
  retries: z._default(integer(0, 5), 2),
  fallbacks,
});

const condition = {
  any: z.array(text(1, 1000)).check(z.minLength(1), z.maxLength(100)),
  match: z._default(
    z.enum(['substring', 'word', 'regex'], { error: 'must be substring, word or regex' }),
    'substring',
  ),
  caseSensitive: z._default(flag, false),
};

const optionalText = members({ text: z.optional(longText) });

/** Parsed instructions with members; `text` or `file`, never both. */
type Instructions =
  | { readonly text: string; readonly append: boolean }
  | { readonly file: string; readonly append: boolean };

/** One parsed step: an object with the step's name as its only member. */
export type Step =
  | { readonly systemInstructions: z.output<typeof systemInstructions> }
  | { readonly callModel: z.output<typeof callModel> }
  | { readonly embed: z.output<typeof embed> }
  | { readonly ifInputContains: InputCondition }
  | { readonly ifOutputContains: Condition }
  | { readonly randomizedSplit: RandomizedSplit }
  | { readonly serveOutput: z.output<typeof optionalText> }
  | { readonly stop: z.output<typeof optionalText> };

export interface Condition {
  readonly any: readonly string[];
  readonly match: 'substring' | 'word' | 'regex';
  readonly caseSensitive: boolean;
  readonly then?: readonly Step[] | undefined;
  readonly else?: readonly Step[] | undefined;
}

export interface InputCondition extends Condition {
  readonly in: 'everything' | 'lastMessage';
}

export interface RandomizedSplit {
  readonly percentageA: number;
  /** A caller without the kind is told apart by the next one; absent to draw for each request. */
  readonly stickyBy?: SplitSubject | undefined;
  /** Splits of one name send a subject to one branch. */
  readonly name?: string | undefined;
  readonly a?: readonly Step[] | undefined;
  readonly b?: readonly Step[] | undefined;
}

export type CallModel = z.output<typeof callModel>;

export type EmbedStep = z.output<typeof embed>;

const steps: z.ZodMiniType<readonly Step[]> = z.lazy(() =>
  z.array(step).check(z.minLength(1), z.maxLength(MAX_LIST)),
);

// biome-ignore lint/suspicious/noThenProperty: `then` is the branch's name in settings files; the schema is never awaited.
const branches = { then: z.optional(steps), else: z.optional(steps) };

const branch = members({ ...condition, ...branches });

const inputBranch = members({
  ...condition,
  in: z._default(
    z.enum(['everything', 'lastMessage'], { error: 'must be everything or lastMessage' }),
    'everything',
  ),
  ...branches,
});

const randomizedSplit = members({ ...splitMembers, a: z.optional(steps), b: z.optional(steps) });

const STEP = 'must be one step, such as `callModel: { provider: demo, model: echo-1 }` or `stop: {}`';

// An object with one of many members, not a union, so that errors are about the step that was written and not about all of them.
const step: z.ZodMiniType<Step> = noted(
  members(
    {
      systemInstructions: z.optional(systemInstructions),
      callModel: z.optional(callModel),
      embed: z.optional(embed),
      ifInputContains: z.optional(inputBranch),
      ifOutputContains: z.optional(branch),
      randomizedSplit: z.optional(randomizedSplit),
      serveOutput: z.optional(optionalText),
      stop: z.optional(optionalText),
    },
    STEP,
  ).check(
    z.refine((value) => Object.keys(value).length === 1, {
      error: `${STEP}; several steps are several entries of the list`,
    }),
  ),
  { minProperties: 1, maxProperties: 1 },
) as z.ZodMiniType<Step>;

/** A flow: 1 to 100 steps; depth and total are validated apart. */
export const flowSchema = steps;
export type Flow = readonly Step[];

/** The step of a neuron that answers embeddings, which stands alone; undefined for every other flow. */
export function embedOf(flow: Flow): EmbedStep | undefined {
  const [only, ...others] = flow;
  return only !== undefined && 'embed' in only && others.length === 0 ? only.embed : undefined;
}

/** Undefined for a stored flow that this release cannot run. */
export function parseFlow(stored: unknown): Flow | undefined {
  const parsed = flowSchema.safeParse(stored);
  return parsed.success ? parsed.data : undefined;
}

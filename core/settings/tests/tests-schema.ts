// The schema of a tests document: cases of a neuron, with what their answers must be.
import * as z from 'zod/mini';
import { members } from '../members.ts';
import { explainNeuronName, integer, label, slugPattern, text } from '../scalars.ts';
import { noted } from '../schema-notes.ts';
import { assertionSchema, scoreThreshold } from './assertion-schema.ts';

const neuronName = noted(
  z.string().check(
    z.refine((value) => explainNeuronName(value) === undefined, {
      error: ({ input }) => explainNeuronName(String(input)),
    }),
  ),
  { pattern: `^${slugPattern('/')}/${slugPattern('$')}$`, examples: ['acme/support'] },
);

export const MAX_REPEAT = 100;
const MAX_CASES = 1_000;
const MAX_TEXT = 1_000_000;

const repeat = integer(1, MAX_REPEAT);

const passRateError = 'must be a share above 0, at most 1';
const passRate = noted(
  z
    .number({ error: passRateError })
    .check(z.refine((value) => value > 0 && value <= 1, { error: passRateError })),
  { exclusiveMinimum: 0, maximum: 1 },
);

const scalar = z.union([z.string(), z.number(), z.boolean()], {
  error: 'must be a text, a number, true or false',
});

const caseSchema = members({
  name: label(200),
  /** The text of the call; or `messages`. */
  input: z.optional(text(0, MAX_TEXT)),
  /** A conversation, as `messages` of a request. */
  messages: z.optional(
    z.array(z.record(z.string(), z.unknown(), { error: 'must be a message' })).check(z.minLength(1)),
  ),
  variables: z.optional(z.record(z.string(), scalar, { error: 'must have variables by name' })),
  username: z.optional(label(256)),
  repeat: z.optional(repeat),
  passRate: z.optional(passRate),
  threshold: z.optional(scoreThreshold),
  /** The code with which the run must end, such as `guard_blocked`; without it the run must succeed. */
  error: z.optional(
    z
      .string()
      .check(z.regex(/^[a-z][a-z_]{0,63}$/, { error: 'must be an error code, such as guard_blocked' })),
  ),
  assert: z.optional(z.array(assertionSchema).check(z.minLength(1), z.maxLength(50))),
  /** Where the case comes from; nothing reads it. */
  metadata: z.optional(z.record(z.string(), z.unknown(), { error: 'must have members' })),
}).check(
  z.refine(({ input, messages }) => (input === undefined) !== (messages === undefined), {
    error: 'must have either input or messages',
  }),
  z.refine(({ error, assert }) => (error === undefined) !== (assert === undefined), {
    error: 'must have assert, or the error with which the run must end',
  }),
);

export const testsSchema = members({
  format: z.optional(z.literal(1, { error: 'must be 1' })),
  /** The neuron that is tested: `ORGANIZATION/NEURON`. */
  tests: neuronName,
  /** The neuron that `llm-rubric` asks. */
  judge: z.optional(neuronName),
  /** The neuron whose vectors `similar` compares. */
  embeddings: z.optional(neuronName),
  repeat: z._default(repeat, 1),
  passRate: z._default(passRate, 1),
  cases: z.array(caseSchema).check(z.minLength(1), z.maxLength(MAX_CASES)),
});

export type TestsDocument = z.output<typeof testsSchema>;
export type TestCase = TestsDocument['cases'][number];

// Reads the parameters that a caller may set for an answer.
import { REASONING_EFFORTS } from '../contract/reasoning-efforts.ts';
import { isJsonObject } from '../text/json.ts';
import type { CallerParameters } from './conversation.ts';
import {
  choice,
  FLAG,
  filledText,
  integer,
  invalidAt,
  list,
  mapped,
  number,
  object,
  optional,
  type Reader,
} from './reader.ts';

export const EFFORT = choice(REASONING_EFFORTS);

const MAX_STOP_SEQUENCES = 4;
const MAX_STOP_LENGTH = 200;

/** Tokens of an answer, at most. */
export const MAX_TOKENS = integer(1, 1_000_000);

const STOP_SEQUENCE = filledText(MAX_STOP_LENGTH);
const STOP_SEQUENCES = list(STOP_SEQUENCE, 0, MAX_STOP_SEQUENCES);

/** A text or a list of them; none of them is as if it were not set. */
const STOP: Reader<readonly string[] | undefined> = {
  schema: { oneOf: [STOP_SEQUENCE.schema, STOP_SEQUENCES.schema] },
  read(located) {
    if (typeof located.value === 'string') return [STOP_SEQUENCE.read(located)];
    const sequences = STOP_SEQUENCES.read(located);
    return sequences.length === 0 ? undefined : sequences;
  },
};

/** Integers that JSON keeps exactly. -1 is how some servers write that there is none. */
const SEED = mapped(integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER), (seed) =>
  seed === -1 ? undefined : seed,
);

/** 0 asks for nothing. */
const PENALTY = mapped(number(-2, 2), (penalty) => (penalty === 0 ? undefined : penalty));

const MAX_BIASED_TOKENS = 1_024;
const BIAS = number(-100, 100);

/** Biases by the number of a token. */
const LOGIT_BIAS: Reader<Readonly<Record<string, number>> | undefined> = {
  schema: { type: 'object', maxProperties: MAX_BIASED_TOKENS, additionalProperties: BIAS.schema },
  read({ path, value }) {
    if (!isJsonObject(value)) throw invalidAt(path, 'must be an object');
    const entries = Object.entries(value);
    if (entries.length === 0) return undefined;
    if (entries.length > MAX_BIASED_TOKENS)
      throw invalidAt(path, `must have at most ${MAX_BIASED_TOKENS} members`);
    return Object.fromEntries(
      entries.map(([token, bias]) => {
        if (!/^\d{1,9}$/.test(token)) throw invalidAt(path, 'must have numbers of tokens as its names');
        return [token, BIAS.read({ path, value: bias })];
      }),
    );
  },
};

const VERBOSITIES = ['low', 'medium', 'high'] as const;

/** `medium` is what every model does unasked. */
const VERBOSITY = mapped(choice(VERBOSITIES), (verbosity) =>
  verbosity === 'medium' ? undefined : verbosity,
);

const WRITTEN = object(
  {
    temperature: optional(number(0, 2)),
    topP: optional(number(0, 1)),
    maxTokens: optional(MAX_TOKENS),
    stop: optional(STOP),
    seed: optional(SEED),
    frequencyPenalty: optional(PENALTY),
    presencePenalty: optional(PENALTY),
    logitBias: optional(LOGIT_BIAS),
    reasoningEffort: optional(EFFORT),
    verbosity: optional(VERBOSITY),
    // Several calls at once are what every provider allows unasked.
    parallelToolCalls: optional(mapped(FLAG, (parallel) => (parallel ? undefined : parallel))),
  },
  'Bounded by those of the flow.',
);

/** Without the members that ask for nothing. */
export const PARAMETERS: Reader<CallerParameters> = mapped(
  WRITTEN,
  (parameters) =>
    Object.fromEntries(
      Object.entries(parameters).filter(([, value]) => value !== undefined),
    ) as CallerParameters,
);

// Parses an embeddings request (platform.openai.com/docs/api-reference/embeddings/create).
import { ServiceError } from '../../contract/service-error.ts';
import { type EmbeddingInput, type EmbeddingWish, NO_CONVERSATION } from '../../conversation/conversation.ts';
import { choice, filledText, integer, invalidAt, type LocatedValue } from '../../conversation/reader.ts';
import { MAX_DIMENSIONS } from '../../settings/flow-schema.ts';
import { sum } from '../../text/numbers.ts';
import { utf8Bytes } from '../../text/utf8.ts';
import { checkFields, labelsOf, memberAt, parseBody, parseFlag, parseModel, required } from '../parse.ts';
import type { AddressedNeuron, Invocation, UnparsedInvocation } from '../surface.ts';
import { EMBEDDING_FIELDS } from './fields.ts';

/** An invocation with the form of its answer. */
export interface EmbeddingsInvocation extends Invocation {
  readonly embedding: EmbeddingWish;
  readonly form: {
    /** As the caller named it; it is that of the answer. */
    readonly model: string;
    readonly encoding: 'float' | 'base64';
  };
}

/** Texts of one request, as at OpenAI. */
export const MAX_INPUTS = 2_048;

/** Bytes that the id of a token counts as: tokens of English texts have about four. */
const BYTES_PER_TOKEN = 4;

const DIMENSIONS = integer(1, MAX_DIMENSIONS);
const ENCODING = choice(['float', 'base64']);
const FILLED = filledText(Number.POSITIVE_INFINITY, 'must be a text that is not empty');

/**
 * Throws `malformed_json` or `malformed_body` (400), `model_not_found` (404) where `model` does not name the neuron, `invalid_input` with
 * the path of the first mistake, `input_too_large`, `invalid_parameter` (422).
 */
export function parseEmbeddings(
  unparsed: UnparsedInvocation,
  addressed: AddressedNeuron,
): EmbeddingsInvocation {
  const body = parseBody(unparsed.body);
  const model = parseModel(body, addressed);
  const inputs = parseInputs(required(body, 'input'));
  if (sum(inputs.inputs.map(bytesOf)) > addressed.maxInputBytes) {
    throw new ServiceError('input_too_large', { param: 'input' });
  }
  const dimensions = memberAt(body, 'dimensions');
  const encoding = memberAt(body, 'encoding_format');
  return {
    input: '',
    conversation: NO_CONVERSATION,
    embedding: { ...inputs, dimensions: dimensions && DIMENSIONS.read(dimensions) },
    bypassCache: parseFlag('bypassCache', unparsed.bypassCache),
    stream: false,
    ...labelsOf(body),
    leftOut: checkFields(body, EMBEDDING_FIELDS),
    form: { model, encoding: encoding === undefined ? 'float' : ENCODING.read(encoding) },
  };
}

type Inputs = Pick<EmbeddingWish, 'inputs' | 'isSingle'>;

/** One text, a list of texts, the tokens of one text, or a list of such: each kind by itself. */
function parseInputs(input: LocatedValue): Inputs {
  const { path, value } = input;
  if (!Array.isArray(value)) return { inputs: [FILLED.read(input)], isSingle: true };
  const entries: readonly unknown[] = value;
  const [first] = entries;
  if (typeof first === 'number') return { inputs: [parseTokens(input)], isSingle: true };
  if (entries.length === 0 || entries.length > MAX_INPUTS) {
    throw invalidAt(path, `must have 1 to ${MAX_INPUTS} entries`);
  }
  const parse: (located: LocatedValue) => EmbeddingInput = Array.isArray(first) ? parseTokens : FILLED.read;
  const inputs = entries.map((entry, index) => parse({ path: `${path}[${index}]`, value: entry }));
  return { inputs, isSingle: false };
}

/** More than any vocabulary has. */
const MAX_TOKEN_ID = 10_000_000;

function parseTokens({ path, value }: LocatedValue): readonly number[] {
  const isTokens =
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((id) => Number.isInteger(id) && id >= 0 && id <= MAX_TOKEN_ID);
  if (!isTokens) throw invalidAt(path, 'must be a list of ids of tokens that is not empty');
  return value;
}

function bytesOf(input: EmbeddingInput): number {
  return typeof input === 'string' ? utf8Bytes(input) : input.length * BYTES_PER_TOKEN;
}

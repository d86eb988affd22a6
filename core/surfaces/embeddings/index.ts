// The form of OpenAI's embeddings.
import { ServiceError } from '../../contract/service-error.ts';
import { openaiStatusOf, renderOpenaiError } from '../openai/errors.ts';
import type { Surface } from '../surface.ts';
import { renderEmbeddings } from './answer.ts';
import { type EmbeddingsInvocation, parseEmbeddings } from './parse.ts';

/** For codes whose text speaks of conversations. */
const TEXTS = {
  malformed_json: 'The request body is not valid JSON. Send {"model":"...","input":"text"}.',
  malformed_body: 'The request body must be a JSON object: {"model":"...","input":"text"}.',
  invalid_input: 'Send a text, or a list of texts, as "input".',
  input_too_large: '"input" is longer than this neuron allows. Send fewer texts in one request.',
  provider_rejected_input:
    'The model does not accept these texts. One may be longer than it takes: shorten it, or send fewer.',
} as const;

export const EMBEDDINGS: Surface<EmbeddingsInvocation> = {
  parse: parseEmbeddings,
  acceptsStream: () => false,
  takesArgumentText: false,
  renderAnswer: renderEmbeddings,
  statusOf: openaiStatusOf,
  renderError: (code, { invocation: _invocation, ...detail }) =>
    renderOpenaiError(code, { ...detail, texts: TEXTS }),
  renderStreamHead: rejectStream,
  createEncoder: rejectStream,
};

/** No request asks for one. */
function rejectStream(): never {
  throw new ServiceError('internal', { reason: 'vectors are not streamed' });
}

// Checks that a request asks a neuron for what it makes, texts or vectors. Any other is rejected, and says which route is right.
import { ServiceError } from '../../contract/service-error.ts';
import type { EmbeddingWish } from '../../conversation/conversation.ts';
import { type EmbedStep, embedOf, type Flow } from '../../settings/flow-schema.ts';

export interface AskedNeuron {
  readonly organization: string;
  readonly neuron: string;
  /** True for a provider that takes ids of tokens in place of texts. */
  takesTokens(provider: string): boolean;
}

/**
 * Throws 422 `not_accepted` for vectors of a neuron that makes texts and the other way round, for tokens where a model takes texts alone,
 * and `invalid_input` for other dimensions than the neuron's.
 */
export function requireMakes(flow: Flow, wish: EmbeddingWish | undefined, asked: AskedNeuron): void {
  const embed = embedOf(flow);
  const path = `/v1/${asked.organization}/${asked.neuron}`;
  if (embed === undefined) {
    if (wish === undefined) return;
    const detail = `This neuron answers conversations, not embeddings. Call POST ${path}/chat/completions.`;
    throw new ServiceError('not_accepted', { detail });
  }
  if (wish === undefined) {
    const detail = `This neuron answers embeddings alone. Call POST ${path}/embeddings.`;
    throw new ServiceError('not_accepted', { detail });
  }
  requireDimensions(embed, wish);
  requireTokens(embed, wish, asked);
}

function requireDimensions({ dimensions }: EmbedStep, wish: EmbeddingWish): void {
  if (dimensions === undefined || wish.dimensions === undefined || wish.dimensions === dimensions) return;
  throw new ServiceError('invalid_input', {
    param: 'dimensions',
    detail: `"dimensions" must be ${dimensions}, which is the length of this neuron's vectors, or be left out.`,
  });
}

/** Every target, so that a fallback does not reject what the first one takes. */
function requireTokens(
  { provider, fallbacks }: EmbedStep,
  { inputs }: EmbeddingWish,
  asked: AskedNeuron,
): void {
  if (inputs.every((input) => typeof input === 'string')) return;
  const providers = [provider, ...fallbacks.map((one) => one.provider)];
  if (providers.every((name) => asked.takesTokens(name))) return;
  throw new ServiceError('not_accepted', {
    param: 'input',
    detail:
      'This neuron takes texts, not tokens. Send "input" as a text or a list of texts; with LangChain, pass check_embedding_ctx_length=False.',
  });
}

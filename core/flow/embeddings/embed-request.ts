// The texts of a call for vectors, and the request by which an attempt is reserved. The step itself is loaded where a flow has it.
import { ServiceError } from '../../contract/service-error.ts';
import { type EmbeddingInput, type EmbeddingWork, userMessage } from '../../conversation/conversation.ts';
import type { ModelRequest } from '../../ports/providers.ts';
import type { EmbedStep } from '../../settings/flow-schema.ts';
import type { StepContext } from '../step.ts';

/** The request that an attempt is reserved by: a message for each input. Ids of tokens count as so many bytes. */
export function toEmbedRequest(
  { model }: Pick<EmbedStep, 'model'>,
  inputs: readonly EmbeddingInput[],
): Omit<ModelRequest, 'signal'> {
  const texts = inputs.map((input) => (typeof input === 'string' ? input : '0'.repeat(input.length)));
  return { model, system: [], messages: texts.map(userMessage), maxTokens: 0 };
}

/** The texts of the caller. Throws `configuration` for a step that a run without texts reaches: `apply` rejects such a flow. */
export function requireWork({ embedding }: StepContext): EmbeddingWork {
  if (embedding !== undefined) return embedding;
  throw new ServiceError('configuration', { reason: 'embed must be the only step of its flow' });
}

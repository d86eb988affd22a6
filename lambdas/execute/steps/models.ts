// Lists the neuron as the one model of its base URL: it runs nothing, so no body is read.
import type { ExecutionRequest } from '../../../adapters/apigateway/proxy-event.ts';
import { renderModels } from '../../../core/surfaces/openai/models.ts';
import type { Outcome } from '../run.ts';

/** `model_not_found` for an id that is not the neuron's. */
export function listModels(
  request: ExecutionRequest,
  { id }: NonNullable<ExecutionRequest['models']>,
): Outcome {
  const answer = renderModels(request, id);
  return { kind: 'models', answer: () => answer };
}

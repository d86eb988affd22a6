// Answers a request for the list of models: it runs nothing, so it ends before a body would be read.
import { toProxyResult } from '../../../adapters/apigateway/proxy-answer.ts';
import { renderModels } from '../../../core/surfaces/openai/models.ts';
import { Answered, type ServingRun } from '../run.ts';

/** Throws the answer where the request is for models: the steps after it are for runs. `model_not_found` for an id that is not the neuron's. */
export function answerModels(run: ServingRun): ServingRun {
  const { models, organization, neuron, executionId } = run.request;
  if (models === undefined) return run;
  throw new Answered(toProxyResult(renderModels({ organization, neuron, executionId }, models.id)));
}

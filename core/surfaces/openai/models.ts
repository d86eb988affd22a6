// The neuron as the one model of its base URL (platform.openai.com/docs/api-reference/models).

import { FIXED_HEADERS } from '../../contract/headers.ts';
import { ServiceError } from '../../contract/service-error.ts';
import type { Answer } from '../surface.ts';
import { requestIdHeaders } from './errors.ts';

export interface ListedModel {
  readonly organization: string;
  readonly neuron: string;
  readonly executionId: string;
}

/** A list of one, or with an id the model itself. Throws `model_not_found` for every other id. */
export function renderModels(model: ListedModel, id: string | undefined): Answer {
  const { organization, neuron, executionId } = model;
  const name = `${organization}/${neuron}`;
  if (id !== undefined && id !== neuron && id !== name) throw new ServiceError('model_not_found');
  // `created` is required and unknown here: a version's time would change with each deployment.
  const one = { id: id ?? name, object: 'model', created: 0, owned_by: organization };
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json', ...FIXED_HEADERS, ...requestIdHeaders(executionId) },
    body: JSON.stringify(id === undefined ? { object: 'list', data: [one] } : one),
  };
}

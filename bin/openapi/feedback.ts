// The route of feedback in the OpenAPI document.
import type { Route } from '../../core/contract/routes.ts';
import { json, type OpenapiObject, object, ref } from './headers.ts';

const STATUSES = [400, 401, 403, 404, 409, 410, 422, 429, 500, 503] as const;

export function feedbackOperation(route: Route): OpenapiObject {
  return {
    operationId: route.name,
    tags: ['neurons'],
    summary: 'Takes feedback on an answer: one value for each metric',
    parameters: route.pathParameters.map((name) => ref('parameters', name)),
    requestBody: { required: true, content: json(ref('schemas', 'Feedback')) },
    responses: {
      '201': { description: 'The value is kept.', content: json(ref('schemas', 'FeedbackId')) },
      ...Object.fromEntries(STATUSES.map((status) => [status, ref('responses', `Error${status}`)])),
    },
  };
}

export const FEEDBACK_SCHEMAS: OpenapiObject = {
  Feedback: object(['token', 'metric', 'value'], {
    token: { type: 'string', description: 'The X-Feedback-Token of the answer.' },
    metric: { type: 'string', description: 'A metric of the neuron.' },
    value: {
      type: ['boolean', 'number'],
      description: 'Of the type of the metric; a number has at most 3 decimals.',
    },
    comment: { type: 'string', maxLength: 2000, description: 'Where the neuron takes comments.' },
  }),
  FeedbackId: object(['id'], { id: { type: 'string', description: 'The id of its entry in the log.' } }),
};

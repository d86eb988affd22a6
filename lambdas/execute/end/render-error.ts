// Renders the answer of a request that ends with an error.
import type { ServiceError } from '../../../core/contract/service-error.ts';
import { SURFACES } from '../../../core/surfaces/registry.ts';
import type { Answer } from '../../../core/surfaces/surface.ts';
import type { Run } from '../run.ts';

/** In the form of the request's surface. Cannot throw. */
export function renderError({ code, retryAfterMs, detail, param }: ServiceError, run: Readonly<Run>): Answer {
  const { request, budget, invocation } = run;
  return SURFACES[request.surface].renderError(code, {
    retryAfterMs,
    executionId: request.executionId,
    rateLimit: budget?.rateLimit(),
    invocation,
    text: detail,
    param,
  });
}

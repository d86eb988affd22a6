// The answer of a request that ends in an error.
import type { ServiceError } from '../../../core/contract/service-error.ts';
import { surfaceOf } from '../../../core/surfaces/registry.ts';
import type { Answer } from '../../../core/surfaces/surface.ts';
import type { Run } from '../run.ts';

/** In the form of the request's surface. Cannot throw. */
export function renderError({ code, retryAfterMs, detail, param }: ServiceError, run: Readonly<Run>): Answer {
  const { request, budget, invocation } = run;
  return surfaceOf(request.surface).renderError(code, {
    retryAfterMs,
    executionId: request.executionId,
    rateLimit: budget?.rateLimit(),
    invocation,
    unparsed: request.unparsed,
    text: detail,
    param,
  });
}

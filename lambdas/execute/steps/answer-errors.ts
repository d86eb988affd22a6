// Turns everything that is thrown into an answer of the contract; nothing gets past it.
import { toProxyResult } from '../../../adapters/apigateway/proxy-answer.ts';
import { renderError } from '../../../core/contract/error-body.ts';
import { toServiceError } from '../../../core/contract/service-error.ts';
import { maybeRunOf, type Step } from './record.ts';

/** Sets an answer for every error. It cannot throw: without an answer Middy would end the stream and skip the log. */
export function answerErrors(): Step {
  return {
    onError(request) {
      const refusal = toServiceError(request.error);
      const run = maybeRunOf(request.event);
      const executionId = run?.request.executionId;
      const rateLimit = run?.budget?.rateLimit();
      request.response = toProxyResult(
        renderError(refusal.code, { retryAfterMs: refusal.retryAfterMs, executionId, rateLimit }),
      );
    },
  };
}

// Turns everything that is thrown into an answer of the contract; nothing gets past it.
import { toProxyResult } from '../../../adapters/apigateway/proxy-answer.ts';
import { renderError } from '../../../core/contract/error-body.ts';
import { toServiceError } from '../../../core/contract/service-error.ts';
import { type Middleware, runSoFar } from '../bind.ts';

/** Sets an answer for every error. It cannot throw: without an answer Middy would end the stream and skip the log. */
export function answerErrors(): Middleware {
  return {
    onError(request) {
      const { code, retryAfterMs, detail } = toServiceError(request.error);
      const run = runSoFar(request.event);
      const executionId = run?.request.executionId;
      const rateLimit = run?.budget?.rateLimit();
      request.response = toProxyResult(
        renderError(code, { retryAfterMs, executionId, rateLimit, text: detail }),
      );
    },
  };
}

// Turns everything that is thrown into an answer of the contract; nothing gets past it.
import { toProxyResult } from '../../../adapters/apigateway/proxy-answer.ts';
import { type Answer, renderError } from '../../../core/contract/error-body.ts';
import { toServiceError } from '../../../core/contract/service-error.ts';
import { type Middleware, runSoFar } from '../bind.ts';
import type { PartialRun } from '../run.ts';

/** Sets an answer for every error. It cannot throw: without an answer Middy would end the stream and skip the log. */
export function answerErrors(): Middleware {
  return {
    onError(request) {
      request.response = toProxyResult(renderRefusal(request.error, runSoFar(request.event)));
    },
  };
}

/** The answer for whatever was thrown. Cannot throw. */
export function renderRefusal(thrown: unknown, run: PartialRun | undefined): Answer {
  const { code, retryAfterMs, detail } = toServiceError(thrown);
  const executionId = run?.request.executionId;
  const rateLimit = run?.budget?.rateLimit();
  return renderError(code, { retryAfterMs, executionId, rateLimit, text: detail });
}

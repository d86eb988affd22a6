// Turns everything that is thrown into an answer of the contract; nothing gets past it.
import { toProxyResult } from '../../../adapters/apigateway/proxy-answer.ts';
import { toServiceError } from '../../../core/contract/service-error.ts';
import { SURFACES } from '../../../core/surfaces/registry.ts';
import type { Answer } from '../../../core/surfaces/surface.ts';
import { type Middleware, runSoFar } from '../bind.ts';
import { Answered, type PartialRun } from '../run.ts';

/** Sets an answer for every error. It cannot throw: without an answer Middy would end the stream and skip the log. */
export function answerErrors(): Middleware {
  return {
    onError(request) {
      if (request.error instanceof Answered) request.response = request.error.answer;
      else request.response = toProxyResult(renderRejection(request.error, runSoFar(request.event)));
    },
  };
}

/** The answer for whatever was thrown. Cannot throw. */
export function renderRejection(thrown: unknown, run: PartialRun | undefined): Answer {
  const { code, retryAfterMs, detail, param } = toServiceError(thrown);
  const executionId = run?.request.executionId;
  const rateLimit = run?.budget?.rateLimit();
  const surface = SURFACES[run?.request.surface ?? 'native'];
  const invocation = run?.invocation;
  return surface.renderError(code, { retryAfterMs, executionId, rateLimit, invocation, text: detail, param });
}

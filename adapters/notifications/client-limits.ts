// Options of the clients of EventBridge and SNS: one attempt, in bounded time.
import { NodeHttpHandler } from '@smithy/node-http-handler';

/**
 * One attempt: a call that is sent twice may be delivered twice. `throwOnRequestTimeout` is not the default: without it
 * `requestTimeout` only warns (@smithy/node-http-handler 4.14).
 */
export function clientLimits() {
  return {
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler({
      connectionTimeout: 1_000,
      requestTimeout: 2_000,
      throwOnRequestTimeout: true,
    }),
  };
}

// The provider for models on Amazon Bedrock, called with the function's role instead of a key.
import { lazy } from '../../../core/async/lazy.ts';
import type { ModelProvider } from '../../../core/ports/providers.ts';
import type { Provider } from '../../../core/settings/organization-schema.ts';
import { omissionsOfClaude } from '../omissions.ts';
import type { ProviderPorts } from '../ports.ts';
import { withFewerCalls, withoutOtherCalls } from '../single-call.ts';
import { traceHeaders } from '../trace-headers.ts';
import { toBedrockFailure } from './errors.ts';
import { buildConverseRequest } from './request.ts';
import { toModelResult } from './response.ts';
import { sendToModel } from './send.ts';

const loadStream = lazy(() => import('./stream.ts'));

/** The stage setting `bedrock` must allow the role the models. */
export type BedrockSettings = Extract<Provider, { type: 'bedrock' }>;

export function createBedrockProvider(
  { region }: BedrockSettings,
  ports: Omit<ProviderPorts, 'secrets'>,
): ModelProvider {
  return {
    omissionsOf: (request) => omissionsOfClaude(request, 'bedrock'),
    async generate(request) {
      const { model, signal } = request;
      const body = buildConverseRequest(request);
      const answer = await sendToModel(
        { region, model, operation: 'converse', body, signal, headers: traceHeaders(request) },
        ports,
      );
      if (answer.status === 200) return withFewerCalls(toModelResult(answer.json, answer.status), request);
      throw toBedrockFailure(answer, ports.clock.now());
    },
    async *stream(request) {
      const { openConverse } = await loadStream();
      yield* withoutOtherCalls(await openConverse(region, ports, request), request);
    },
  };
}

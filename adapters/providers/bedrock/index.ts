// The provider for models on Amazon Bedrock, called with the function's role instead of a key.
import { lazy } from '../../../core/async/lazy.ts';
import type { ModelProvider } from '../../../core/ports/providers.ts';
import type { Provider } from '../../../core/settings/organization-schema.ts';
import { isPassed } from '../anthropic/passed.ts';
import { omissionsOfClaude } from '../omissions.ts';
import type { ProviderPorts } from '../ports.ts';
import { withoutOtherCalls } from '../single-call.ts';
import { generateConverse } from './converse.ts';

const loadStream = lazy(() => import('./stream.ts'));
const loadPassed = lazy(() => import('./passed.ts'));
const loadPassedRequest = lazy(() => import('./passed-request.ts'));

/** The stage setting `bedrock` must allow the role the models. */
export type BedrockSettings = Extract<Provider, { type: 'bedrock' }>;

export function createBedrockProvider(
  { region }: BedrockSettings,
  ports: Omit<ProviderPorts, 'secrets'>,
): ModelProvider {
  return {
    async omissionsOf(request) {
      if (!isPassed(request)) return omissionsOfClaude(request, 'bedrock');
      return (await loadPassedRequest()).omissionsOfPassed(request);
    },
    async generate(request) {
      if (isPassed(request)) return (await loadPassed()).generatePassed(region, ports, request);
      return generateConverse(region, ports, request);
    },
    async *stream(request) {
      if (isPassed(request)) {
        yield* await (await loadPassed()).openPassed(region, ports, request);
        return;
      }
      const { openConverse } = await loadStream();
      yield* withoutOtherCalls(await openConverse(region, ports, request), request);
    },
  };
}

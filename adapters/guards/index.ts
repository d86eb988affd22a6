// Every type of guard by a service, by its name in settings.
import { lazy } from '../../core/async/lazy.ts';
import type { GuardService } from '../../core/ports/guards.ts';
import type { ServiceGuard } from '../../core/settings/guards/guards-schema.ts';
import type { GuardOwner, GuardPorts } from './ports.ts';

// An organization uses one type or two.
const loadAzureShield = lazy(() => import('./azure-shield/index.ts'));
const loadClassifier = lazy(() => import('./classifier/index.ts'));
const loadModeration = lazy(() => import('./openai-moderation/index.ts'));
const loadBedrock = lazy(() => import('./bedrock/index.ts'));
const loadBedrockChecks = lazy(() => import('./bedrock/checks.ts'));
const loadPresidio = lazy(() => import('./presidio/index.ts'));
const loadWebhook = lazy(() => import('./webhook/index.ts'));

export type OpenGuardService = (guard: ServiceGuard, owner: GuardOwner) => Promise<GuardService>;

/** Nothing is read or connected before a call. */
export function createGuardServices(ports: GuardPorts): OpenGuardService {
  return async (guard, owner) => {
    switch (guard.type) {
      case 'azureShield':
        return (await loadAzureShield()).createAzureShieldGuard(guard, { ...ports, ...owner });
      case 'classifier':
        return (await loadClassifier()).createClassifierGuard(guard, { ...ports, ...owner });
      case 'openaiModeration':
        return (await loadModeration()).createModerationGuard(guard, { ...ports, ...owner });
      case 'bedrock':
        return (await loadBedrock()).createBedrockGuard(guard, ports);
      case 'bedrockChecks':
        return (await loadBedrockChecks()).createBedrockChecks(guard, ports);
      case 'presidio':
        return (await loadPresidio()).createPresidioGuard(guard, { ...ports, ...owner });
      case 'webhook':
        return (await loadWebhook()).createWebhookGuard(guard, { ...ports, ...owner });
    }
  };
}

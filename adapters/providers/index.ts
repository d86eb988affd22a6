// Every type of provider, by its name in settings.
import { lazy } from '../../core/async/lazy.ts';
import { ServiceError } from '../../core/contract/service-error.ts';
import type { ConfiguredProvider } from '../../core/flow/step.ts';
import type { EmbeddingProvider, ModelProvider } from '../../core/ports/providers.ts';
import type { Organization, Provider } from '../../core/settings/organization-schema.ts';
import { createEmbeddings } from './embeddings.ts';
import type { ProviderPorts } from './ports.ts';
import { modelWhenLoaded } from './when-loaded.ts';

// An organization uses one type or two.
const loadAnthropic = lazy(() => import('./anthropic/index.ts'));
const loadBedrock = lazy(() => import('./bedrock/index.ts'));
const loadEcho = lazy(() => import('./echo/index.ts'));
const loadOpenai = lazy(() => import('./openai/index.ts'));

/** A provider of the organization: one that makes texts, and one that makes embeddings where its type does. */
interface OrganizationProvider extends ConfiguredProvider {
  readonly embedding: EmbeddingProvider | undefined;
}

export type FindProvider = (name: string) => OrganizationProvider | undefined;

/**
 * Makes the lookup of an organization's providers; nothing is read or connected before a call. One that makes no text throws
 * `ServiceError` `configuration` when it is asked for one.
 */
export function createProviders(
  ports: ProviderPorts,
): (organizationId: string, settings: Organization['providers']) => FindProvider {
  return (organizationId, settings) => (name) => {
    const found = Object.hasOwn(settings, name) ? settings[name] : undefined;
    if (found === undefined) return undefined;
    return {
      provider: createProvider(organizationId, found, ports),
      embedding: createEmbeddings(organizationId, found, ports),
      timeoutMs: found.timeout,
    };
  };
}

function createProvider(organizationId: string, settings: Provider, ports: ProviderPorts): ModelProvider {
  switch (settings.type) {
    case 'echo':
      return modelWhenLoaded(async () => (await loadEcho()).createEchoProvider(settings, ports.clock));
    case 'anthropic':
      return modelWhenLoaded(
        async () => (await loadAnthropic()).createAnthropicProvider(settings, { ...ports, organizationId }),
        'anthropic',
      );
    case 'bedrock':
      return modelWhenLoaded(
        async () => (await loadBedrock()).createBedrockProvider(settings, ports),
        'bedrock',
      );
    case 'openai':
      return modelWhenLoaded(async () =>
        (await loadOpenai()).createOpenaiProvider(settings, { ...ports, organizationId }),
      );
    case 'lexical':
      return { generate: () => Promise.reject(new ServiceError('configuration', { reason: NO_TEXT })) };
  }
}

/** `apply` rejects a flow that asks it for one. */
const NO_TEXT = 'a provider of type lexical makes no text';

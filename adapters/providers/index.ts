// Every type of provider, by its name in settings.
import type { Organization, Provider } from '../../core/config/organization-schema.ts';
import { Refusal } from '../../core/contract/refusal.ts';
import type { ConfiguredProvider } from '../../core/flow/step.ts';
import type { Clock } from '../../core/ports/platform.ts';
import type { EmbeddingProvider, ModelProvider } from '../../core/ports/providers.ts';
import type { SecretReader } from '../../core/ports/stores.ts';
import type { Http } from '../http/message.ts';
import { createAnthropicProvider } from './anthropic/index.ts';
import { createBedrockProvider } from './bedrock/index.ts';
import { createEchoProvider } from './echo/index.ts';
import { createLexicalEmbeddings } from './lexical/index.ts';
import { createOpenaiEmbeddings } from './openai/embeddings.ts';
import { createOpenaiProvider } from './openai/index.ts';

/** What providers reach the outside through. */
export interface ProviderPorts {
  readonly secrets: SecretReader;
  readonly http: Http;
  readonly clock: Clock;
}

/** A provider of the organization: what makes texts, and what makes embeddings where its type does. */
export interface OrganizationProvider extends ConfiguredProvider {
  readonly embedding: EmbeddingProvider | undefined;
}

/** The providers of one organization, by name. */
export type FindProvider = (name: string) => OrganizationProvider | undefined;

/**
 * Makes the lookup of an organization's providers; nothing is read or connected before a call. A provider of a type that is
 * not built throws `Refusal` `configuration` when it is called.
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
      return createEchoProvider(settings, ports.clock);
    case 'anthropic':
      return createAnthropicProvider(settings, { ...ports, organizationId });
    case 'bedrock':
      return createBedrockProvider(settings, ports);
    case 'openai':
      return createOpenaiProvider(settings, { ...ports, organizationId });
    default:
      return createUnbuiltProvider(settings.type);
  }
}

function createEmbeddings(
  organizationId: string,
  settings: Provider,
  ports: ProviderPorts,
): EmbeddingProvider | undefined {
  switch (settings.type) {
    case 'lexical':
      return createLexicalEmbeddings();
    case 'openai':
      return createOpenaiEmbeddings(settings, { ...ports, organizationId });
    default:
      return undefined;
  }
}

function createUnbuiltProvider(type: string): ModelProvider {
  const reason = `providers of type ${type} are not supported yet`;
  return { generate: () => Promise.reject(new Refusal('configuration', { reason })) };
}

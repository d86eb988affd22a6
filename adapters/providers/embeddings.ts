// Every type of provider that makes embeddings, by its name in settings.

import type { EmbeddingProvider } from '../../core/ports/providers.ts';
import type { Provider } from '../../core/settings/organization-schema.ts';
import { createBedrockEmbeddings } from './bedrock/embed.ts';
import { createLexicalEmbeddings } from './lexical/index.ts';
import { createOpenaiEmbeddings } from './openai/embeddings.ts';
import type { ProviderPorts } from './ports.ts';

/** Undefined for a type that makes texts alone. */
export function createEmbeddings(
  organizationId: string,
  settings: Provider,
  ports: ProviderPorts,
): EmbeddingProvider | undefined {
  switch (settings.type) {
    case 'lexical':
      return createLexicalEmbeddings();
    case 'openai':
      return createOpenaiEmbeddings(settings, { ...ports, organizationId });
    case 'bedrock':
      return createBedrockEmbeddings(settings, ports);
    default:
      return undefined;
  }
}

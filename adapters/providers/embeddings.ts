// Every type of provider that makes embeddings, by its name in settings.

import type { EmbeddingProvider } from '../../core/ports/providers.ts';
import type { Provider } from '../../core/settings/organization-schema.ts';
import { lazy } from '../../core/time/lazy.ts';
import type { ProviderPorts } from './ports.ts';

const loadBedrock = lazy(() => import('./bedrock/embed.ts'));
const loadLexical = lazy(() => import('./lexical/index.ts'));
const loadOpenai = lazy(() => import('./openai/embeddings.ts'));

/** Undefined for a type that makes texts alone. */
export function createEmbeddings(
  organizationId: string,
  settings: Provider,
  ports: ProviderPorts,
): EmbeddingProvider | undefined {
  switch (settings.type) {
    case 'lexical':
      return whenLoaded(async () => (await loadLexical()).createLexicalEmbeddings());
    case 'openai':
      return whenLoaded(async () =>
        (await loadOpenai()).createOpenaiEmbeddings(settings, { ...ports, organizationId }),
      );
    case 'bedrock':
      return whenLoaded(async () => (await loadBedrock()).createBedrockEmbeddings(settings, ports));
    default:
      return undefined;
  }
}

/** The code of the type is loaded by its first call, within the time of the lookup. */
function whenLoaded(create: () => Promise<EmbeddingProvider>): EmbeddingProvider {
  return { embed: async (request) => (await create()).embed(request) };
}

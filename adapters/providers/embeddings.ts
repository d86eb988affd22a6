// Every type of provider that makes embeddings, by its name in settings.
import { lazy } from '../../core/async/lazy.ts';
import type { EmbeddingProvider } from '../../core/ports/providers.ts';
import type { Provider } from '../../core/settings/organization-schema.ts';
import type { ProviderPorts } from './ports.ts';
import { embeddingWhenLoaded } from './when-loaded.ts';

const loadBedrock = lazy(() => import('./bedrock/embed.ts'));
const loadLexical = lazy(() => import('./lexical/index.ts'));
const loadOpenai = lazy(() => import('./openai/embeddings.ts'));

/** Undefined for a type that makes only texts. */
export function createEmbeddings(
  organizationId: string,
  settings: Provider,
  ports: ProviderPorts,
): EmbeddingProvider | undefined {
  switch (settings.type) {
    case 'lexical':
      return embeddingWhenLoaded(async () => (await loadLexical()).createLexicalEmbeddings());
    case 'openai':
      return embeddingWhenLoaded(
        async () => (await loadOpenai()).createOpenaiEmbeddings(settings, { ...ports, organizationId }),
        true,
      );
    case 'bedrock':
      return embeddingWhenLoaded(async () => (await loadBedrock()).createBedrockEmbeddings(settings, ports));
    default:
      return undefined;
  }
}

// Validates which providers a neuron names: whether its organization has them, and whether they make what is asked of them.
import { findNearest } from '../../settings/members.ts';
import type { Organization } from '../../settings/organization-schema.ts';
import { errorAt, type PartDiagnostic } from '../diagnostic.ts';
import { findPaths } from '../find-paths.ts';

/** Where a neuron names a provider, and what the provider must be able to do there. */
const PROVIDER_REFERENCES = [
  { at: ['flow', '**', 'callModel', 'provider'], needs: 'text' },
  { at: ['flow', '**', 'callModel', 'targets', '*', 'provider'], needs: 'text' },
  { at: ['flow', '**', 'callModel', 'fallbacks', '*', 'provider'], needs: 'text' },
  { at: ['flow', '**', 'embed', 'provider'], needs: 'embeddings' },
  { at: ['flow', '**', 'embed', 'fallbacks', '*', 'provider'], needs: 'embeddings' },
  { at: ['caching', 'semantic', 'embedding', 'provider'], needs: 'embeddings' },
] as const;

/** By type of provider. */
const MAKES = {
  openai: ['text', 'embeddings'],
  anthropic: ['text'],
  bedrock: ['text', 'embeddings'],
  echo: ['text'],
  lexical: ['embeddings'],
} as const satisfies Record<Organization['providers'][string]['type'], readonly ('text' | 'embeddings')[]>;

/** An error for each provider that the organization lacks, and for each that makes something else. `document` is a neuron as written. */
export function validateProviders(
  document: unknown,
  { organization, providers }: Organization,
): PartDiagnostic[] {
  return PROVIDER_REFERENCES.flatMap(({ at, needs }) =>
    findPaths(document, at).flatMap(({ path, value }) => {
      const name = String(value);
      const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
      if (provider === undefined) {
        return [errorAt(path, unknownProvider(name, organization, Object.keys(providers)))];
      }
      const makes: readonly string[] = MAKES[provider.type];
      return makes.includes(needs)
        ? []
        : [errorAt(path, `${name} is of type ${provider.type}, which makes no ${needs}`)];
    }),
  );
}

function unknownProvider(name: string, organization: string, known: readonly string[]): string {
  const nearest = findNearest(name, known);
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  const named = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
  return `the organization ${organization} has no provider ${name} (${named})${hint}`;
}

// Finds where the settings of a neuron name a provider.
import { type Path, renderPath } from '../settings/path.ts';
import { findPaths } from './find-paths.ts';

/** The members of a neuron that name a provider, and what the provider must be able to do there. */
export const PROVIDER_REFERENCES = [
  { at: ['flow', '**', 'callModel', 'provider'], needs: 'text' },
  { at: ['flow', '**', 'callModel', 'targets', '*', 'provider'], needs: 'text' },
  { at: ['flow', '**', 'callModel', 'fallbacks', '*', 'provider'], needs: 'text' },
  { at: ['flow', '**', 'embed', 'provider'], needs: 'embeddings' },
  { at: ['flow', '**', 'embed', 'fallbacks', '*', 'provider'], needs: 'embeddings' },
  { at: ['caching', 'semantic', 'embedding', 'provider'], needs: 'embeddings' },
] as const;

/** A place that asks a provider, and for which model. */
export interface ProviderUse {
  /** `flow[0].callModel.fallbacks[0]`. */
  readonly at: string;
  readonly model: string | undefined;
}

/** `document`: a neuron as written, so that settings that this release cannot use are searched too. */
export function findProviderUses(document: unknown, provider: string): readonly ProviderUse[] {
  return PROVIDER_REFERENCES.flatMap(({ at }) => usesAt(document, at, provider));
}

function read(document: unknown, path: Path): unknown {
  return findPaths(document, path.map(String))[0]?.value;
}

/** The guards of an organization's library that ask a provider. `document`: as written. */
export function findGuardUses(document: unknown, provider: string): readonly ProviderUse[] {
  return usesAt(document, ['guards', '*', 'provider'], provider);
}

function usesAt(document: unknown, at: readonly string[], provider: string): readonly ProviderUse[] {
  return findPaths(document, at)
    .filter(({ value }) => value === provider)
    .map(({ path }) => {
      const place = path.slice(0, -1);
      const model = read(document, [...place, 'model']);
      return { at: renderPath(place), model: typeof model === 'string' ? model : undefined };
    });
}

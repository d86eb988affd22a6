// Providers whose code is loaded by their first call, within the time of the attempt or the lookup.
import { toModelEvents } from '../../core/ports/model-events.ts';
import type { EmbeddingProvider, ModelProvider } from '../../core/ports/providers.ts';

// Files that several types share are loaded at start: each more would cost a first call half a millisecond.
import './api-key.ts';
import './http-status.ts';
import './post-json.ts';
import './usage-and-stop-reasons.ts';

/** A provider without `stream` streams its answers in one piece. `traits` are known before the code is loaded. */
export function modelWhenLoaded(
  create: () => Promise<ModelProvider>,
  traits: Pick<ModelProvider, 'asksForJson'> = {},
): ModelProvider {
  return {
    ...traits,
    omissionsOf: async (request) => (await (await create()).omissionsOf?.(request)) ?? [],
    generate: async (request) => (await create()).generate(request),
    async *stream(request) {
      const provider = await create();
      if (provider.stream === undefined) yield* toModelEvents(await provider.generate(request));
      else yield* provider.stream(request);
    },
  };
}

/** `takesTokens` is known before the code is loaded. */
export function embeddingWhenLoaded(
  create: () => Promise<EmbeddingProvider>,
  takesTokens?: boolean,
): EmbeddingProvider {
  return {
    ...(takesTokens === undefined ? {} : { takesTokens }),
    embed: async (request) => (await create()).embed(request),
  };
}

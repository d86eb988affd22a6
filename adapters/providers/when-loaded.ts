// Providers whose code is loaded by their first call, within the time of the attempt or the lookup.
import { toModelEvents } from '../../core/ports/model-events.ts';
import type { EmbeddingProvider, ModelProvider } from '../../core/ports/providers.ts';
import { marksOfAnthropic, marksOfBedrock } from './cache-marks.ts';

// Files that several types share are loaded at start: each more would cost a first call half a millisecond.
import './api-key.ts';
import './http-status.ts';
import './post-json.ts';
import './usage-and-stop-reasons.ts';

/** Traits that are known of a type before its code is loaded: neither API has a member for JSON, both cache what is marked, and both take Messages; one takes guardrails. */
const TRAITS = {
  anthropic: { asksForJson: true, passesOn: true, cacheMarksOf: marksOfAnthropic },
  bedrock: { asksForJson: true, passesOn: true, takesGuardrails: true, cacheMarksOf: marksOfBedrock },
} as const;

/** A provider without `stream` streams its answers in one piece. */
export function modelWhenLoaded(
  create: () => Promise<ModelProvider>,
  type?: keyof typeof TRAITS,
): ModelProvider {
  return {
    ...(type === undefined ? {} : TRAITS[type]),
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

// Requests for tests of the cache, and a cache in memory to look them up in.

import type { EmbedPorts } from '../../../core/cache/embed.ts';
import { readExact } from '../../../core/cache/exact.ts';
import { createInFlightRuns, type InFlightRuns } from '../../../core/cache/in-flight.ts';
import { type CacheLookup, lookUp } from '../../../core/cache/lookup.ts';
import { type CacheRequest, planCaching } from '../../../core/cache/plan.ts';
import { findSemantic, type SemanticSearchPorts } from '../../../core/cache/semantic-search.ts';
import { writeAnswer } from '../../../core/cache/write.ts';
import { conversationOf, inputOf } from '../../../core/conversation/conversation.ts';
import { createCircuitBreakers } from '../../../core/flow/circuit-breaker.ts';
import type { CachedAnswer } from '../../../core/ports/response-cache.ts';
import type { Flow } from '../../../core/settings/flow-schema.ts';
import { parseFlow } from '../../../core/settings/flow-schema.ts';
import { neuronSettingsSchema } from '../../../core/settings/neuron-schema.ts';
import { organizationSchema } from '../../../core/settings/organization-schema.ts';
import type { UsableSettings } from '../../../core/settings/usable-settings.ts';
import { createMemoryClock, type MemoryClock } from '../../support/memory/clock.ts';
import { createMemoryResponseCache, createMemoryVectorIndex } from '../../support/memory/response-cache.ts';

/** What a test may say of a request; the rest is the same for all. */
export interface Input {
  readonly organizationId?: string;
  readonly neuronId?: string;
  readonly deployment?: number | undefined;
  readonly cacheGeneration?: number;
  readonly version?: string;
  readonly access?: object;
  readonly caching?: object;
  readonly providers?: object;
  readonly flow?: unknown;
  readonly caller?: CacheRequest['caller'];
  readonly preview?: boolean;
  readonly input?: string;
  readonly bypassCache?: boolean;
}

export const NOW_MS = 1_795_264_200_000;
export const FLOW = [{ callModel: { provider: 'models', model: 'm' } }];
export const SEMANTIC = { threshold: 0.95, embedding: { provider: 'models', model: 'e' } };
const PROVIDERS = { models: { type: 'openai', baseUrl: 'https://models.example.com/v1' } };

export function settingsOf(options: Input = {}): UsableSettings {
  return {
    organizationId: options.organizationId ?? 'org-1',
    neuronId: options.neuronId ?? 'neu-1',
    organization: organizationSchema.parse({
      organization: 'acme',
      providers: options.providers ?? PROVIDERS,
    }),
    neuron: neuronSettingsSchema.parse({
      neuron: 'acme/hello',
      access: options.access ?? { apiKey: true },
      caching: options.caching ?? { exact: true },
    }),
    deployment:
      'deployment' in options && options.deployment === undefined
        ? undefined
        : { version: options.version ?? 'v1', number: options.deployment ?? 1 },
    previewKeys: {},
    cacheGeneration: options.cacheGeneration ?? 0,
    pause: undefined,
    maintenance: undefined,
    version: { organization: 1, neuron: 1 },
  };
}

export function requestOf(options: Input = {}): CacheRequest {
  const flow = parseFlow(options.flow ?? FLOW) as Flow;
  return {
    settings: settingsOf(options),
    version: { id: options.version ?? 'v1', flow },
    preview: options.preview ?? false,
    caller: options.caller ?? { keyId: 'key-1' },
    conversation: conversationOf(options.input ?? 'Hello'),
    bypassCache: options.bypassCache ?? false,
  };
}

/** A whole answer that says what it is. */
export function answerOf(output: string, more: Partial<CachedAnswer> = {}): CachedAnswer {
  return {
    output,
    costMicrodollars: 17,
    tokensInput: 3,
    tokensOutput: 5,
    executionId: `exec of ${output}`,
    storedAtMs: NOW_MS,
    expiresAt: NOW_MS / 1000 + 3600,
    ...more,
  };
}

/** A cache in memory: `find` looks up, `store` writes what a run would leave. */
export interface TestCache {
  readonly clock: MemoryClock;
  readonly inFlight: InFlightRuns;
  find(request: CacheRequest): Promise<CacheLookup>;
  store(request: CacheRequest, output: string): Promise<void>;
}

/** Every text has the same vector unless a test says otherwise. */
export function createTestCache({
  outcomes = async () => '',
  ...options
}: Partial<SemanticSearchPorts> & { outcomes?: () => Promise<string> } = {}): TestCache {
  const clock = createMemoryClock(NOW_MS);
  const ports: SemanticSearchPorts & EmbedPorts = {
    clock,
    responses: createMemoryResponseCache(),
    vectors: createMemoryVectorIndex(),
    breakers: createCircuitBreakers(clock).within('org-1'),
    findEmbedding: () => ({ embed: async () => ({ vectors: [vectorAt(0)], tokensInput: 4 }) }),
    reserve: async () => ({ settle: () => undefined }),
    costOf: (_provider, _model, { input }) => input * 2,
    ...options,
  };
  const inFlight = createInFlightRuns();
  const find = async (request: CacheRequest) => {
    const plan = planCaching(request);
    return lookUp({
      plan,
      exact: plan.kind === 'use' ? readExact(plan.key, ports) : Promise.resolve({ kind: 'absent' }),
      inFlight,
      now: clock.now,
      signal: new AbortController().signal,
      semanticSearch: (key, semantic) =>
        findSemantic(
          { key, semantic, settings: request.settings, input: inputOf(request.conversation), outcomes },
          ports,
        ),
    });
  };
  return {
    clock,
    inFlight,
    async find(request) {
      const found = await find(request);
      found.complete?.(undefined);
      return found;
    },
    async store(request, output) {
      const plan = planCaching(request);
      const found = await find(request);
      found.complete?.(undefined);
      if (plan.kind !== 'use') throw new Error('this request is not cached');
      const { semantic } = found;
      const now = { storedAtMs: clock.now(), expiresAt: clock.now() / 1000 + 3600 };
      const more = { ...now, ...(semantic === undefined ? {} : { semanticScope: semantic.scope }) };
      await writeAnswer(plan.key, answerOf(output, more), semantic, ports);
    },
  };
}

/** A vector of 512 numbers, so many degrees from the first axis. */
export function vectorAt(degrees: number): number[] {
  const radians = (degrees * Math.PI) / 180;
  return [Math.cos(radians), Math.sin(radians), ...new Array<number>(510).fill(0)];
}

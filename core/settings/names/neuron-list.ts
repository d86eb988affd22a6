// Caches what a list of models says of the neurons of an organization: reading them all takes a page for each megabyte.

import { createCache } from '../../async/cache.ts';
import type { Clock } from '../../time/clock.ts';
import { type BlockableCaller, requireUnblocked, toUsableBlocks } from '../blocks/blocks.ts';
import { type NeuronSettings, neuronSettingsSchema } from '../neuron-schema.ts';
import { ERROR_BACKOFF_MS, type SettingsCacheLimits } from '../settings-cache.ts';
import type { NeuronListStore, StoredNeuron, StoredNeuronList } from '../stored-settings.ts';
import { type PausableKey, requireOpen } from '../usable-settings.ts';

/** A neuron that has a deployed version and settings that can be used. */
export interface ListedNeuron extends Pick<NeuronSettings, 'access' | 'models' | 'mcp'> {
  readonly slug: string;
  readonly organizationId: string;
  readonly neuronId: string;
  /** The id of the deployed one. */
  readonly version: string;
  readonly displayName: string | undefined;
}

export interface NeuronLists {
  /**
   * By slug, for a caller with a key of these grants. Throws `ServiceError` `maintenance`, `organization_paused`, `key_paused` and `caller_blocked`, and what
   * the store throws.
   */
  read(
    organization: string,
    organizationId: string,
    grants: PausableKey | undefined,
    caller?: BlockableCaller,
  ): Promise<readonly ListedNeuron[]>;
}

interface CachedList {
  readonly closed: Pick<StoredNeuronList, 'maintenance' | 'organization'>;
  readonly neurons: readonly ListedNeuron[];
}

/** A cache over a store. `maximum`: organizations. */
export function cacheNeuronLists(
  store: NeuronListStore,
  clock: Clock,
  { ttlMs, maxStaleMs, maximum }: Omit<SettingsCacheLimits, 'unknownMs'>,
): NeuronLists {
  const cache = createCache<CachedList>(clock, {
    maximum,
    maxStaleMs,
    errorBackoffMs: ERROR_BACKOFF_MS,
    backOffWithoutValue: false,
  });
  return {
    async read(organization, organizationId, grants, caller) {
      const { value } = await cache.read(organization, {
        isFresh: (_list, ageMs) => ageMs < ttlMs,
        async load() {
          const { neurons, ...closed } = await store.list(organization);
          return { closed, neurons: neurons.flatMap((neuron) => toListed(neuron)) };
        },
      });
      const { maintenance, organization: owner } = value.closed;
      const nowMs = clock.now();
      requireOpen({ maintenance, pause: owner?.pause }, grants, nowMs);
      const blocks = toUsableBlocks({ organization: owner, neuron: undefined });
      if (caller !== undefined) requireUnblocked(blocks, caller, nowMs);
      return value.neurons.filter((neuron) => neuron.organizationId === organizationId);
    },
  };
}

function toListed(neuron: StoredNeuron): ListedNeuron[] {
  const { id: neuronId, organizationId, slug, deployment, document } = neuron;
  const parsed = neuronSettingsSchema.safeParse(document);
  if (deployment === undefined || !parsed.success) return [];
  const { access, models, mcp, name: displayName } = parsed.data;
  const { version } = deployment;
  return [{ slug, organizationId, neuronId, version, access, models, mcp, displayName }];
}

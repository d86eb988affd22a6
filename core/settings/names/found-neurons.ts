// Remembers which neuron a key reached by a name, so that most calls of an organization's URL read nothing besides.
import { createBoundedMap } from '../../async/bounded-map.ts';
import { ageOf, type Clock, type Moment, momentOf } from '../../time/clock.ts';

/** Names that reach no neuron, for each key, minute and execution environment: each costs up to 44 reads, which no limit counts. */
export const MAX_UNKNOWN_NAMES = 300;

/** A key and the name that it sent. Ids and names hold no line end. */
export interface KeyAndName {
  readonly keyId: string;
  readonly organizationId: string;
  readonly name: string;
}

/**
 * By key: one that a neuron refuses finds nothing of what another key made known, and so no answer sooner. Slugs only: whether the key may
 * call the neuron is decided anew.
 */
export interface FoundNeurons {
  /** The slug, not older than settings may be; while the store of names fails, older. */
  get(asked: KeyAndName, isStoreDown?: boolean): string | undefined;
  put(asked: KeyAndName, slug: string): void;
}

/** Times in milliseconds. */
interface FoundNeuronLimits {
  readonly ttlMs: number;
  readonly maxStaleMs: number;
  readonly maximum: number;
}

export function createFoundNeurons(
  clock: Clock,
  { ttlMs, maxStaleMs, maximum }: FoundNeuronLimits,
): FoundNeurons {
  const found = createBoundedMap<{ readonly slug: string; readonly foundAt: Moment }>(maximum);
  return {
    get(asked, isStoreDown = false) {
      const one = found.get(keyOf(asked));
      if (one === undefined || ageOf(clock, one.foundAt) >= (isStoreDown ? maxStaleMs : ttlMs))
        return undefined;
      return one.slug;
    },
    put(asked, slug) {
      found.put(keyOf(asked), { slug, foundAt: momentOf(clock) });
    },
  };
}

function keyOf({ organizationId, keyId, name }: KeyAndName): string {
  return `${organizationId}\n${keyId}\n${name}`;
}

// Turns what the settings store gives into settings that access control can judge, or into the reason why it cannot.
import type { Access } from '../config/access-schema.ts';
import { type NeuronSettings, neuronSettingsSchema } from '../config/neuron-schema.ts';
import { isSlug } from '../contract/slugs.ts';
import type { SettingsStore, StoredSettings } from '../ports/stores.ts';
import type { AccessRequest } from './request.ts';

/** What a decision needs of a neuron. Ids, since a slug may be deleted and used again. */
export interface UsableSettings {
  readonly outcome: 'usable';
  readonly organizationId: string;
  readonly neuronId: string;
  readonly access: Access;
}

/** `not_found`: unknown, or settings that cannot be used. `unavailable`: the store failed. */
export type UnusableSettings =
  | { readonly outcome: 'not_found'; readonly reason: string }
  | { readonly outcome: 'unavailable'; readonly reason: string; readonly cause: unknown };

/** Settings as `decide` takes them. */
export type AccessSettings = UsableSettings | UnusableSettings;

/** Usable settings with all that the neuron's document says, and what the store gave. */
export interface ReadSettings extends UsableSettings {
  readonly settings: NeuronSettings;
  readonly stored: StoredSettings;
}

type Slugs = Pick<AccessRequest, 'organization' | 'neuron'>;

/** Reads the settings of the neuron that a path names. Never throws. */
export async function readAccessSettings(
  store: SettingsStore,
  slugs: Slugs,
): Promise<ReadSettings | UnusableSettings> {
  // Before the store is asked: other text could spell the key of another item.
  if (!isSlug(slugs.organization) || !isSlug(slugs.neuron)) return notFound('the path holds no slugs');
  try {
    return toAccessSettings(await store.read(slugs.organization, slugs.neuron), slugs);
  } catch (cause) {
    return { outcome: 'unavailable', reason: 'the settings could not be read', cause };
  }
}

/** Judges whether stored settings are those of the neuron that a path names, and can be used. */
export function toAccessSettings(stored: StoredSettings, slugs: Slugs): ReadSettings | UnusableSettings {
  const { organization, neuron } = stored;
  if (organization === undefined) return notFound('the organization is unknown');
  if (neuron === undefined) return notFound('the neuron is unknown');
  if (organization.slug !== slugs.organization || neuron.slug !== slugs.neuron) {
    return notFound('the settings are those of another neuron');
  }
  // A neuron that was left behind by a deleted organization of the same slug.
  if (neuron.organizationId !== organization.id) return notFound('the neuron is of another organization');
  const parsed = neuronSettingsSchema.safeParse(neuron.document);
  if (!parsed.success) return notFound('the settings of the neuron do not parse');
  return {
    outcome: 'usable',
    organizationId: organization.id,
    neuronId: neuron.id,
    access: parsed.data.access,
    settings: parsed.data,
    stored,
  };
}

function notFound(reason: string): UnusableSettings {
  return { outcome: 'not_found', reason };
}

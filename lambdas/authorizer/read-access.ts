// Reads the settings of the neuron that a path names, as access control takes them.
import type { AccessRequest } from '../../core/access/request.ts';
import type { AccessSettings } from '../../core/access/settings.ts';
import { isSlug } from '../../core/contract/slugs.ts';
import type { CachedSettings } from '../../core/settings/settings-cache.ts';
import type { UsableSettings } from '../../core/settings/usable-settings.ts';

interface NeuronAccess {
  readonly access: AccessSettings;
  /** Undefined where they cannot be used, or not be read. */
  readonly settings: UsableSettings | undefined;
}

/** Never throws: a store that fails is `unavailable`. */
export async function readAccess(
  cached: CachedSettings,
  { organization, neuron }: AccessRequest,
): Promise<NeuronAccess> {
  // Before the store is asked: other text could spell the key of another item.
  if (!isSlug(organization) || !isSlug(neuron)) return notFound('the path holds no slugs');
  try {
    const { verdict } = await cached.read(organization, neuron);
    if (!verdict.usable) return notFound(verdict.reason);
    const { settings } = verdict;
    const { organizationId, neuronId } = settings;
    const access = { outcome: 'usable', organizationId, neuronId, access: settings.neuron.access } as const;
    return { access, settings };
  } catch (cause) {
    const access = { outcome: 'unavailable', reason: 'the settings could not be read', cause } as const;
    return { access, settings: undefined };
  }
}

function notFound(reason: string): NeuronAccess {
  return { access: { outcome: 'not_found', reason }, settings: undefined };
}

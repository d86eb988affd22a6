// Reads the settings of the neuron that a path names, as access control takes them.
import type { AccessRequest } from '../../core/access/request.ts';
import type { AccessSettings } from '../../core/access/settings.ts';
import { isSlug } from '../../core/contract/slugs.ts';
import type { CachedSettings } from '../../core/settings/settings-cache.ts';
import type { UsableSettings } from '../../core/settings/usable-settings.ts';

/** What access control judges, and the whole of the settings where there are any. */
export interface SettingsRead {
  readonly access: AccessSettings;
  readonly settings: UsableSettings | undefined;
}

/** Never throws: a store that fails is `unavailable`. */
export async function readSettings(cached: CachedSettings, request: AccessRequest): Promise<SettingsRead> {
  const { organization, neuron } = request;
  // Before the store is asked: other text could spell the key of another item.
  if (!isSlug(organization) || !isSlug(neuron)) return unusable('not_found', 'the path holds no slugs');
  try {
    const { verdict } = await cached.read(organization, neuron);
    if (!verdict.usable) return unusable('not_found', verdict.reason);
    const { settings } = verdict;
    const { organizationId, neuronId } = settings;
    return {
      access: { outcome: 'usable', organizationId, neuronId, access: settings.neuron.access },
      settings,
    };
  } catch (cause) {
    return {
      access: { outcome: 'unavailable', reason: 'the settings could not be read', cause },
      settings: undefined,
    };
  }
}

function unusable(outcome: 'not_found', reason: string): SettingsRead {
  return { access: { outcome, reason }, settings: undefined };
}

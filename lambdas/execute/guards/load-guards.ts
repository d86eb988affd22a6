// The guards of a neuron, ready to be run, with the libraries that they ask for.
import { lazy } from '../../../core/async/lazy.ts';
import { ServiceError } from '../../../core/contract/service-error.ts';
import {
  type ActiveGuard,
  activeGuards,
  asksForPhones,
  NO_TOOLS,
} from '../../../core/guards/active-guards.ts';
import type { GuardKeys } from '../../../core/guards/request-guards.ts';
import { LOG_KEY_NAME } from '../../../core/ports/log-key.ts';
import type { OpenSettings } from '../../../core/settings/usable-settings.ts';
import type { ExecutionPorts } from '../run.ts';

const loadPhones = lazy(() => import('../../../adapters/phone/is-phone-number.ts'));

// By the settings, which stay in memory: patterns are compiled once.
const known = new WeakMap<OpenSettings, readonly ActiveGuard[]>();

/** Throws 500 `configuration` for guards that cannot be run. */
export async function guardsOf(settings: OpenSettings): Promise<readonly ActiveGuard[]> {
  const before = known.get(settings);
  if (before !== undefined) return before;
  try {
    const tools = asksForPhones(settings.organization.guards) ? await loadPhones() : NO_TOOLS;
    const active = activeGuards(settings, tools);
    known.set(settings, active);
    return active;
  } catch (cause) {
    const reason = `a guard cannot be run: ${cause instanceof Error ? cause.message : 'unknown'}`;
    throw new ServiceError('configuration', { reason, cause });
  }
}

/** Placeholders are those of a neuron, digests in the log those of its organization. Read only where a guard has use for them. */
export async function keysOf(
  { organizationId, neuronId }: OpenSettings,
  active: readonly ActiveGuard[],
  { secrets }: Pick<ExecutionPorts, 'secrets'>,
): Promise<GuardKeys> {
  if (!active.some(({ action, hasFingerprints }) => action === 'mask' || hasFingerprints))
    return { masks: '', finds: '' };
  const key = await secrets.read(organizationId, 'providers', LOG_KEY_NAME).catch(() => undefined);
  if (key !== undefined) return { masks: `masks ${neuronId} ${key}`, finds: `finds ${key}` };
  const reason = `the key of masks and fingerprints, ${LOG_KEY_NAME}, could not be read`;
  throw new ServiceError('dependency_unavailable', { reason });
}

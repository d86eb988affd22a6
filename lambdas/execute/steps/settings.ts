// Reads the settings of the neuron that a path names, and takes from them whose log the request belongs in and how long it may run.
import type { Admission, ExecutionRequest } from '../../../adapters/apigateway/proxy-event.ts';
import { ServiceError } from '../../../core/contract/service-error.ts';
import { isSlug } from '../../../core/contract/slugs.ts';
import type { LogSubject } from '../../../core/logs/build-entry.ts';
import type { KnownSettings } from '../../../core/settings/settings-cache.ts';
import { parseSettingsVersion, type UsableSettings } from '../../../core/settings/usable-settings.ts';
import { type Deadline, startDeadline } from '../../../core/time/deadline.ts';
import type { ExecutionPorts } from '../run.ts';

/** How long entries of a neuron are kept whose settings cannot say so. */
const DEFAULT_RETENTION_MS = 90 * 86_400_000;

/**
 * Undefined where the path names nothing that could be stored, and for a denied request, which the authorizer has logged. Throws 503
 * `dependency_unavailable`.
 */
export async function readSettings(
  { organization, neuron, authorizerContext }: ExecutionRequest,
  { settings }: Pick<ExecutionPorts, 'settings'>,
): Promise<KnownSettings | undefined> {
  if (authorizerContext?.outcome === 'denied') return undefined;
  // Before the store is asked: other text could spell the key of another item.
  if (!isSlug(organization) || !isSlug(neuron)) return undefined;
  const seen =
    authorizerContext?.outcome === 'allow'
      ? parseSettingsVersion(authorizerContext.settingsVersion)
      : undefined;
  try {
    return await settings.read(organization, neuron, seen);
  } catch (cause) {
    throw new ServiceError('dependency_unavailable', { reason: 'the settings could not be read', cause });
  }
}

/** Whose log a request belongs in; undefined for a neuron that does not exist. A denied request gets neither a line nor an entry. */
export function toSubject(
  { organization, neuron }: ExecutionRequest,
  known: KnownSettings | undefined,
): LogSubject | undefined {
  if (known === undefined) return undefined;
  const { stored, verdict } = known;
  if (stored.organization === undefined || stored.neuron === undefined) return undefined;
  return {
    organization,
    organizationId: stored.organization.id,
    neuron,
    neuronId: stored.neuron.id,
    retentionMs: verdict.usable ? verdict.settings.neuron.logging.retention : DEFAULT_RETENTION_MS,
  };
}

/** The same before the settings are read. */
export function authorizedSubject({
  organization,
  neuron,
  authorizerContext,
}: ExecutionRequest): LogSubject | undefined {
  if (authorizerContext?.outcome !== 'allow') return undefined;
  const { organizationId, neuronId } = authorizerContext;
  return { organization, organizationId, neuron, neuronId, retentionMs: DEFAULT_RETENTION_MS };
}

/** 404 `not_found` for settings that cannot be used, or belong to another neuron: the slug may have been deleted and reused in between. */
export function useSettings(known: KnownSettings | undefined, admission: Admission): UsableSettings {
  if (known === undefined || !known.verdict.usable) throw new ServiceError('not_found');
  const { settings } = known.verdict;
  const isSame =
    settings.organizationId === admission.organizationId && settings.neuronId === admission.neuronId;
  if (isSame) return settings;
  const reason = 'the slug names another neuron than the one that was authorized';
  throw new ServiceError('not_found', { reason });
}

/** The neuron's deadline, cut to the stage's, from the start of the request on. */
export function startRunDeadline(
  { neuron }: UsableSettings,
  startedMs: number,
  { clock, maxDeadlineMs }: Pick<ExecutionPorts, 'clock' | 'maxDeadlineMs'>,
): Deadline {
  const deadlineMs = Math.min(neuron.deadline, maxDeadlineMs);
  return startDeadline(clock, deadlineMs - (clock.monotonicMs() - startedMs));
}

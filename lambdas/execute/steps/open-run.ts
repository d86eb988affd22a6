// Opens the run: names the subject of the log, reads the settings, requires the authorizer's admission, starts the deadline.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type ExecutionRequest, toExecutionRequest } from '../../../adapters/apigateway/proxy-event.ts';
import { ServiceError } from '../../../core/contract/service-error.ts';
import { isSlug } from '../../../core/contract/slugs.ts';
import type { LogSubject } from '../../../core/logs/build-entry.ts';
import { requireOpen } from '../../../core/settings/closed.ts';
import type { CachedSettings, KnownSettings } from '../../../core/settings/settings-cache.ts';
import { parseSettingsVersion, type UsableSettings } from '../../../core/settings/usable-settings.ts';
import type { Clock } from '../../../core/time/clock.ts';
import { startDeadline } from '../../../core/time/deadline.ts';
import { toAdmission } from '../admission.ts';
import type { AuthorizedRun, ConfiguredRun, KnownRun, OpenedRun, ServingRun } from '../run.ts';

/** How long entries of a neuron are kept whose settings cannot say so. */
const DEFAULT_RETENTION_MS = 90 * 86_400_000;

/** Never throws. When the settings cannot be read, the authorizer's ids still say whose call it was. */
export function openRun(event: APIGatewayProxyEvent, { clock }: { readonly clock: Clock }): OpenedRun {
  const request = toExecutionRequest(event, clock.now());
  return { request, startedMs: clock.monotonicMs(), subject: authorizedSubject(request) };
}

/**
 * 503 `dependency_unavailable`. From here on a request for a neuron that exists is in the log. A denied one is there already, so
 * nothing is read for it: without a subject it gets neither a line nor an entry.
 */
export async function readSettings(
  run: OpenedRun,
  { settings }: { readonly settings: CachedSettings },
): Promise<KnownRun> {
  const known = await read(run.request, settings);
  return { ...run, known, subject: known === undefined ? undefined : toSubject(run.request, known) };
}

/** 403 with the code of a denial, 404 `not_found`, 500 `configuration`, 503 `dependency_unavailable`: whatever the authorizer found. */
export function requireAdmission(run: KnownRun): AuthorizedRun {
  const { request, known } = run;
  const unusableBecause = known?.verdict.usable === false ? known.verdict.reason : undefined;
  return { ...run, admission: toAdmission(request, unusableBecause) };
}

/** What using settings needs. */
interface UseSettingsPorts {
  readonly clock: Clock;
  /** The longest deadline of this stage, in milliseconds. */
  readonly maxDeadlineMs: number;
}

/**
 * The longest time from a request's arrival at API Gateway to here, cold starts and the authorizer included. A caller can hold the body
 * back after the headers: such a request would run in another second than it is counted in, and with a token that has expired.
 */
export const MAX_REQUEST_AGE_MS = 30_000;

/** 503 `deadline_exceeded` for a request that arrived too long ago. One that is younger than the clock allows for is not refused. */
export function rejectOld(run: AuthorizedRun, { clock }: { readonly clock: Clock }): AuthorizedRun {
  const ageMs = clock.now() - run.request.timeMs;
  if (ageMs <= MAX_REQUEST_AGE_MS) return run;
  const reason = `the request arrived ${Math.floor(ageMs / 1000)} s before its body`;
  throw new ServiceError('deadline_exceeded', { reason });
}

/** 404 `not_found` for settings that cannot be used, or belong to another neuron: the slug may have been deleted and reused in between. */
export function useSettings(run: AuthorizedRun, { clock, maxDeadlineMs }: UseSettingsPorts): ConfiguredRun {
  const { known, admission, startedMs } = run;
  if (known === undefined || !known.verdict.usable) throw new ServiceError('not_found');
  const { settings } = known.verdict;
  const same =
    settings.organizationId === admission.organizationId && settings.neuronId === admission.neuronId;
  if (!same)
    throw new ServiceError('not_found', {
      reason: 'the slug names another neuron than the one that was authorized',
    });
  const deadlineMs = Math.min(settings.neuron.deadline, maxDeadlineMs);
  return { ...run, settings, deadline: startDeadline(clock, deadlineMs - (clock.monotonicMs() - startedMs)) };
}

/** 503 `maintenance`, then 429 `organization_paused`. */
export function rejectWhileClosed(run: ConfiguredRun): ServingRun {
  const settings: UsableSettings = run.settings;
  requireOpen(settings);
  return { ...run, settings };
}

async function read(
  { organization, neuron, authorizerContext }: ExecutionRequest,
  settings: CachedSettings,
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

function authorizedSubject({
  organization,
  neuron,
  authorizerContext,
}: ExecutionRequest): LogSubject | undefined {
  if (authorizerContext?.outcome !== 'allow') return undefined;
  const { organizationId, neuronId } = authorizerContext;
  return { organization, organizationId, neuron, neuronId, retentionMs: DEFAULT_RETENTION_MS };
}

/** Whose entry the request becomes: undefined for a neuron that does not exist. */
function toSubject(
  { organization, neuron }: ExecutionRequest,
  { stored, verdict }: KnownSettings,
): LogSubject | undefined {
  if (stored.organization === undefined || stored.neuron === undefined) return undefined;
  return {
    organization,
    organizationId: stored.organization.id,
    neuron,
    neuronId: stored.neuron.id,
    retentionMs: verdict.usable ? verdict.settings.neuron.logging.retention : DEFAULT_RETENTION_MS,
  };
}

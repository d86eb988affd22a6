// Opens the run: reads the settings, names the subject of the log, checks the admission, starts the deadline.
import { toExecutionRequest } from '../../../adapters/apigateway/proxy-event.ts';
import { ServiceError } from '../../../core/contract/service-error.ts';
import { isSlug } from '../../../core/contract/slugs.ts';
import type { LogSubject } from '../../../core/logs/build-entry.ts';
import type { CachedSettings, KnownSettings } from '../../../core/settings/settings-cache.ts';
import { parseSettingsVersion, type UsableSettings } from '../../../core/settings/usable-settings.ts';
import type { Clock } from '../../../core/time/clock.ts';
import { startDeadline } from '../../../core/time/deadline.ts';
import { type Admission, type Run, toAdmission } from '../run.ts';
import { type Step, setRun } from './record.ts';

/** What opening a run needs. */
export interface OpenRunPorts {
  readonly clock: Clock;
  readonly settings: CachedSettings;
  /** The longest deadline of this stage, in milliseconds. */
  readonly maxDeadlineMs: number;
}

/** How long entries of a neuron are kept whose settings cannot say so. */
const DEFAULT_RETENTION_MS = 90 * 86_400_000;

/** 404 `not_found`, 500 `configuration`, 503 `dependency_unavailable`. From here on a request for an existing neuron is in the log. */
export function openRun(ports: OpenRunPorts): Step {
  return {
    async before({ event }) {
      const run: Run = { request: toExecutionRequest(event), startedAtMs: ports.clock.now() };
      setRun(event, run);
      // Should the settings fail to be read, the ids that the authorizer judged still name whose call it was.
      run.subject = judgedSubject(run);
      const known = await readSettings(run, ports.settings);
      run.subject = known === undefined ? undefined : toSubject(run, known);
      run.admission = toAdmission(
        run.request,
        known?.verdict.usable === false ? known.verdict.reason : undefined,
      );
      run.settings = admittedSettings(run.admission, known);
      const deadlineMs = Math.min(run.settings.neuron.deadline, ports.maxDeadlineMs);
      run.deadline = startDeadline(ports.clock, run.startedAtMs + deadlineMs);
    },
  };
}

async function readSettings({ request }: Run, settings: CachedSettings): Promise<KnownSettings | undefined> {
  const { organization, neuron, authorizerContext } = request;
  // Before the store is asked: other text could spell the key of another item.
  if (!isSlug(organization) || !isSlug(neuron)) return undefined;
  const judged =
    authorizerContext?.outcome === 'allow'
      ? parseSettingsVersion(authorizerContext.settingsVersion)
      : undefined;
  try {
    return await settings.read(organization, neuron, judged);
  } catch (cause) {
    throw new ServiceError('dependency_unavailable', { reason: 'the settings could not be read', cause });
  }
}

function judgedSubject({ request }: Run): LogSubject | undefined {
  const { organization, neuron, authorizerContext } = request;
  if (authorizerContext?.outcome !== 'allow') return undefined;
  const { organizationId, neuronId } = authorizerContext;
  return { organization, organizationId, neuron, neuronId, retentionMs: DEFAULT_RETENTION_MS };
}

/** Whose entry the request becomes: undefined for a neuron that does not exist. */
function toSubject({ request }: Run, { stored, verdict }: KnownSettings): LogSubject | undefined {
  if (stored.organization === undefined || stored.neuron === undefined) return undefined;
  return {
    organization: request.organization,
    organizationId: stored.organization.id,
    neuron: request.neuron,
    neuronId: stored.neuron.id,
    retentionMs: verdict.usable ? verdict.settings.neuron.logging.retention : DEFAULT_RETENTION_MS,
  };
}

/** The settings, if they can be used and are those of the neuron that was judged: a slug may have been given anew in between. */
function admittedSettings(admission: Admission, known: KnownSettings | undefined): UsableSettings {
  if (known === undefined || !known.verdict.usable) throw new ServiceError('not_found');
  const { settings } = known.verdict;
  const same =
    settings.organizationId === admission.organizationId && settings.neuronId === admission.neuronId;
  if (!same)
    throw new ServiceError('not_found', {
      reason: 'the slug names another neuron than the one that was judged',
    });
  return settings;
}

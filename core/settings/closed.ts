// Rejects requests while the service is in maintenance or the organization is paused.
import { ServiceError } from '../contract/service-error.ts';
import type { Maintenance, OrganizationPause } from './stored-settings.ts';

/** States that close a neuron for a time; both are set by commands and never by a file. */
interface ClosedState {
  readonly maintenance: Maintenance | undefined;
  readonly pause: OrganizationPause | undefined;
}

/** Nothing closes the neuron. */
interface OpenState {
  readonly maintenance: undefined;
  readonly pause: undefined;
}

/** Throws `ServiceError` `maintenance` (503), then `organization_paused` (429), each with the operator's Retry-After. */
export function requireOpen<S extends ClosedState>(settings: S): asserts settings is S & OpenState {
  const { maintenance, pause } = settings;
  if (maintenance !== undefined) {
    throw new ServiceError('maintenance', { retryAfterMs: maintenance.retryAfterSeconds * 1000 });
  }
  if (pause !== undefined) {
    throw new ServiceError('organization_paused', { retryAfterMs: pause.retryAfterSeconds * 1000 });
  }
}

// The ports of guards by services.
import type { SecretReader } from '../../core/ports/stores.ts';
import type { Organization } from '../../core/settings/organization-schema.ts';
import type { Clock } from '../../core/time/clock.ts';
import type { Http } from '../http/message.ts';

/** One set for each execution environment. */
export interface GuardPorts {
  readonly secrets: SecretReader;
  /** Bound to the hosts of the stage, and to addresses that may be connected to. */
  readonly http: Http;
  readonly clock: Pick<Clock, 'now'>;
}

/** Whose guard it is: its secrets, and its providers for a guard that asks one of them. */
export interface GuardOwner {
  readonly organizationId: string;
  readonly providers: Organization['providers'];
}

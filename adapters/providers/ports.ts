// What providers reach the outside through.

import type { SecretReader } from '../../core/ports/stores.ts';
import type { Clock } from '../../core/time/clock.ts';
import type { Http } from '../http/message.ts';

/** Of one execution environment. */
export interface ProviderPorts {
  readonly secrets: SecretReader;
  readonly http: Http;
  readonly clock: Clock;
}

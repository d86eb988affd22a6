// The ports of providers.
import type { SecretReader } from '../../core/ports/stores.ts';
import type { Clock } from '../../core/time/clock.ts';
import type { Http, OpenHttp } from '../http/message.ts';

/** One set for each execution environment. */
export interface ProviderPorts {
  readonly secrets: SecretReader;
  readonly http: Http;
  /** The same for answers that are read as they come. */
  readonly openHttp: OpenHttp;
  readonly clock: Clock;
}

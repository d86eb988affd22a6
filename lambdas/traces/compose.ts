// Puts the traces function's ports together.
import type { Http } from '../../adapters/http/message.ts';
import { createHttp } from '../../adapters/http/request.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import { standardOutput } from '../../adapters/platform/standard-output.ts';
import type { LineSink } from '../../core/ports/platform.ts';
import type { Clock } from '../../core/time/clock.ts';
import type { TracesEnvironment } from '../environment.ts';

/** What the function works with. */
export interface TracesPorts {
  readonly http: Http;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly lines: LineSink;
  readonly stage: string;
  /** Where spans are posted to. */
  readonly url: string;
}

/** Made once per environment, when the bundle loads. */
export function compose({ stage, tracesEndpoint }: TracesEnvironment): TracesPorts {
  return { http: createHttp(), clock: systemClock, lines: standardOutput, stage, url: tracesEndpoint };
}

// Puts the traces function's ports together.
import type { Http } from '../../adapters/http/message.ts';
import { createHttp } from '../../adapters/http/request.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import { standardOutput } from '../../adapters/platform/standard-output.ts';
import { createHeaderSecret, type Headers } from '../../adapters/secrets/header-secret.ts';
import type { LineSink } from '../../core/ports/platform.ts';
import type { Clock } from '../../core/time/clock.ts';
import type { TracesEnvironment } from '../environment.ts';

export interface TracesPorts {
  readonly http: Http;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly lines: LineSink;
  readonly stage: string;
  /** Spans are posted to it. */
  readonly url: string;
  /** The headers beside the request's own. Throws when they cannot be read. */
  readonly headers: () => Promise<Headers>;
  /** True for spans with the texts of callers and models. */
  readonly content: boolean;
}

/** Made once per environment, when the bundle loads. */
export function compose({
  stage,
  tracesEndpoint: url,
  tracesHeadersSecret: secretId,
  tracesContent,
  secretsTtlMs: ttlMs,
}: TracesEnvironment): TracesPorts {
  return {
    http: createHttp(),
    clock: systemClock,
    lines: standardOutput,
    stage,
    url,
    headers:
      secretId === undefined ? async () => ({}) : createHeaderSecret({ secretId, ttlMs, clock: systemClock }),
    content: tracesContent === 'on',
  };
}

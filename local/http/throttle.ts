// The stage's request limits: a token bucket per method, as in API Gateway.

export interface ThrottleSettings {
  /** Requests per second; undefined: no limit. */
  readonly rateLimit: number | undefined;
  /** Size of the bucket. */
  readonly burstLimit: number | undefined;
}

/**
 * A bucket that holds `burstLimit` tokens and gets `rateLimit` a second (API Gateway Developer Guide, "Throttle API
 * requests": "token bucket algorithm, where a token counts for a request").
 * @param now milliseconds that never go back
 * @returns takes a token; false if there is none
 */
export function createThrottle(settings: ThrottleSettings, now: () => number): () => boolean {
  const { rateLimit, burstLimit } = settings;
  if (rateLimit === undefined || burstLimit === undefined) return () => true;
  let tokens = burstLimit;
  let last = now();
  return () => {
    const time = now();
    tokens = Math.min(burstLimit, tokens + ((time - last) * rateLimit) / 1000);
    last = time;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

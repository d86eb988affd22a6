// A service in place of the network: a `fetch` that answers by a script, on vitest's fake clock.
import { vi } from 'vitest';

/** What happens to one request, after so many milliseconds. */
export interface Step {
  readonly after: number;
  readonly outcome: 'hang' | 'break' | ScriptedAnswer;
}

interface ScriptedAnswer {
  readonly status: number;
  readonly retryAfter?: number;
  /** @default 'any'; `null` for an answer of something in between, which has none */
  readonly code?: string | null;
  /** The answer of an earlier call with the same idempotency key. */
  readonly replayed?: true;
}

/** A request as it came in; times in milliseconds of the fake clock. */
export interface Received {
  readonly url: string;
  readonly headers: Headers;
  readonly at: number;
  readonly signal: AbortSignal | undefined;
}

/** Fakes the clock that the client reads and the timers that it sets; the test gives it back. */
export function useFakeClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
}

/** Takes the steps one by one and the last one for ever. It heeds no signal: a hanging request hangs. */
export function scriptService(steps: readonly Step[]): {
  readonly received: Received[];
  readonly fetch: typeof fetch;
} {
  const received: Received[] = [];
  return {
    received,
    fetch: async (url, init = {}) => {
      const step = steps[Math.min(received.length, steps.length - 1)];
      if (step === undefined) throw new Error('a script has at least one step');
      received.push({
        url: String(url),
        headers: new Headers(init.headers),
        at: performance.now(),
        signal: init.signal ?? undefined,
      });
      await new Promise((resolve) => setTimeout(resolve, step.after));
      if (step.outcome === 'hang') return new Promise(() => undefined);
      if (step.outcome === 'break') throw new TypeError('fetch failed');
      return answer(step.outcome);
    },
  };
}

function answer({ status, retryAfter, code = 'any', replayed }: ScriptedAnswer): Response {
  const body =
    status === 200
      ? { output: 'Hi', fromCache: false, executionStopped: false }
      : {
          error: 'Refused.',
          statusCode: status,
          ...(code === null ? {} : { code }),
          ...(retryAfter === undefined ? {} : { retryAfter }),
        };
  return new Response(JSON.stringify(body), {
    status,
    headers: replayed === undefined ? {} : { 'Idempotency-Replayed': 'true' },
  });
}

/** Runs a call to its end on the fake clock: what it gave or threw, and how many milliseconds it took. */
export async function settle(
  call: () => Promise<unknown>,
): Promise<{ value?: unknown; error?: unknown; took: number }> {
  const start = performance.now();
  const outcome = call().then(
    (value) => ({ value, took: performance.now() - start }),
    (error: unknown) => ({ error, took: performance.now() - start }),
  );
  await vi.runAllTimersAsync();
  return outcome;
}

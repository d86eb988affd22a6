// The echo provider: offline and deterministic; it can be set to be slow or to fail, so that a flow can be tried without a model.

import { type ModelProvider, ProviderFailure } from '../../../core/ports/providers.ts';
import type { Provider } from '../../../core/settings/organization-schema.ts';
import type { Clock } from '../../../core/time/clock.ts';
import { failureOfStatus } from '../http-status.ts';
import { toEchoResult } from './response.ts';

type EchoSettings = Extract<Provider, { type: 'echo' }>;

/** Waits `delay`, then fails as an HTTP provider that answers the status `fail`, or echoes. */
export function createEchoProvider(settings: EchoSettings, clock: Clock): ModelProvider {
  return {
    async generate(request) {
      await pause(settings.delay ?? 0, clock, request.signal);
      if (settings.fail !== undefined) throw failureOfStatus(settings.fail);
      return toEchoResult(request);
    },
  };
}

async function pause(milliseconds: number, clock: Clock, signal: AbortSignal): Promise<void> {
  try {
    signal.throwIfAborted();
    if (milliseconds > 0) await clock.sleep(milliseconds, signal);
  } catch (cause) {
    throw new ProviderFailure('timeout', { cause });
  }
}

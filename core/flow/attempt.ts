// One attempt of a model call, bounded by its timeout and by the deadline of the run, whichever comes first.

import { firstAborted, untilAborted } from '../async/race.ts';
import { ServiceError } from '../contract/service-error.ts';
import {
  type ModelProvider,
  type ModelRequest,
  type ModelResult,
  ProviderFailure,
} from '../ports/providers.ts';
import type { Clock } from '../time/clock.ts';
import { type Deadline, startDeadline } from '../time/deadline.ts';

/** The timeout of an attempt where neither the step nor the provider has one. */
export const DEFAULT_TIMEOUT_MS = 30_000;

export interface AttemptBounds {
  readonly timeoutMs: number;
  readonly deadline: Deadline;
  readonly clock: Clock;
}

/**
 * Throws `ServiceError` `deadline_exceeded` at the run's deadline, `ProviderFailure` `timeout` at the attempt's own timeout, and the
 * errors of the provider. A provider that ignores its signal is not waited for.
 */
export async function attemptModelCall(
  provider: ModelProvider,
  request: Omit<ModelRequest, 'signal'>,
  { timeoutMs, deadline, clock }: AttemptBounds,
): Promise<ModelResult> {
  deadline.signal.throwIfAborted();
  const timeout = startDeadline(clock, timeoutMs);
  const either = firstAborted([deadline.signal, timeout.signal]);
  const { signal } = either;
  try {
    return await untilAborted(signal, provider.generate({ ...request, signal }));
  } catch (thrown) {
    if (deadline.signal.aborted) throw new ServiceError('deadline_exceeded', { cause: thrown });
    if (timeout.signal.aborted) throw new ProviderFailure('timeout', { cause: thrown });
    throw thrown;
  } finally {
    timeout.end();
    either.end();
  }
}

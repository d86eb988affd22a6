// The beginning of a run: a request whose body came long after its headers is refused.
import { describe, expect, it } from 'vitest';
import { MAX_REQUEST_AGE_MS, rejectOld } from '../../../../lambdas/execute/steps/open-run.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';
import { allowedRequest } from '../allowed-request.ts';

const NOON_MS = Date.UTC(2026, 10, 21, 12);

function rejectAfter(ageMs: number): void {
  const caller = { authentication: 'jwt', keyId: undefined, username: 'ann' } as const;
  rejectOld(allowedRequest(NOON_MS, caller), { clock: createMemoryClock(NOON_MS + ageMs) });
}

describe('a request', () => {
  it.each([0, MAX_REQUEST_AGE_MS, -3_600_000])('goes on %d ms after its arrival', (ageMs) => {
    expect(() => rejectAfter(ageMs)).not.toThrow();
  });

  it('refuses to run when its body was held back, as deadline_exceeded', () => {
    expect(() => rejectAfter(MAX_REQUEST_AGE_MS + 1)).toThrow(
      expect.objectContaining({
        code: 'deadline_exceeded',
        reason: 'the request arrived 30 s before its body',
      }),
    );
  });
});

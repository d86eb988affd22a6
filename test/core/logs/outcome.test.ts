// How a request ended, by the code of its answer.
import { describe, expect, it } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '../../../core/contract/error-codes.ts';
import { outcomeOf } from '../../../core/logs/build-entry.ts';

const FAILED = [
  'internal',
  'missing_deployment',
  'configuration',
  'overloaded',
  'upstream_unavailable',
  'dependency_unavailable',
  'guard_unavailable',
  'deadline_exceeded',
];

describe('the outcome', () => {
  it('of a run is success or stopped', () => {
    expect(outcomeOf(undefined, false)).toBe('success');
    expect(outcomeOf(undefined, true)).toBe('stopped');
  });

  it.each(Object.keys(ERROR_CODES) as ErrorCode[])(
    'of %s is failed where we or a provider failed, and refused otherwise',
    (code) => {
      expect(outcomeOf(code, false)).toBe(FAILED.includes(code) ? 'failed' : 'refused');
      // A run that was stopped and failed afterwards did not end well.
      expect(outcomeOf(code, true)).toBe(outcomeOf(code, false));
    },
  );
});

// What an HTTP status of a provider means.
import { describe, expect, it } from 'vitest';
import { kindOfStatus } from '../../../adapters/providers/http-status.ts';

describe('the status of a provider', () => {
  it.each([
    [301, 'configuration'],
    [307, 'configuration'],
    [400, 'rejected_input'],
    [401, 'configuration'],
    [402, 'quota_exhausted'],
    [403, 'configuration'],
    [404, 'configuration'],
    [405, 'configuration'],
    [408, 'unavailable'],
    [409, 'unavailable'],
    [413, 'rejected_input'],
    [422, 'rejected_input'],
    [425, 'unavailable'],
    [429, 'rate_limited'],
    [500, 'unavailable'],
    [502, 'unavailable'],
    [503, 'unavailable'],
    [504, 'unavailable'],
    [529, 'unavailable'],
  ])('%i is %s', (status, kind) => {
    expect(kindOfStatus(status)).toBe(kind);
  });
});

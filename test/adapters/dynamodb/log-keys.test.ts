// Keys of log entries: made of the request's own facts, spread over hours, and never mistaken for one another.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entryKeys, executionIdOfKey, hourOf, sortKey } from '../../../adapters/dynamodb/log-keys.ts';
import { ENTRY_PARTITIONS } from '../../../core/contract/tables.ts';
import { anyText, entryOf, FACTS, NOON_MS } from '../../core/logs/entries.ts';

const caller = { sourceIp: '203.0.113.7', refererHost: undefined };

describe('the keys of an entry', () => {
  it('are the same for the same entry', () => {
    expect(entryKeys(entryOf(), 7)).toEqual(entryKeys({ ...entryOf(), restored: true, trace: [] }, 7));
  });

  it('leave out the indexes of users and failures where they do not apply', () => {
    expect(Object.keys(entryKeys(entryOf({ caller }), 1))).toEqual(['pk', 'sk', 'organizationHour']);
  });

  it.each(['rate_limited', 'internal'] as const)('put %s into the index of refusals and failures', (code) => {
    expect(entryKeys(entryOf({ caller, code }), 1)).toMatchObject({ failureHour: 'org-1#2026-11-21T12#0' });
  });

  it('put every hour into a partition of its own', () => {
    expect(hourOf(NOON_MS)).toBe('2026-11-21T12');
    expect(hourOf(NOON_MS + 30 * 60_000 - 1)).toBe('2026-11-21T12');
    expect(hourOf(NOON_MS + 30 * 60_000)).toBe('2026-11-21T13');
  });

  it('match the pattern of IAM under which functions may put, and those of changes do not', () => {
    const pattern = new RegExp(`^${ENTRY_PARTITIONS.replaceAll('?', '.').replaceAll('*', '.*')}$`);
    const subject = { ...FACTS.subject, neuronId: '0123456789abcdef01234567' };
    for (const shards of [1, 64]) expect(entryKeys(entryOf({ subject }), shards)['pk']).toMatch(pattern);
    expect('CHANGES').not.toMatch(pattern);
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9-]{1,63}$/), (slug) => {
        expect(`CHANGES#${slug}`).not.toMatch(pattern);
      }),
    );
  });

  it('never put two users into one partition, whatever their names are', () => {
    fc.assert(
      fc.property(anyText, anyText, (one, other) => {
        fc.pre(one !== other);
        const keyOf = (username: string) =>
          entryKeys(entryOf({ caller: { ...caller, username } }), 1)['usernameHour'];
        expect(keyOf(one)).not.toBe(keyOf(other));
      }),
    );
  });

  it('never put a user into the partition of another organization or hour, whatever the name is', () => {
    const organizations = fc.constantFrom('org-1', 'org-2');
    const hours = fc.constantFrom(NOON_MS, NOON_MS + 3_600_000);
    const callers = fc.record({ organizationId: organizations, timeMs: hours, username: anyText });
    const keyOf = ({
      organizationId,
      timeMs,
      username,
    }: {
      organizationId: string;
      timeMs: number;
      username: string;
    }) =>
      entryKeys(
        entryOf({ timeMs, subject: { ...FACTS.subject, organizationId }, caller: { ...caller, username } }),
        1,
      )['usernameHour'];
    fc.assert(
      fc.property(callers, callers, (one, other) => {
        fc.pre(one.organizationId !== other.organizationId || one.timeMs !== other.timeMs);
        expect(keyOf(one)).not.toBe(keyOf(other));
      }),
    );
  });

  it('sort by time, and tell the execution id again', () => {
    const ids = fc.string({ minLength: 1 });
    const times = fc.integer({ min: 0, max: 4_000_000_000_000 });
    fc.assert(
      fc.property(times, times, ids, ids, (one, other, id, otherId) => {
        expect(executionIdOfKey(sortKey(one, id))).toBe(id);
        fc.pre(one < other);
        expect(sortKey(one, id) < sortKey(other, otherId)).toBe(true);
      }),
    );
  });
});

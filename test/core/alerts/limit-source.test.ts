// The limits that alerts are about, as they are stored, and for how long they are kept.
import { describe, expect, it } from 'vitest';
import { createLimitSource } from '../../../core/alerts/limit-source.ts';
import type { KeyAdmin } from '../../../core/ports/keys.ts';
import type { StoredOrganization } from '../../../core/settings/stored-settings.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';

const TTL_MS = 15_000;
const LIMIT = { metric: 'cost', limit: 5, period: 'month', alertAt: [80] };

function createSource(document: unknown = { organization: 'acme', usageLimits: [LIMIT] }) {
  const clock = createMemoryClock();
  const stored: StoredOrganization = { id: 'org-1', slug: 'acme', document, pause: undefined, write: 1 };
  const input = { reads: 0, organization: stored as StoredOrganization | undefined, fails: false };
  const answer = async <Value>(value: Value): Promise<Value> => {
    input.reads += 1;
    if (input.fails) throw new Error('the store is down');
    return value;
  };
  const usageLimits = [{ metric: 'tokens' as const, limit: 9, period: 'day' as const }];
  const find = (_: string, keyId: string) => answer(keyId === 'k1' ? { usageLimits } : undefined);
  const source = createLimitSource(
    {
      organizations: { read: () => answer(input.organization) },
      keys: { find: find as unknown as KeyAdmin['find'] },
    },
    clock,
    { ttlMs: TTL_MS },
  );
  return { source, clock, input };
}

describe('the limits that alerts are about', () => {
  it('are those of the stored document, with money in microdollars and without runs at once', async () => {
    const { source } = createSource({
      organization: 'acme',
      usageLimits: [LIMIT, { metric: 'concurrent', limit: 3 }],
    });
    expect(await source.organization('acme', 'org-1')).toEqual([{ ...LIMIT, limit: 5_000_000 }]);
  });

  it('are none of an organization that has the slug now and is another, of one that is gone, and of one whose document does not parse', async () => {
    const { source, input, clock } = createSource();
    expect(await source.organization('acme', 'org-0')).toEqual([]);
    input.organization = undefined;
    await clock.advance(TTL_MS);
    expect(await source.organization('acme', 'org-1')).toEqual([]);
    expect(await createSource({ usageLimits: 7 }).source.organization('acme', 'org-1')).toEqual([]);
  });

  it('are those of a key, and none of a key that is unknown or has no limits', async () => {
    const { source } = createSource();
    expect(await source.key('org-1', 'k1')).toEqual([{ metric: 'tokens', limit: 9, period: 'day' }]);
    expect(await source.key('org-1', 'k2')).toEqual([]);
  });

  it('are read again after the time of the stage, and not before', async () => {
    const { source, input, clock } = createSource();
    const readAll = async () => {
      await source.organization('acme', 'org-1');
      await source.key('org-1', 'k1');
    };
    await readAll();
    await clock.advance(TTL_MS - 1);
    await readAll();
    expect(input.reads).toBe(2);
    await clock.advance(1);
    await readAll();
    expect(input.reads).toBe(4);
  });

  it('are not taken from memory when reading them fails: the batch must come again', async () => {
    const { source, input, clock } = createSource();
    await source.organization('acme', 'org-1');
    input.fails = true;
    await clock.advance(TTL_MS);
    await expect(source.organization('acme', 'org-1')).rejects.toThrow('the store is down');
    await expect(source.key('org-1', 'k1')).rejects.toThrow('the store is down');
  });
});

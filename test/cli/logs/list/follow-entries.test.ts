// Following the audit trail: what comes late is shown too, and nothing twice.
import { describe, expect, it } from 'vitest';
import { followEntries } from '../../../../cli/logs/list/list-calls.ts';
import { readOwners } from '../../../../cli/logs/list/read-owners.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';
import { createMemoryLog } from '../../../support/memory/log-store.ts';
import { logEntry, NOW_MS } from '../../memory-ports.ts';

function follow(fromMs = NOW_MS) {
  const clock = createMemoryClock(NOW_MS);
  const log = createMemoryLog(clock);
  const owners = [{ organizationId: 'id-acme', neuronId: undefined }];
  const logReader = readOwners(owners, { logReader: log, nameKey: async () => undefined });
  const entries = followEntries({}, { fromMs, maxDelayMs: 90_000 }, { logReader, clock });
  const shown: string[] = [];
  const showing = (async () => {
    for await (const { executionId } of entries) shown.push(executionId);
  })();
  showing.catch(() => undefined);
  const put = (executionId: string, timeMs: number) => log.put(logEntry({ executionId, timeMs }));
  return { clock, shown, put };
}

describe('following', () => {
  it('shows existing entries, then new ones, oldest first and once', async () => {
    const { clock, shown, put } = follow(NOW_MS - 60_000);
    await put('before', NOW_MS - 60_001);
    await put('b', NOW_MS - 1);
    await put('a', NOW_MS - 2);
    await clock.advance(1_000);
    expect(shown).toEqual(['a', 'b']);
    await put('c', NOW_MS + 500);
    await clock.advance(3_000);
    expect(shown).toEqual(['a', 'b', 'c']);
  });

  it('shows the entry of a long run when it arrives', async () => {
    const { clock, shown, put } = follow();
    await clock.advance(80_000);
    await put('long', NOW_MS + 5_000);
    await put('short', NOW_MS + 79_000);
    await clock.advance(16_000);
    expect(shown).toContain('long');
    expect(shown).toContain('short');
    await clock.advance(200_000);
    expect(shown).toHaveLength(2);
  });

  it('shows nothing from before it began', async () => {
    const { clock, shown, put } = follow();
    await put('before', NOW_MS - 1);
    await clock.advance(20_000);
    expect(shown).toEqual([]);
  });
});

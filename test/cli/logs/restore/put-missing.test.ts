// A restore is a change that names its entries before they are put: nothing else explains a late one.
import { describe, expect, it } from 'vitest';
import { putMissing } from '../../../../cli/logs/restore/put-missing.ts';
import { recordChanges } from '../../../../core/admin/record-changes.ts';
import { createMemoryPorts, logEntry, NOW_MS } from '../../memory-ports.ts';

async function changesOf(ports: ReturnType<typeof createMemoryPorts>, organization = 'acme') {
  const found: unknown[] = [];
  for await (const { actions, organizationId, after, outcome } of ports.changes.list(
    organization,
    0,
    NOW_MS + 60_000,
  ))
    found.push({ actions, organizationId, after, outcome });
  return found;
}

const isErased = async () => false;

describe('missing entries', () => {
  it('are named by a change of their organization, and put after it', async () => {
    const ports = createMemoryPorts();
    const steps: string[] = [];
    const logStore = {
      put: async (entry: ReturnType<typeof logEntry>) => {
        steps.push(`put ${entry.executionId}`);
        return ports.logStore.put(entry);
      },
    };
    const begin: typeof ports.changes.begin = async (change) => {
      steps.push('change');
      return ports.changes.begin(change);
    };
    await ports.logStore.put(logEntry({ executionId: 'there' }));
    const { recordChange } = recordChanges({ ...ports, changes: { ...ports.changes, begin } });
    const entries = ['a', 'there', 'b'].map((executionId) => logEntry({ executionId }));
    const outcomes = await putMissing(entries, {
      logReader: ports.logReader,
      logStore,
      recordChange,
      isErased,
    });
    expect(entries.map((entry) => outcomes.get(entry))).toEqual(['restored', 'there', 'restored']);
    expect(steps).toEqual(['change', 'put a', 'put b']);
    expect(await changesOf(ports)).toEqual([
      {
        actions: ['restore_entries'],
        organizationId: 'id-acme',
        after: { entries: ['a', 'b'] },
        outcome: 'made',
      },
    ]);
  });

  it('make no change where none is missing', async () => {
    const ports = createMemoryPorts();
    const entry = logEntry({ executionId: 'there' });
    await ports.logStore.put(entry);
    const { recordChange } = recordChanges(ports);
    await putMissing([entry], { ...ports, recordChange, isErased });
    expect(await changesOf(ports)).toEqual([]);
  });

  it('are not put where the change cannot be written', async () => {
    const ports = createMemoryPorts();
    const begin = () => Promise.reject(new Error('denied'));
    const { recordChange } = recordChanges({ ...ports, changes: { ...ports.changes, begin } });
    const entry = logEntry({ executionId: 'a' });
    const outcomes = await putMissing([entry], { ...ports, recordChange, isErased });
    expect(outcomes.get(entry)).toMatchObject({
      error: expect.objectContaining({ name: 'ChangeRecordingError' }),
    });
    expect(await ports.logReader.find('a')).toBeUndefined();
  });

  it('are named by several changes where their ids would not be readable in one', async () => {
    const ports = createMemoryPorts();
    const { recordChange } = recordChanges(ports);
    const ids = Array.from({ length: 16 }, (_, index) => `${index}`.padStart(200, 'x'));
    await putMissing(
      ids.map((executionId) => logEntry({ executionId })),
      { ...ports, recordChange, isErased },
    );
    const changes = (await changesOf(ports)) as { after: { entries: string[] } }[];
    expect(changes.length).toBeGreaterThan(1);
    for (const { after } of changes) expect(JSON.stringify(after).length).toBeLessThan(2_048);
    expect(changes.flatMap(({ after }) => after.entries).toSorted()).toEqual(ids.toSorted());
  });
});

// What the authorizer writes of refusals: its own, and what it has counted of a flood, with whatever request comes next.
import { describe, expect, it } from 'vitest';
import type { AccessRequest } from '../../../core/access/request.ts';
import type { LogEntry } from '../../../core/contract/log-entry.ts';
import { createJournal } from '../../../core/logs/journal.ts';
import { recordDueSummaries } from '../../../lambdas/authorizer/record-rejection.ts';
import { FACTS, NOON_MS } from '../../core/logs/entries.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';

const rejected = { ...FACTS, run: undefined, input: undefined, code: 'unauthorized' } as const;
const admitted = { timeMs: NOON_MS + 60_000 } as AccessRequest;

/** An authorizer that has refused a hundred callers within a minute. */
function afterFlood(changes: { readonly write?: () => void; readonly put?: () => Promise<boolean> } = {}) {
  const journal = createJournal();
  for (let index = 0; index < 100; index += 1) journal.record(rejected);
  const lines: string[] = [];
  const entries: LogEntry[] = [];
  return {
    ...{ stage: 'test', clock: createMemoryClock(NOON_MS), journal, written: lines, entries },
    lines: { write: changes.write ?? ((line: string) => void lines.push(line)) },
    logs: { put: changes.put ?? (async (entry: LogEntry) => entries.push(entry) > 0) },
  };
}

describe('the authorizer', () => {
  it('puts what it has counted of a flood with the next caller whom it lets in, and once', async () => {
    const ports = afterFlood();
    await recordDueSummaries(admitted, ports);
    await recordDueSummaries(admitted, ports);
    expect(ports.entries).toMatchObject([{ code: 'unauthorized', outcome: 'refused', count: 40 }]);
    expect(ports.written.map((line) => JSON.parse(line))).toMatchObject([{ count: 40, Requests: 40 }]);
  });

  it('puts the entry when standard output is gone', async () => {
    const ports = afterFlood({
      write() {
        throw new Error('EPIPE');
      },
    });
    await recordDueSummaries(admitted, ports);
    expect(ports.entries).toHaveLength(1);
  });

  it('counts an entry that cannot be put, and still writes its line', async () => {
    const ports = afterFlood({ put: () => Promise.reject(new Error('the table is gone')) });
    await recordDueSummaries(admitted, ports);
    const [line, incident] = ports.written.map((one) => JSON.parse(one));
    expect(line).toMatchObject({ neuronEntry: 1, count: 40 });
    expect(incident).toMatchObject({ neuronLogLoss: 1, executionId: rejected.executionId, LogLosses: 1 });
  });
});

// A share of executions with texts in full: by the id of the execution, in every text of its entry, and in no line.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect, it } from 'vitest';
import type { LogEntry, LoggedText } from '../../../../core/contract/log-entry.ts';
import { serve } from '../../../../lambdas/execute/serve.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';
import { createMemoryCounters } from '../../../support/memory/counters.ts';
import { createMemoryResponseCache } from '../../../support/memory/response-cache.ts';
import { eventOf, portsOf } from '../memory-ports.ts';
import { finish } from '../served.ts';

const SECRET = 'Marguerite lives at the lighthouse';

async function callEach(ids: readonly string[], bodies: unknown) {
  const clock = createMemoryClock(Date.UTC(2026, 10, 22, 12));
  const entries: LogEntry[] = [];
  const lines: string[] = [];
  const neuron = {
    settings: { logging: { bodies } },
    flow: [
      { ifInputContains: { any: ['nothing'] } },
      { callModel: { provider: 'demo', model: 'echo-1', accepts: 'all' } },
    ],
  };
  const memory = portsOf(
    { providers: { demo: { type: 'echo' } }, neurons: { hello: neuron } },
    createMemoryCounters(),
    {
      clock,
      responses: createMemoryResponseCache(),
      logs: { put: async (entry) => entries.push(entry) > 0 },
      openHttp: () => {
        throw new Error('nothing is asked');
      },
    },
  );
  const ports = { ...memory, lines: { write: (line: string) => void lines.push(line) } };
  for (const id of ids) {
    const event = eventOf('hello', { input: SECRET }, { stream: false, surface: 'native' }, id, clock);
    const { status } = await finish(
      await serve(event as APIGatewayProxyEvent, new AbortController().signal, ports),
    );
    expect(status).toBe(200);
  }
  return { entries, lines };
}

function textsOf({ input, output, trace }: LogEntry): readonly LoggedText[] {
  return [input, output, ...trace.flatMap((step) => [step.input, step.output])].filter(
    (text): text is LoggedText => text !== undefined,
  );
}

const IDS = Array.from({ length: 60 }, (_, index) => `call-${index}`);

it('keeps all texts of an execution in full, or hashes all of them, the same way each time', async () => {
  const first = await callEach(IDS, { full: '30%' });
  const kinds = first.entries.map((entry) => [...new Set(textsOf(entry).map(({ kind }) => kind))]);
  expect(first.entries).toHaveLength(IDS.length);
  for (const entry of first.entries) expect(textsOf(entry).length).toBeGreaterThanOrEqual(4);
  expect(kinds.filter((one) => one.length !== 1)).toEqual([]);
  const full = first.entries.filter((_, index) => kinds[index]?.[0] === 'full');
  expect(full.length).toBeGreaterThan(5);
  expect(full.length).toBeLessThan(40);
  for (const entry of first.entries)
    expect(JSON.stringify(entry).includes(SECRET)).toBe(full.includes(entry));
  const again = await callEach(IDS.toReversed(), { full: '30%' });
  const idsOf = (entries: readonly LogEntry[]) =>
    entries.filter((entry) => JSON.stringify(entry).includes(SECRET)).map(({ executionId }) => executionId);
  expect(idsOf(again.entries).sort()).toEqual(idsOf(first.entries).sort());
});

it('keeps the texts of all in full at 100%, and leaves the lines without any', async () => {
  const { entries, lines } = await callEach(IDS.slice(0, 5), { full: '100%' });
  expect(entries.flatMap(textsOf).filter(({ kind }) => kind !== 'full')).toEqual([]);
  expect(lines.length).toBeGreaterThanOrEqual(5);
  expect(lines.filter((line) => line.includes('Marguerite'))).toEqual([]);
});

// One batch of the stream: what is counted, what is answered, what is said.
import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import type { Alerts } from '../../../core/alerts/alerts.ts';
import { createSealing } from '../../../core/logs/seals/sealing.ts';
import { sendDueAlerts } from '../../../lambdas/rollup/alerts.ts';
import { rollUp } from '../../../lambdas/rollup/roll-up.ts';
import { NOON_MS } from '../../core/logs/entries.ts';
import { NO_ALERTS, NO_FEEDBACK } from '../../support/memory/alerts.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryLines } from '../../support/memory/lines.ts';
import { createMemoryRandom } from '../../support/memory/random.ts';
import { createMemoryUsage } from '../../support/memory/usage.ts';

/** A refusal in the stream. */
function record(executionId: string, changes: Record<string, { S: string }> = {}): DynamoDBRecord {
  const expiresAt = { N: String(NOON_MS / 1000 + 86_400) };
  return {
    eventName: 'INSERT',
    dynamodb: {
      SequenceNumber: `at-${executionId}`,
      ApproximateCreationDateTime: NOON_MS / 1000,
      NewImage: {
        ...{ executionId: { S: executionId }, timeMs: { N: String(NOON_MS) }, count: { N: '3' }, expiresAt },
        ...{
          organization: { S: 'acme' },
          organizationId: { S: 'org-1' },
          neuronId: { S: 'neu-1' },
          neuron: { S: 'hello' },
        },
        ...{ outcome: { S: 'refused' }, tokensInput: { N: '0' }, tokensOutput: { N: '0' } },
        ...{ costMicrodollars: { N: '0' }, savingsMicrodollars: { N: '0' }, modelCalls: { L: [] } },
        ...changes,
      },
    },
  };
}

function ports() {
  const clock = createMemoryClock(NOON_MS);
  const usage = createMemoryUsage(clock);
  const lines = createMemoryLines();
  const sealing = createSealing(usage, clock);
  return {
    ledger: usage,
    sealing,
    usage,
    clock,
    lines,
    alerts: NO_ALERTS,
    ...NO_FEEDBACK,
    random: createMemoryRandom(),
  };
}

async function rejections({ usage }: ReturnType<typeof ports>): Promise<number> {
  let rejected = 0;
  const query = { organizationId: 'org-1', fromDay: '2026-11-21', toDay: '2026-11-21' };
  for await (const { amounts } of usage.list(query)) rejected += amounts.refused;
  return rejected;
}

describe('the rollup function', () => {
  it('counts a batch, and the same batch again not at all', async () => {
    const input = ports();
    const batch = { Records: [record('a'), record('b')] };
    expect(await rollUp(batch, input)).toEqual({ batchItemFailures: [] });
    expect(await rollUp(batch, input)).toEqual({ batchItemFailures: [] });
    expect(await rejections(input)).toBe(6);
    expect(input.lines.lines).toEqual([]);
  });

  it('asks for the batch again from the record that it could not count, and says how many with the name of the error only', async () => {
    const input = ports();
    const add = async () => {
      throw new TypeError('secret detail');
    };
    const answer = await rollUp({ Records: [record('a'), record('b')] }, { ...input, ledger: { add } });
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'at-a' }] });
    expect(input.lines.lines).toEqual(['{"neuronUsageDelayed":2,"error":"TypeError"}']);
  });

  it('counts what is readable, and says how many records are not', async () => {
    const input = ports();
    const batch = { Records: [record('a', { outcome: { S: 'unheard-of' } }), record('b')] };
    expect(await rollUp(batch, input)).toEqual({ batchItemFailures: [] });
    expect(await rejections(input)).toBe(3);
    expect(input.lines.lines).toEqual(['{"neuronUsageUnreadable":1}']);
  });

  it('raises alerts of what the readable records are about, whether or not they could be counted', async () => {
    const input = ports();
    const raised: unknown[] = [];
    const alerts: Alerts = {
      ...input.alerts,
      raise: async (entries) => {
        raised.push(...entries);
        return { count: 2, error: new RangeError('secret detail') };
      },
    };
    const ledger = { add: () => Promise.reject(new TypeError('secret detail')) };
    const batch = {
      Records: [record('a', { keyId: { S: 'k1' } }), record('b', { outcome: { S: 'unheard-of' } })],
    };
    const answer = await rollUp(batch, { ...input, alerts, ledger });
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'at-a' }] });
    expect(raised).toEqual([
      expect.objectContaining({
        organization: 'acme',
        organizationId: 'org-1',
        keyId: 'k1',
        timeMs: NOON_MS,
      }),
    ]);
    expect(input.lines.lines).toEqual([
      '{"neuronUsageUnreadable":1}',
      '{"neuronAlertsUnsent":2,"error":"RangeError"}',
      '{"neuronUsageDelayed":2,"error":"TypeError"}',
    ]);
  });

  it('asks for the whole batch again when its alerts could not be recorded, and counts nothing twice', async () => {
    const input = ports();
    const alerts: Alerts = { ...input.alerts, raise: () => Promise.reject(new TypeError('secret detail')) };
    const batch = { Records: [record('a'), record('b')] };
    expect(await rollUp(batch, { ...input, alerts })).toEqual({
      batchItemFailures: [{ itemIdentifier: 'at-a' }],
    });
    expect(await rollUp(batch, input)).toEqual({ batchItemFailures: [] });
    expect(await rejections(input)).toBe(6);
    expect(input.lines.lines).toEqual(['{"neuronAlertsDelayed":2,"error":"TypeError"}']);
  });

  it('asks for the batch again from what was not sent or not counted, whichever comes first', async () => {
    const rated = (id: string) =>
      record(id, {
        version: { S: 'v1' },
        outcome: { S: 'success' },
        feedback: { M: { of: { S: 'x' }, metric: { S: 'stars' }, value: { N: '4' } } } as never,
      });
    const down = { feedbackEvents: { send: () => Promise.reject(new Error('down')) } };
    const batch = { Records: [record('a'), rated('b'), record('c')] };
    expect(await rollUp(batch, { ...ports(), ...down })).toEqual({
      batchItemFailures: [{ itemIdentifier: 'at-b' }],
    });
    const ledger = { add: () => Promise.reject(new TypeError('secret detail')) };
    expect(await rollUp(batch, { ...ports(), ...down, ledger })).toEqual({
      batchItemFailures: [{ itemIdentifier: 'at-a' }],
    });
  });

  it('sends what is unsent when its schedule says so, and says what still is', async () => {
    const input = ports();
    await sendDueAlerts(input);
    expect(input.lines.lines).toEqual([]);
    const sendDue = async () => ({ count: 1, error: 'not an error' });
    await sendDueAlerts({ ...input, alerts: { ...input.alerts, sendDue } });
    expect(input.lines.lines).toEqual(['{"neuronAlertsUnsent":1,"error":"unknown"}']);
  });

  it('does both parts of the schedule where one of them fails, and fails', async () => {
    const input = ports();
    const [raised, sent]: string[][] = [[], []];
    const failing = (done: string[] | undefined) => async () => {
      done?.push('done');
      throw new TypeError('the table is down');
    };
    const working = (done: string[] | undefined) => async () => {
      done?.push('done');
      return { count: 0, error: undefined };
    };
    const run = (alerts: Partial<Alerts>) =>
      sendDueAlerts({ ...input, alerts: { ...input.alerts, ...alerts } });
    await expect(run({ sendDue: failing(sent), raiseWatched: working(raised) })).rejects.toThrow('down');
    await expect(run({ sendDue: working(sent), raiseWatched: failing(raised) })).rejects.toThrow('down');
    expect([raised?.length, sent?.length]).toEqual([2, 2]);
  });
});

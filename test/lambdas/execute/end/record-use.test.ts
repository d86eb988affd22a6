// The record of a key's last use: at most once a minute, and never the caller's concern.
import { describe, expect, it } from 'vitest';
import { toAdmission } from '../../../../adapters/apigateway/proxy-event.ts';
import { createLastUseThrottle } from '../../../../core/access/last-use.ts';
import type { KeyUseStore } from '../../../../core/ports/keys.ts';
import { recordUse } from '../../../../lambdas/execute/end/finish.ts';
import type { Run } from '../../../../lambdas/execute/run.ts';
import { createMemoryKeyUseStore } from '../../../support/memory/key-store.ts';
import { allowedRequest } from '../allowed-request.ts';

const NOON = Date.parse('2026-11-21T12:00:00.000Z');

/** An admitted request at a time; without `keyId` one of a public neuron. */
function runAt(timeMs: number, keyId: string | undefined): Run {
  const request = allowedRequest(timeMs, {
    authentication: keyId === undefined ? 'public' : 'apiKey',
    keyId,
    username: undefined,
  });
  return { request, startedMs: timeMs, attempts: [], subject: undefined, admission: toAdmission(request) };
}

/** A store that counts its writes. */
function countingUses(record: KeyUseStore['record'] = createMemoryKeyUseStore().record) {
  const recorded: [string, number][] = [];
  const keyUses: KeyUseStore = {
    read: async () => new Map(),
    async record(keyId, timeMs) {
      recorded.push([keyId, timeMs]);
      await record(keyId, timeMs);
    },
  };
  return { recorded, ports: { keyUses, lastUse: createLastUseThrottle() } };
}

describe('the use of a key', () => {
  it('is recorded with the time of the request, and again only a minute later', async () => {
    const { recorded, ports } = countingUses();
    for (const timeMs of [NOON, NOON + 1, NOON + 59_999, NOON + 60_000]) {
      await recordUse(runAt(timeMs, 'key-1'), ports);
    }
    await recordUse(runAt(NOON + 1, 'key-2'), ports);
    expect(recorded).toEqual([
      ['key-1', NOON],
      ['key-1', NOON + 60_000],
      ['key-2', NOON + 1],
    ]);
  });

  it('is not recorded for a caller without a key, nor for a request that was not admitted', async () => {
    const { recorded, ports } = countingUses();
    await recordUse(runAt(NOON, undefined), ports);
    const { request, startedMs, attempts, subject } = runAt(NOON, 'key-1');
    await recordUse({ request, startedMs, attempts, subject }, ports);
    expect(recorded).toEqual([]);
  });

  it('is no concern of the caller when it cannot be recorded', async () => {
    const { recorded, ports } = countingUses(() => Promise.reject(new Error('the table is gone')));
    await recordUse(runAt(NOON, 'key-1'), ports);
    expect(recorded).toEqual([['key-1', NOON]]);
  });
});

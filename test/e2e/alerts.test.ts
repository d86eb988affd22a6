// Alerts of usage limits end to end: from a call over the log's stream to the event, the notification and the command.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ENGINE, isLocal, type Stack, startStack } from './support/stack.ts';

const SETTINGS = `organization: acme
providers: { demo: { type: echo } }
usageLimits: [{ metric: requests, limit: 4, period: month, alertAt: [50, 100] }]
---
neuron: acme/hello
access: { public: true }
rateLimits: [{ metric: requests, scope: ip, limit: 1000, period: 1m }]
flow: [{ callModel: { provider: demo, model: echo-1 } }]`;

interface ShownAlert {
  readonly id: string;
  readonly share: number;
  readonly used: number;
  readonly eventBusAt: string | null;
}

// dynalite has no streams, and events of a deployment go elsewhere.
describe.runIf(isLocal && ENGINE === 'dynoxide')('alerts', () => {
  let stack: Stack;
  const dataFolder = isLocal ? temporaryFolder() : '';
  beforeAll(async () => {
    stack = await startStack({ settings: SETTINGS, dataFolder });
  });
  afterAll(() => stack?.stop());

  const call = () => stack.call('/acme/hello', { json: { input: 'Hello' } });
  const alerts = async (): Promise<ShownAlert[]> =>
    (await stack.operate(['alerts', 'acme', '--json']))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as ShownAlert);
  const events = (): { readonly detail: { readonly id: string; readonly share: number } }[] => {
    const file = join(dataFolder, 'events.jsonl');
    if (!existsSync(file)) return [];
    return readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  const sent = async (count: number): Promise<ShownAlert[]> => {
    for (let tries = 0; tries < 300; tries += 1) {
      const found = await alerts();
      if (found.filter(({ eventBusAt }) => eventBusAt !== null).length >= count) return found;
      await sleep(200);
    }
    throw new Error(`there are not ${count} alerts that were sent`);
  };

  it('come once for each share, with what was used, to the event bus and to the command', async () => {
    await call();
    await call();
    expect(await sent(1)).toMatchObject([{ share: 50, used: 2 }]);
    await call();
    await call();
    // The limit is used up: a refused call is an entry too, and no reason for another alert.
    expect((await call()).status).toBe(429);
    const all = await sent(2);
    expect(all).toMatchObject([
      { share: 100, used: 4 },
      { share: 50, used: 2 },
    ]);
    expect(events().map(({ detail }) => [detail.id, detail.share])).toEqual(
      all.toReversed().map(({ id, share }) => [id, share]),
    );
    expect(events()[0]).toMatchObject({
      source: 'neuron-execution-service',
      'detail-type': 'Usage Limit Share Reached',
      eventBus: 'default',
      detail: { version: 1, stage: 'local', organization: 'acme', keyId: null, unit: 'requests', limit: 4 },
    });
  });
});

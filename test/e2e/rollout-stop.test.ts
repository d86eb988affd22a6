// A rollout whose candidate fails is stopped by itself: from calls over the stream, the slots and the watch to share, event and change.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { addressesOfBothArms, isControl } from './support/both-arms.ts';
import { ENGINE, isLocal, type Stack, startStack } from './support/stack.ts';

const settings = (provider: string) => `
organization: acme
providers: { echo: { type: echo }, down: { type: echo, fail: 503 } }
---
neuron: acme/hello
access: { public: true }
caching: { exact: true }
flow:
  - callModel: { provider: ${provider}, model: echo-1, retries: 0, prompt: "{{input}}" }
`;

interface Status {
  readonly rollout: { readonly id: string; readonly basisPoints: number; readonly paused?: string };
}

// dynalite has no streams, and so nothing that is counted.
describe.runIf(isLocal && ENGINE === 'dynoxide')('a rollout', () => {
  let stack: Stack;
  let dataFolder = '';
  // Of each attempt its own: a rollout that goes on, or was stopped, leaves events and changes.
  beforeEach(async () => {
    dataFolder = temporaryFolder();
    stack = await startStack({ settings: settings('echo'), dataFolder, trustForwardedFor: true });
  }, 120_000);
  afterEach(() => stack?.stop());

  const rollout = (...words: readonly string[]) => stack.operate(['versions', 'rollout', ...words]);
  const status = async () => JSON.parse(await rollout('status', 'acme/hello', '--json')) as Status;
  const call = async (address: string, input: string) => {
    const headers = { 'X-Forwarded-For': address };
    const { status: answered, headers: got } = await stack.call('/acme/hello', { json: { input }, headers });
    return { answered, cache: got['x-cache'] };
  };
  const stops = () =>
    existsSync(join(dataFolder, 'events.jsonl'))
      ? readFileSync(join(dataFolder, 'events.jsonl'), 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
          .filter((event) => event['detail-type'] === 'Rollout Stopped')
      : [];

  it('is stopped by itself, with one event and one change, and no caller of the control meets it', async () => {
    const file = join(dataFolder, 'next.yaml');
    writeFileSync(file, settings('down'));
    await stack.operate(['apply', file, '--yes', '--no-deploy']);
    await rollout('start', 'acme/hello', 'v2', '--share', '50%', '--by', 'address', '--yes');
    const { rollout: begun } = await status();
    const addresses = addressesOfBothArms(begun.id, 4);
    const [ofControl = '', ofCandidate = ''] = [addresses[0], addresses.at(-1)];
    await call(ofControl, 'kept');

    const startedMs = Date.now();
    const controls: number[] = [];
    let failures = 0;
    let calls = 0;
    while ((await status()).rollout.basisPoints > 0) {
      expect(Date.now() - startedMs, 'the bound of docs/rollouts.md').toBeLessThan(80_000);
      for (const address of addresses) {
        calls += 1;
        const { answered } = await call(address, `call ${calls}`);
        if (isControl(begun.id, address)) controls.push(answered);
        else if (answered >= 500) failures += 1;
      }
      await sleep(1_500);
    }
    expect(failures).toBeGreaterThan(0);
    expect(new Set(controls)).toEqual(new Set([200]));

    const { rollout: stopped } = await status();
    expect(stopped.paused).toMatch(
      /^stopped by itself: failed in \d+ of \d+ runs of v2, and in 0 of \d+ of v1$/,
    );
    await expect.poll(() => stops().length, { timeout: 30_000 }).toBe(1);
    expect(stops()[0]).toMatchObject({
      source: 'neuron-execution-service',
      detail: {
        organization: 'acme',
        neuron: 'hello',
        candidateVersion: 'v2',
        controlVersion: 'v1',
        guard: 'failed',
      },
    });
    const changes = (await stack.operate(['logs', 'acme', '--changes', '--json']))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(changes.filter(({ by }) => by === 'service')).toMatchObject([
      { actions: ['rollout'], outcome: 'made' },
    ]);
    // Everybody has the deployed version, whose cached answers are still there.
    await expect.poll(async () => (await call(ofCandidate, 'after')).answered).toBe(200);
    expect((await call(ofControl, 'kept')).cache).toBe('hit');
    await stack.operate(['logs', 'verify', 'acme']);
  }, 240_000);
});

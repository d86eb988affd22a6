// Verifying usage: what it says while calls go on, and how often it reads the entries for that. Time is that of a clock of the test.
import { describe, expect, it } from 'vitest';
import { verifyUsage } from '../../../cli/usage/verify-usage.ts';
import type { LogEntry } from '../../../core/contract/log-entry.ts';
import type { PlacedEntry } from '../../../core/ports/usage.ts';
import { countAndSeal } from '../../../core/usage/count-and-seal.ts';
import { countingPorts, deliver } from '../../core/usage/deliveries.ts';
import { createMemoryLog } from '../../support/memory/log-store.ts';
import { createMemoryUsage } from '../../support/memory/usage.ts';
import { logEntry, NOW_MS } from '../memory-ports.ts';

const QUERY = { organizationId: 'id-acme', fromDay: '2026-11-21', toDay: '2026-11-21' };
const EXPIRES = NOW_MS / 1000 + 90 * 86_400;

/** A call that came so many seconds after noon. Calls are alike but for their ids and times. */
const call = (executionId: string, second = -60): LogEntry =>
  logEntry({ executionId, timeMs: NOW_MS + second * 1000, expiresAt: EXPIRES });

/** A log, its rollups, and a clock: what is planned happens when it is waited for. */
function createScene() {
  let nowMs = NOW_MS;
  let setByMs = 0;
  const clock = {
    now: () => nowMs + setByMs,
    monotonicMs: () => nowMs - NOW_MS,
    sleep: async (milliseconds: number) => pass(milliseconds),
    timer: () => () => undefined,
  };
  const log = createMemoryLog(clock);
  const usage = createMemoryUsage(clock);
  const plan: { readonly atMs: number; readonly happens: () => Promise<unknown> }[] = [];
  const pass = async (milliseconds: number): Promise<void> => {
    const untilMs = nowMs + milliseconds;
    for (const due of plan.toSorted((a, b) => a.atMs - b.atMs)) {
      if (due.atMs > untilMs) break;
      plan.splice(plan.indexOf(due), 1);
      nowMs = Math.max(nowMs, due.atMs);
      await due.happens();
    }
    nowMs = untilMs;
  };
  const scene = {
    recounts: 0,
    waits: 0,
    /** How long a recount takes, and what happens to what it has found. */
    recountMs: 0,
    after: (found: readonly PlacedEntry[]): readonly PlacedEntry[] => found,
    /** Sets the operator's clock forward or back. */
    set: async (milliseconds: number) => {
      setByMs += milliseconds;
    },
    seconds: () => (nowMs - NOW_MS) / 1000,
    at: (second: number, happens: () => Promise<unknown>) =>
      void plan.push({ atMs: NOW_MS + second * 1000, happens }),
    put: async (...entries: LogEntry[]) => {
      for (const entry of entries) await log.put(entry);
    },
    roll: (...entries: LogEntry[]) =>
      countAndSeal(
        entries.map((entry) => deliver(entry, nowMs)),
        countingPorts(usage, usage),
      ),
    verify: async () => {
      const entries = {
        async *entries(query: typeof QUERY) {
          scene.recounts += 1;
          const found: PlacedEntry[] = [];
          for await (const entry of log.entries(query)) found.push(entry);
          await pass(scene.recountMs);
          yield* scene.after(found);
        },
      };
      const { outcome, differences } = await verifyUsage(QUERY, { usage, entries, clock }, () => {
        scene.waits += 1;
      });
      return { outcome, differences: differences.length };
    },
  };
  return scene;
}

describe('verifying usage reads the entries', () => {
  it('once where the rollups are as the entries say', async () => {
    const scene = createScene();
    await scene.put(call('a'), call('b'));
    await scene.roll(call('a'), call('b'));
    expect(await scene.verify()).toEqual({ outcome: 'agrees', differences: 0 });
    expect([scene.recounts, scene.waits, scene.seconds()]).toEqual([1, 0, 0]);
  });

  it('twice where the rollups come later, however often these are looked at meanwhile', async () => {
    const scene = createScene();
    await scene.put(call('a'), call('b'));
    scene.at(8, () => scene.roll(call('a')));
    scene.at(19, () => scene.roll(call('b')));
    expect(await scene.verify()).toMatchObject({ outcome: 'agrees' });
    expect([scene.recounts, scene.waits]).toEqual([2, 1]);
  });

  it('three times where the rollups come after they have stood still', async () => {
    const scene = createScene();
    await scene.put(call('a'), call('b'));
    scene.at(70, () => scene.roll(call('a'), call('b')));
    expect(await scene.verify()).toMatchObject({ outcome: 'agrees' });
    expect(scene.recounts).toBe(3);
  });

  it('twice where they differ and stay so', async () => {
    const scene = createScene();
    await scene.put(call('lost'), call('b', -30));
    await scene.roll(call('b', -30));
    expect(await scene.verify()).toMatchObject({ outcome: 'differs' });
    expect(scene.recounts).toBe(2);
    expect(scene.seconds()).toBeLessThan(25);
  });

  it('twice where the newest is never counted, which is being behind and no difference', async () => {
    const scene = createScene();
    await scene.put(call('a'), call('newest', -1));
    await scene.roll(call('a'));
    expect(await scene.verify()).toMatchObject({ outcome: 'behind' });
    expect(scene.recounts).toBe(2);
    expect(scene.seconds()).toBeGreaterThanOrEqual(120);
  });
});

describe('verifying usage while calls go on', () => {
  it('agrees with a call that was made and counted while the entries were read', async () => {
    const scene = createScene();
    await scene.put(call('a'));
    await scene.roll(call('a'));
    scene.recountMs = 10_000;
    scene.at(3, () => scene.put(call('b', 3)));
    scene.at(8, () => scene.roll(call('b', 3)));
    expect(await scene.verify()).toMatchObject({ outcome: 'agrees' });
    expect(scene.recounts).toBe(2);
  });

  it('does not take a call that came later for one that was lost, though the sums are equal', async () => {
    const scene = createScene();
    await scene.put(call('lost'), call('b', -30));
    await scene.roll(call('b', -30));
    scene.at(1, () => scene.put(call('c', 1)));
    scene.at(6, () => scene.roll(call('c', 1)));
    expect(await scene.verify()).toMatchObject({ outcome: 'differs' });
    expect(scene.recounts).toBe(3);
  });

  it('does not even while the entries are read for the first time', async () => {
    const scene = createScene();
    await scene.put(call('lost'), call('b', -30));
    await scene.roll(call('b', -30));
    scene.recountMs = 10_000;
    scene.at(1, () => scene.put(call('c', 1)));
    scene.at(6, () => scene.roll(call('c', 1)));
    expect(await scene.verify()).toMatchObject({ outcome: 'differs' });
  });

  it('agrees in a pause between calls', async () => {
    const scene = createScene();
    for (let second = 0; second < 200; second += 20) {
      scene.at(second + 1, () => scene.put(call(`c${second}`, second)));
      scene.at(second + 6, () => scene.roll(call(`c${second}`, second)));
    }
    await scene.put(call('a', -2));
    scene.at(4, () => scene.roll(call('a', -2)));
    expect(await scene.verify()).toMatchObject({ outcome: 'agrees' });
    expect(scene.recounts).toBeLessThanOrEqual(3);
  });

  it('is behind where they come without a pause, and does not read all of them again and again', async () => {
    const scene = createScene();
    for (let second = -10; second < 400; second += 1) {
      const one = call(`c${second}`, second);
      if (second < 0) await scene.put(one);
      else scene.at(second, () => scene.put(one));
      scene.at(second + 5, () => scene.roll(one));
    }
    await scene.roll(call('c-10', -10));
    expect(await scene.verify()).toMatchObject({ outcome: 'behind' });
    expect(scene.recounts).toBeLessThanOrEqual(6);
    expect(scene.seconds()).toBeLessThan(140);
  });

  it('differs where a call was lost among others that are counted late', async () => {
    const scene = createScene();
    await scene.put(call('lost'), call('b', -30));
    for (const second of [2, 9, 16]) {
      scene.at(second, () => scene.put(call(`c${second}`, second)));
      scene.at(second + 5, () => scene.roll(call(`c${second}`, second)));
    }
    scene.at(4, () => scene.roll(call('b', -30)));
    // A success, its tokens in and out, and its cost, which is unknown: of the neuron and of its version, and there its latency.
    expect(await scene.verify()).toEqual({ outcome: 'differs', differences: 9 });
    expect(scene.recounts).toBeLessThanOrEqual(5);
  });

  it('finds an entry that the index showed late', async () => {
    const scene = createScene();
    await scene.put(call('a'), call('late'));
    await scene.roll(call('a'), call('late'));
    scene.after = (found) =>
      scene.recounts === 1 ? found.filter(({ executionId }) => executionId !== 'late') : found;
    expect(await scene.verify()).toMatchObject({ outcome: 'agrees' });
    expect(scene.recounts).toBe(2);
  });

  it('waits two minutes for the rollups, however long the first recount takes', async () => {
    const scene = createScene();
    await scene.put(call('a'));
    scene.recountMs = 300_000;
    scene.at(310, () => scene.roll(call('a')));
    expect(await scene.verify()).toMatchObject({ outcome: 'agrees' });
  });
});

describe('verifying usage while the clock is set', () => {
  it.each([-3_600_000, 3_600_000])('by %i ms ends when it would have otherwise', async (byMs) => {
    const behind = createScene();
    await behind.put(call('a'), call('newest', -1));
    await behind.roll(call('a'));
    behind.at(3, () => behind.set(byMs));
    expect(await behind.verify()).toMatchObject({ outcome: 'behind' });
    expect(behind.seconds()).toBeGreaterThanOrEqual(120);
    expect(behind.seconds()).toBeLessThan(140);

    const different = createScene();
    await different.put(call('lost'), call('b', -30));
    await different.roll(call('b', -30));
    different.at(3, () => different.set(byMs));
    expect(await different.verify()).toMatchObject({ outcome: 'differs' });
    expect(different.seconds()).toBeGreaterThanOrEqual(15);
    expect(different.seconds()).toBeLessThan(25);
  });
});

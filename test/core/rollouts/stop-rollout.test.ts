// The function that stops rollouts is ended at each of its steps, and begins again: one change, one event, one share of 0.
import { describe, expect, it } from 'vitest';
import { resumeRollout } from '../../../core/admin/apply/rollouts.ts';
import type { ChangeEntry } from '../../../core/contract/change-entry.ts';
import type { RolloutStoppedDetail } from '../../../core/contract/rollout-event.ts';
import type { RecordedRollout } from '../../../core/ports/administration.ts';
import type { SlotRow, WatchedNeuron } from '../../../core/ports/rollout-watch.ts';
import { type RolloutMemory, type WatchPorts, watchRollouts } from '../../../core/rollouts/watch-rollouts.ts';
import { NO_USAGE } from '../../../core/usage/entry-usage.ts';
import { ROLLOUT_SLOT_MS } from '../../../core/usage/slot-row.ts';
import { neuronRecord } from '../../cli/memory-ports.ts';

const RECORD = neuronRecord('acme', 'hello');
const START_MS = Date.UTC(2026, 10, 28, 12);
const iso = (ms: number) => new Date(ms).toISOString();

const ROLLOUT: RecordedRollout = {
  id: 'r1',
  candidate: 'v2',
  basisPoints: 5_000,
  by: 'user',
  stages: [{ share: 5_000, for: 0, runs: 0 }],
  stage: 0,
  stageSince: iso(START_MS),
  since: iso(START_MS),
  startedBy: 'ada',
  guards: ['failed'],
  guardedSince: iso(START_MS),
};

function slotRow(at: number, arm: 'control' | 'candidate', success: number, failed: number): SlotRow {
  const slot = iso(START_MS + at * ROLLOUT_SLOT_MS);
  return {
    organizationId: 'id-acme',
    day: '2026-11-28',
    neuronId: 'id-hello',
    neuron: 'hello',
    subject: { kind: 'slot', rollout: 'r1', arm, slot, organization: 'acme' },
    amounts: { ...NO_USAGE, success, failed },
    entriesEnd: {},
    expiresAt: undefined,
  };
}

/** Three slots in which the candidate fails always, or never. */
const slots = (fails: boolean) =>
  [1, 2, 3].flatMap((at) => [
    slotRow(at, 'control', 7, 0),
    slotRow(at, 'candidate', fails ? 0 : 7, fails ? 7 : 0),
  ]);

class Killed extends Error {}

/** `killAt`: the step at which the function ends; before it is made, or after it was made and before anybody knew. */
function createScene(rows: readonly SlotRow[], rollout: RecordedRollout | undefined = ROLLOUT) {
  let stored: WatchedNeuron | undefined = rollout && {
    organization: 'acme',
    organizationId: 'id-acme',
    slug: 'hello',
    id: 'id-hello',
    control: 'v1',
    rollout,
    write: 1,
  };
  const begun = new Map<string, ChangeEntry>();
  const ended = new Map<string, string>();
  const events: RolloutStoppedDetail[] = [];
  const lines: string[] = [];
  let nowMs = START_MS + 4 * ROLLOUT_SLOT_MS + 2_000;
  let step = 0;
  let kill: { readonly at: number; readonly isMade: boolean } | undefined;
  const effect = async <T>(make: () => T): Promise<T> => {
    step += 1;
    if (kill?.at === step && !kill.isMade) throw new Killed();
    const made = make();
    if (kill?.at === step) throw new Killed();
    return made;
  };
  const reads: string[] = [];
  const slept: number[] = [];
  const ports: WatchPorts = {
    slots: {
      async *slots(after, before) {
        reads.push(after);
        yield* rows.filter(({ subject }) => subject.slot > after && subject.slot < before);
      },
    },
    rollouts: {
      read: async () => stored,
      write: (neuron, next) =>
        effect(() => {
          if (stored?.write !== neuron.write) return undefined;
          stored = { ...stored, rollout: next, write: neuron.write + 1 };
          return stored;
        }),
    },
    changes: {
      begin: (change) => effect(() => void (begun.has(change.id) || begun.set(change.id, change))),
      end: ({ id }, outcome) => effect(() => void (ended.has(id) || ended.set(id, outcome))),
    },
    events: { send: (detail) => effect(() => void events.push(detail)) },
    lines: { write: (line) => void lines.push(line) },
    clock: {
      now: () => nowMs,
      sleep: async (milliseconds) => {
        slept.push(milliseconds);
        nowMs += milliseconds;
      },
    },
    slotMs: ROLLOUT_SLOT_MS,
    stage: 'test',
  };
  return {
    ...{ begun, ended, events, lines, reads, slept },
    stored: () => stored,
    /** Someone else writes the neuron. */
    change: (next: RecordedRollout | undefined) => {
      stored = next && stored && { ...stored, rollout: next, write: stored.write + 1 };
    },
    steps: () => step,
    async look(killed?: typeof kill, memory: RolloutMemory = new Map()) {
      kill = killed;
      step = 0;
      await watchRollouts(ports, memory).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      });
      kill = undefined;
      nowMs += 60_000;
    },
  };
}

const KILLS = [1, 2, 3, 4, 5, 6].flatMap((at) => [
  { at, isMade: false },
  { at, isMade: true },
]);

describe('a rollout whose candidate fails', () => {
  it('is stopped in six steps: one change, one event, nobody sent to the candidate', async () => {
    const scene = createScene(slots(true));
    await scene.look();
    expect(scene.steps()).toBe(6);
    expect(scene.stored()?.rollout).toMatchObject({
      basisPoints: 0,
      stage: 0,
      paused: 'stopped by itself: failed in 7 of 7 runs of v2, and in 0 of 7 of v1',
      stop: { guard: 'failed', isTold: true },
    });
    expect([...scene.begun.values()]).toMatchObject([
      {
        by: 'service',
        actions: ['rollout'],
        organization: 'acme',
        neuron: 'hello',
        before: { rollout: { basisPoints: 5_000 } },
        after: { rollout: { basisPoints: 0 } },
      },
    ]);
    expect([...scene.ended.values()]).toEqual(['made']);
    expect(scene.events).toMatchObject([
      { version: 1, stage: 'test', guard: 'failed', candidateVersion: 'v2' },
    ]);
    expect(scene.lines).toHaveLength(1);
    await scene.look();
    expect([scene.steps(), scene.events.length]).toEqual([0, 1]);
  });

  it.each(KILLS)('is stopped once where the function is ended at %j', async (kill) => {
    const scene = createScene(slots(true));
    await scene.look(kill);
    for (let look = 0; look < 3; look += 1) await scene.look();
    expect(scene.begun.size).toBe(1);
    expect([...scene.ended.values()]).toEqual(['made']);
    expect(new Set(scene.events.map(({ id }) => id)).size).toBe(1);
    // An event that was sent before anybody could write it down comes again, under its id.
    expect(scene.events.length).toBe(
      (kill.at === 5 && kill.isMade) || (kill.at === 6 && !kill.isMade) ? 2 : 1,
    );
    expect(scene.stored()?.rollout).toMatchObject({ basisPoints: 0, stop: { isTold: true } });
  });

  it('is stopped once where it is ended at every step in turn', async () => {
    const scene = createScene(slots(true));
    for (const kill of KILLS) await scene.look({ ...kill, at: Math.min(kill.at, 3) });
    for (let look = 0; look < 3; look += 1) await scene.look();
    expect([scene.begun.size, [...scene.ended.values()]]).toEqual([1, ['made']]);
    expect(new Set(scene.events.map(({ id }) => id)).size).toBe(1);
  });

  it.each([2, 3])('is left to whoever changed it before step %d', async (at) => {
    const scene = createScene(slots(true));
    await scene.look({ at, isMade: false });
    const { stop: _stop, ...resumed } = scene.stored()?.rollout ?? ROLLOUT;
    scene.change({ ...resumed, guardedSince: iso(START_MS + 100 * ROLLOUT_SLOT_MS) });
    await scene.look();
    expect(scene.stored()?.rollout).toMatchObject({ basisPoints: 5_000 });
    expect(scene.events).toEqual([]);
  });

  it('is not stopped once it is paused, aborted, without guards, or another one', async () => {
    const others = [{ basisPoints: 0 }, { guards: [] }, { guards: undefined }, { id: 'r2' }];
    for (const changes of others) {
      const scene = createScene(slots(true), { ...ROLLOUT, ...changes });
      await scene.look();
      expect([scene.steps(), scene.events.length]).toEqual([0, 0]);
    }
    const scene = createScene(slots(true));
    scene.change(undefined);
    await scene.look();
    expect(scene.steps()).toBe(0);
  });

  it('begins its evidence anew when it is resumed', async () => {
    const scene = createScene(slots(true), { ...ROLLOUT, guardedSince: iso(START_MS + 3 * ROLLOUT_SLOT_MS) });
    await scene.look();
    expect(scene.stored()?.rollout.basisPoints).toBe(5_000);
  });
});

describe('a rollout that a command with another clock', () => {
  const DAY_MS = 24 * 60 * 60_000;
  const { stop: _none, ...paused } = { ...ROLLOUT, basisPoints: 0, paused: 'by hand', stop: undefined };

  it('began a day ahead is stopped at the first look', async () => {
    const ahead = iso(START_MS + DAY_MS);
    const scene = createScene(slots(true), { ...ROLLOUT, since: ahead, guardedSince: ahead });
    await scene.look();
    expect(scene.stored()?.rollout.basisPoints).toBe(0);
  });

  it('resumed a day ahead is stopped for what came after the first look, and for nothing of before', async () => {
    const late = [8, 9].flatMap((at) => [slotRow(at, 'control', 7, 0), slotRow(at, 'candidate', 0, 7)]);
    for (const [rows, basisPoints] of [
      [slots(true), 5_000],
      [[...slots(true), ...late], 0],
    ] as const) {
      const scene = createScene(rows, { ...ROLLOUT, guardedSince: iso(START_MS + DAY_MS) });
      const memory: RolloutMemory = new Map();
      for (let look = 0; look < 3; look += 1) await scene.look(undefined, memory);
      expect(scene.stored()?.rollout.basisPoints).toBe(basisPoints);
    }
  });

  it('resumed an hour behind is not stopped for what came before it', async () => {
    const scene = createScene(slots(true), paused);
    const memory: RolloutMemory = new Map();
    await scene.look(undefined, memory);
    scene.change({ ...ROLLOUT, guardedSince: iso(START_MS - 60 * 60_000) });
    for (let look = 0; look < 3; look += 1) await scene.look(undefined, memory);
    expect([scene.stored()?.rollout.basisPoints, scene.steps()]).toEqual([5_000, 0]);
  });

  it('resumed an hour behind, after a stop, is not stopped for it again', async () => {
    const scene = createScene(slots(true));
    await scene.look();
    const stopped = scene.stored();
    if (stopped === undefined) throw new Error('the rollout is gone');
    const { rollout } = resumeRollout({ ...RECORD, rollout: stopped.rollout }, iso(START_MS - 60 * 60_000));
    scene.change(rollout);
    await scene.look();
    expect([scene.stored()?.rollout.basisPoints, scene.events.length]).toEqual([5_000, 1]);
  });
});

describe('a rollout whose candidate is as good', () => {
  it('goes on, and each look reads what is new', async () => {
    const scene = createScene(slots(false));
    const memory: RolloutMemory = new Map();
    await scene.look(undefined, memory);
    await scene.look(undefined, memory);
    expect(scene.steps()).toBe(0);
    // Each look asks for all that are going on, then for what came since.
    expect(scene.reads[1]).toBe(iso(START_MS));
    expect(scene.reads[3]).toBe(iso(START_MS + 3 * ROLLOUT_SLOT_MS));
  });

  it('leaves a slot that is not over, and waits for its end where a candidate fails in it', async () => {
    const scene = createScene([slotRow(4, 'control', 7, 0), slotRow(4, 'candidate', 0, 7)]);
    await scene.look();
    // The look came 2 seconds after the slot began, and 2 seconds after its end it is over.
    expect(scene.slept).toEqual([ROLLOUT_SLOT_MS]);
    expect(scene.stored()?.rollout.basisPoints).toBe(0);
  });

  it('waits for no slot in which no candidate fails', async () => {
    const scene = createScene([slotRow(4, 'control', 5, 2), slotRow(4, 'candidate', 7, 0)]);
    await scene.look();
    expect([scene.slept, scene.stored()?.rollout.basisPoints]).toEqual([[], 5_000]);
  });
});

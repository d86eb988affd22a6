// Simulated rollouts, seeded: how often a good candidate is stopped, and how soon a bad one. The table is that of docs/rollouts.md.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ArmCounts, advance, NO_EVIDENCE, NO_RUNS } from '../../../core/rollouts/guard-state.ts';
import { addCounts, evidenceOf } from '../../../core/statistics/e-process.ts';
import { seeded } from '../../../core/statistics/seeded.ts';
import { ROLLOUT_SLOT_MS } from '../../../core/usage/slot-row.ts';
import { ROOT } from '../../source-tree.ts';

const ROLLOUTS = 10_000;
const MINUTES = 60;
const SLOTS_PER_MINUTE = 60_000 / ROLLOUT_SLOT_MS;
const ENOUGH = Math.log(1 / 0.05);

interface Scene {
  /** Calls a minute. */
  readonly control: number;
  readonly candidate: number;
  /** Shares of runs that fail. */
  readonly controlFails: number;
  readonly candidateFails: number;
}

/** The minute in which each rollout was stopped, looked at every minute for an hour; undefined for one that was not. */
function simulate({ control, candidate, controlFails, candidateFails }: Scene, seed: number) {
  const random = seeded(seed);
  const draw = (perMinute: number, fails: number, slot: number) => {
    // Calls come evenly: two a minute are in two of its slots.
    const until = (end: number) => Math.floor((end * perMinute) / SLOTS_PER_MINUTE);
    const count = until(slot) - until(slot - 1);
    let bad = 0;
    for (let call = 0; call < count; call += 1) if (random() < fails) bad += 1;
    return { count, bad };
  };
  return Array.from({ length: ROLLOUTS }, () => {
    let earlier = { control: { count: 0, bad: 0 }, candidate: { count: 0, bad: 0 } };
    let log = 0;
    for (let slot = 1; slot <= MINUTES * SLOTS_PER_MINUTE; slot += 1) {
      const block = {
        control: draw(control, controlFails, slot),
        candidate: draw(candidate, candidateFails, slot),
      };
      log += evidenceOf(earlier, block);
      if (log >= ENOUGH) return Math.ceil(slot / SLOTS_PER_MINUTE);
      earlier = {
        control: addCounts(earlier.control, block.control),
        candidate: addCounts(earlier.candidate, block.candidate),
      };
    }
    return undefined;
  });
}

const percent = (part: number) => `${((part / ROLLOUTS) * 100).toFixed(1)} %`;

const known = new Map<number, ReturnType<typeof summarizeStops>>();

function summarize(scene: Scene, seed: number) {
  const summary = known.get(seed) ?? summarizeStops(scene, seed);
  known.set(seed, summary);
  return summary;
}

/** Stopped in all, within 2 and within 5 minutes, and the median minute. */
function summarizeStops(scene: Scene, seed: number) {
  const stops = simulate(scene, seed).flatMap((minute) => minute ?? []);
  const within = (minutes: number) => stops.filter((minute) => minute <= minutes).length;
  const median = [...stops].sort((a, b) => a - b)[Math.floor(stops.length / 2)];
  return { stopped: stops.length, within2: within(2), within5: within(5), median };
}

const calls = (control: number, candidate: number, controlFails: number, candidateFails: number): Scene => ({
  control,
  candidate,
  controlFails,
  candidateFails,
});

/** Rows of the page: calls a minute of both, and the share of runs that fail. */
const GOOD = [
  calls(20, 20, 0.02, 0.02),
  calls(18, 2, 0.02, 0.02),
  calls(20, 20, 0.2, 0.2),
  calls(20, 20, 0.05, 0.01),
];
const BAD = [
  calls(20, 20, 0.02, 1),
  calls(20, 20, 0.02, 0.3),
  calls(20, 20, 0.02, 0.1),
  calls(18, 2, 0.02, 0.3),
  calls(180, 20, 0.02, 0.05),
];

function row(scene: Scene, seed: number): string {
  const { control, candidate, controlFails, candidateFails } = scene;
  const { stopped, within2, within5, median } = summarize(scene, seed);
  const shares = `${controlFails * 100} % | ${candidateFails * 100} %`;
  return `| ${control} and ${candidate} | ${shares} | ${percent(stopped)} | ${percent(within2)} | ${percent(within5)} | ${stopped < ROLLOUTS / 2 ? '' : median} |`.replace(
    '|  |',
    '| |',
  );
}

describe('10,000 simulated rollouts', () => {
  it.each(GOOD.map((scene, at) => [scene, at] as const))(
    'stop a good version in at most 5 %%: %j',
    (scene, at) => {
      const { stopped } = summarize(scene, 100 + at);
      expect(stopped / ROLLOUTS).toBeLessThanOrEqual(0.05);
    },
  );

  it('stop a version that always fails within 2 minutes, and one of 30 % within 5, at 20 calls a minute and arm', () => {
    expect(summarize(BAD[0]!, 200).within2 / ROLLOUTS).toBe(1);
    expect(summarize(BAD[1]!, 201).within5 / ROLLOUTS).toBeGreaterThan(0.99);
  });

  it('are those of the page', () => {
    const page = readFileSync(join(ROOT, 'docs/rollouts.md'), 'utf8');
    const rows = [
      ...GOOD.map((scene, at) => row(scene, 100 + at)),
      ...BAD.map((scene, at) => row(scene, 200 + at)),
    ];
    for (const one of rows) expect(page).toContain(one);
  });

  it('keep the chance for all guards of one rollout together', () => {
    const random = seeded(300);
    const guards = ['failed', 'slow', 'dear', 'helpful'];
    const fill = (runs: number): ArmCounts => {
      const latency = new Map<number, number>();
      const cost = new Map<number, number>();
      const helpful = new Map<number, number>();
      let failed = 0;
      const add = (histogram: Map<number, number>, bucket: number) =>
        histogram.set(bucket, (histogram.get(bucket) ?? 0) + 1);
      for (let run = 0; run < runs; run += 1) {
        if (random() < 0.05) failed += 1;
        add(latency, Math.floor(-4 * Math.log(1 - random())));
        add(cost, Math.floor(random() * 12));
        if (random() < 0.3)
          add(helpful, random() < 0.6 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY);
      }
      return { runs, failed, latency, cost, ratings: new Map([['helpful', helpful]]) };
    };
    const stopped = Array.from({ length: 500 }, () => {
      let state = NO_EVIDENCE;
      for (let slot = 0; slot < 90 && state.tripped === undefined; slot += 1)
        state = advance(state, guards, { slot: String(slot), control: fill(7), candidate: fill(5) });
      return state.tripped;
    }).filter((tripped) => tripped !== undefined);
    expect(stopped.length / 500).toBeLessThanOrEqual(0.05);
  });
});

describe('a guard', () => {
  const arm = (changes: Partial<ArmCounts>): ArmCounts => ({ ...NO_RUNS, ...changes });
  const run = (guard: string, control: ArmCounts, candidate: ArmCounts, slots = 12) => {
    let state = NO_EVIDENCE;
    for (let slot = 0; slot < slots; slot += 1)
      state = advance(state, [guard], { slot: `s${slot}`, control, candidate });
    return state.tripped;
  };
  const fast = new Map([
    [2, 6],
    [3, 1],
  ]);
  const stars = (value: number) => arm({ runs: 4, ratings: new Map([['stars', new Map([[value, 4]])]]) });

  it('of latency stops a candidate that is slower than most runs of the control', () => {
    const control = arm({ runs: 7, latency: fast });
    expect(run('slow', control, arm({ runs: 7, latency: new Map([[6, 7]]) }))).toMatchObject({
      guard: 'slow',
    });
    expect(run('slow', control, arm({ runs: 7, latency: fast }))).toBeUndefined();
    expect(run('slow', control, arm({ runs: 7, latency: new Map([[0, 7]]) }))).toBeUndefined();
  });

  it('of cost stops a candidate that is dearer, and not one whose cost is unknown', () => {
    const control = arm({ runs: 7, cost: fast });
    expect(run('dear', control, arm({ runs: 7, cost: new Map([[9, 7]]) }))).toMatchObject({ guard: 'dear' });
    expect(run('dear', control, arm({ runs: 7 }))).toBeUndefined();
  });

  it('of a metric stops a candidate with worse values, of numbers and of true and false', () => {
    expect(run('stars', stars(5), stars(2))).toMatchObject({ guard: 'stars' });
    expect(run('stars', stars(2), stars(5))).toBeUndefined();
    const rated = (good: number, bad: number) =>
      arm({
        ratings: new Map([
          [
            'helpful',
            new Map([
              [Number.POSITIVE_INFINITY, good],
              [Number.NEGATIVE_INFINITY, bad],
            ]),
          ],
        ]),
      });
    expect(run('helpful', rated(4, 1), rated(0, 4))).toMatchObject({
      guard: 'helpful',
      counts: { candidate: { bad: expect.any(Number) } },
    });
    expect(run('helpful', rated(0, 4), rated(0, 4))).toBeUndefined();
    expect(run('other', stars(5), stars(2))).toBeUndefined();
  });

  it('says nothing without a control, and nothing of an outage of both', () => {
    expect(run('failed', NO_RUNS, arm({ runs: 7, failed: 7 }))).toBeUndefined();
    expect(run('failed', arm({ runs: 7, failed: 7 }), arm({ runs: 7, failed: 7 }))).toBeUndefined();
  });

  it('names the slot and the counts with which the evidence sufficed, and keeps them', () => {
    const tripped = run('failed', arm({ runs: 7 }), arm({ runs: 7, failed: 7 }));
    expect(tripped).toMatchObject({
      guard: 'failed',
      slot: 's0',
      counts: { control: { count: 7, bad: 0 } },
    });
    expect(tripped?.evidence).toBeGreaterThan(20);
    expect(run('failed', arm({ runs: 7 }), arm({ runs: 7, failed: 7 }), 50)).toEqual(tripped);
  });
});

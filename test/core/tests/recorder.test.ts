// Calls of runs through recordings: what fails for a moment, what is made anew, and what calls may cost.
import { describe, expect, it } from 'vitest';
import { createRecorder, type RecordedCall } from '../../../core/tests/recording/recorder.ts';
import type { Recording, RecordMode } from '../../../core/tests/recording/recording.ts';
import { createSpendLimit, type MostOfCall } from '../../../core/tests/recording/spend-limit.ts';

const PLACE = { tests: 'acme/a', case: 'one', repetition: 1 };

interface Setup {
  readonly mode?: RecordMode;
  readonly recordings?: Map<string, Recording>;
  readonly maxCost?: number;
  readonly isBroken?: () => boolean;
}

function openRecorder({ mode = 'missing', recordings = new Map(), maxCost, isBroken }: Setup = {}) {
  let nowMs = 0;
  const recorder = createRecorder({
    mode,
    maxCost,
    clock: { monotonicMs: () => nowMs },
    recordings: {
      find: (key) => recordings.get(key),
      add: (recording) => void recordings.set(recording.key, recording),
      ...(isBroken === undefined ? {} : { isBroken }),
    },
  });
  const passMs = (milliseconds: number) => {
    nowMs += milliseconds;
  };
  return { recordings, recorder, passMs };
}

/** Answers of the same request, one after the other; an error is thrown. */
function callOf(answers: (string | Error)[], most: MostOfCall = 0): RecordedCall<string> {
  return {
    target: 'demo/m',
    request: 'the same',
    costs: { most, costOf: () => (most === 'receipt' ? null : most) },
    async live() {
      const next = answers.shift() ?? new Error('no answer is left');
      if (next instanceof Error) throw next;
      return next;
    },
    toRecord: (text) => ({ text }),
    fromRecord: ({ text }) => (typeof text === 'string' ? text : undefined),
  };
}

const NEVER = () => undefined;

describe('a call that fails for a moment', () => {
  it('leaves its place to the next equal one, so that a run without the failure finds its recording', async () => {
    const { recordings, recorder } = openRecorder();
    const call = callOf([new Error('busy'), 'first', 'second']);
    const run = recorder.openRun(PLACE, NEVER);
    await expect(run.call(call)).rejects.toThrow('busy');
    expect([await run.call(call), await run.call(call)]).toEqual(['first', 'second']);
    const again = openRecorder({ mode: 'none', recordings }).recorder.openRun(PLACE, NEVER);
    expect([await again.call(callOf([])), await again.call(callOf([]))]).toEqual(['first', 'second']);
    expect(again.counts()).toEqual({ replayed: 2, live: 0, missing: [] });
  });

  it('is made anew with --record all by the other version too, never taken from an old recording', async () => {
    const { recordings, recorder } = openRecorder();
    await recorder.openRun(PLACE, NEVER).call(callOf(['old']));
    const anew = openRecorder({ mode: 'all', recordings }).recorder;
    const call = callOf([new Error('busy'), 'new']);
    await expect(anew.openRun(PLACE, NEVER).call(call)).rejects.toThrow('busy');
    expect(await anew.openRun(PLACE, NEVER).call(call)).toBe('new');
  });

  it('is made once where two versions wait for it', async () => {
    const { recorder } = openRecorder();
    const call = callOf([new Error('busy'), 'once']);
    const runs = Array.from({ length: 3 }, () => recorder.openRun(PLACE, NEVER));
    const ended = await Promise.allSettled(runs.map((run) => run.call(call)));
    expect(ended.map((one) => (one.status === 'fulfilled' ? one.value : one.status))).toEqual([
      'rejected',
      'once',
      'once',
    ]);
  });
});

describe('a recording of another form', () => {
  it('is no recording, and its time does not pass', async () => {
    const { recordings, recorder } = openRecorder();
    await recorder.openRun(PLACE, NEVER).call(callOf(['whole']));
    for (const [key, one] of recordings) recordings.set(key, { ...one, ms: 5_000, answer: { texts: [] } });
    const passed: number[] = [];
    const strict = openRecorder({ mode: 'none', recordings }).recorder;
    const run = strict.openRun(PLACE, (ms) => passed.push(ms));
    await expect(run.call(callOf([]))).rejects.toThrow();
    expect([run.obstacle(), run.counts().missing, passed]).toEqual(['missing', ['demo/m'], []]);
    const anew = openRecorder({ recordings }).recorder.openRun(PLACE, (ms) => passed.push(ms));
    expect([await anew.call(callOf(['again'])), passed]).toEqual(['again', [0]]);
  });
});

describe('recordings that cannot be kept', () => {
  it('end further calls, which would be paid for nothing', async () => {
    let isBroken = false;
    const { recorder } = openRecorder({ isBroken: () => isBroken });
    await recorder.openRun(PLACE, NEVER).call(callOf(['paid']));
    isBroken = true;
    const run = recorder.openRun({ ...PLACE, case: 'two' }, NEVER);
    await expect(run.call(callOf(['paid']))).rejects.toThrow();
    expect([run.obstacle(), run.counts().live]).toEqual(['unwritable', 0]);
  });
});

describe('a limit of spending', () => {
  it('has room for what calls may cost at once, and gives back what they did not', () => {
    const limit = createSpendLimit(10);
    const first = limit.reserve(6);
    expect(limit.reserve(5)).toBeUndefined();
    first?.(1);
    first?.(9);
    expect(limit.reserve(9)).toBeDefined();
    expect([limit.reserve(1), limit.reserve(null)]).toEqual([undefined, undefined]);
    expect(createSpendLimit(undefined).reserve(null)).toBeDefined();
  });

  it('has none for calls with a receipt once it is reached, at 0 from the first', () => {
    expect(createSpendLimit(0).reserve('receipt')).toBeUndefined();
    expect(createSpendLimit(0).reserve(0)).toBeDefined();
    const limit = createSpendLimit(10);
    limit.reserve('receipt')?.(9);
    limit.reserve('receipt')?.(3);
    expect(limit.reserve('receipt')).toBeUndefined();
  });

  it('has none after a receipt that did not say the cost', async () => {
    const { recorder } = openRecorder({ maxCost: 1_000_000 });
    const call = callOf(['without a price', 'never'], 'receipt');
    await recorder.openRun(PLACE, NEVER).call(call);
    const next = recorder.openRun({ ...PLACE, repetition: 2 }, NEVER);
    await expect(next.call(call)).rejects.toThrow();
    expect(next.obstacle()).toBe('maxCost');
  });
});

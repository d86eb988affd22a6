// Answers the calls of runs from recordings, or makes them and records them.
import { ServiceError } from '../../contract/service-error.ts';
import type { Clock } from '../../time/clock.ts';
import {
  keyOfCall,
  type OutsideCall,
  type Recording,
  type RecordingStore,
  type RecordMode,
  type RunPlace,
} from './recording.ts';
import { createSpendLimit, type MostOfCall, type SpendLimit } from './spend-limit.ts';

/** Why a run could not be made. None is a verdict about the neuron. */
export type RunObstacle = 'missing' | 'maxCost' | 'unwritable';

/** The most that a live call may cost, and its cost in integer microdollars; null where it is unknown. */
export interface CallCosts<Answer> {
  readonly most: MostOfCall;
  costOf(answer: Answer): number | null;
}

/** A call with the forms of its answer. */
export interface RecordedCall<Answer> extends OutsideCall {
  readonly costs: CallCosts<Answer>;
  live(): Promise<Answer>;
  /** Undefined for an answer that is not to be kept. */
  toRecord(answer: Answer): Readonly<Record<string, unknown>> | undefined;
  /** Throws what was recorded as thrown; undefined for a record of another form. */
  fromRecord(record: Readonly<Record<string, unknown>>): Answer | undefined;
}

/** The calls of one run. */
export interface RunRecorder {
  /** Throws as the call itself, and `internal` where there is no recording and none may be made. */
  call<Answer>(call: RecordedCall<Answer>): Promise<Answer>;
  /** Set once a call could not be made. */
  readonly obstacle: () => RunObstacle | undefined;
  readonly counts: () => RunCalls;
}

/** Calls of a run. */
export interface RunCalls {
  readonly replayed: number;
  readonly live: number;
  /** Targets of calls without a recording. */
  readonly missing: readonly string[];
}

interface RecorderPorts {
  readonly mode: RecordMode;
  readonly recordings: RecordingStore;
  /** Max. cost of all live calls together, in integer microdollars; undefined for no limit. */
  readonly maxCost: number | undefined;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/** `openRun`: `advance` is told how long each call took, when it was recorded or now. */
export interface Recorder {
  openRun(place: RunPlace, advance: (milliseconds: number) => void): RunRecorder;
}

export function createRecorder(ports: RecorderPorts): Recorder {
  const made = new Set<string>();
  const find = (key: string, place: RunPlace): Recording | undefined =>
    ports.mode === 'all' && !made.has(key) ? undefined : ports.recordings.find(key, place);
  const spend = createSpendLimit(ports.maxCost);
  const begun = new Map<string, Promise<void>>();
  return { openRun: (place, advance) => openRun(place, { ...ports, spend, find, made, begun, advance }) };
}

interface RunContext extends RecorderPorts {
  readonly spend: SpendLimit;
  readonly find: (key: string, place: RunPlace) => Recording | undefined;
  /** Keys whose recording is of this process. */
  readonly made: Set<string>;
  /** Live calls under way, by key. */
  readonly begun: Map<string, Promise<void>>;
  readonly advance: (milliseconds: number) => void;
}

function openRun(place: RunPlace, context: RunContext): RunRecorder {
  const takeKey = createKeys(place);
  const missing: string[] = [];
  let obstacle: RunObstacle | undefined;
  let [replayed, live] = [0, 0];
  const stop = (reason: RunObstacle): ServiceError => {
    obstacle ??= reason;
    return new ServiceError('internal', { reason: REASONS[reason] });
  };
  return {
    async call(call) {
      const { key, release } = takeKey(call);
      // The other version may make the same call just now. Nothing may begin between the last look and the call.
      for (let other = context.begun.get(key); other !== undefined; other = context.begun.get(key))
        await other;
      const found = context.find(key, place);
      const answer = found === undefined ? undefined : replay(call, found, context.advance);
      if (answer !== undefined) {
        replayed += 1;
        return answer.value;
      }
      if (context.mode === 'none') {
        missing.push(call.target);
        throw stop('missing');
      }
      if (context.recordings.isBroken?.()) throw stop('unwritable');
      const reserved = context.spend.reserve(call.costs.most);
      if (reserved === undefined) throw stop('maxCost');
      live += 1;
      return makeCall(call, { ...context, key, place, release, settle: reserved });
    },
    obstacle: () => obstacle,
    counts: () => ({ replayed, live, missing }),
  };
}

/** A key for each call of a run: equal calls count up. One that left no recording gives its number to the next. */
function createKeys(place: RunPlace) {
  const taken = new Set<string>();
  return (call: OutsideCall): { readonly key: string; readonly release: () => void } => {
    let key = keyOfCall(call, place, 0);
    for (let before = 1; taken.has(key); before += 1) key = keyOfCall(call, place, before);
    taken.add(key);
    return { key, release: () => void taken.delete(key) };
  };
}

const REASONS = {
  missing: 'there is no recording of this call',
  maxCost: 'the call could cost more than --max-cost leaves',
  unwritable: 'its recording could not be written',
} as const;

/** Undefined for a recording that this release cannot read. Throws what was thrown then. */
function replay<Answer>(
  call: RecordedCall<Answer>,
  { answer: record, ms }: Recording,
  advance: (milliseconds: number) => void,
): { readonly value: Answer } | undefined {
  const value = call.fromRecord(record);
  if (value === undefined) return undefined;
  advance(ms);
  return { value };
}

interface LiveContext extends RunContext {
  readonly key: string;
  readonly place: RunPlace;
  /** Called where the call leaves no recording. */
  readonly release: () => void;
  readonly settle: (microdollars: number | null) => void;
}

async function makeCall<Answer>(call: RecordedCall<Answer>, context: LiveContext): Promise<Answer> {
  const { key, place, begun, clock, release } = context;
  const ended = Promise.withResolvers<void>();
  begun.set(key, ended.promise);
  const startedMs = clock.monotonicMs();
  try {
    const answer = await call.live();
    const ms = clock.monotonicMs() - startedMs;
    context.settle(call.costs.costOf(answer));
    context.advance(ms);
    const record = call.toRecord(answer);
    if (record === undefined) release();
    else {
      context.recordings.add({ key, ...place, target: call.target, ms, answer: { ...record } });
      context.made.add(key);
    }
    return answer;
  } catch (thrown) {
    // It may have been charged: whatever it could cost counts.
    context.settle(call.costs.most === 'receipt' ? null : call.costs.most);
    context.advance(clock.monotonicMs() - startedMs);
    release();
    throw thrown;
  } finally {
    begun.delete(key);
    ended.resolve();
  }
}

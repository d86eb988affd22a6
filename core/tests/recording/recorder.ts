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
import { createSpendLimit, type SpendLimit } from './spend-limit.ts';

/** Why a run could not be made. Both are no verdict about the neuron. */
export type RunObstacle = 'missing' | 'maxCost';

/** The most that a live call may cost, and its cost; integer microdollars, null where it is unknown. */
export interface CallCosts<Answer> {
  readonly most: number | null;
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
  /** Keys whose recording is of this process. */
  const made = new Map<string, Promise<Recording | undefined>>();
  const find = (key: string, place: RunPlace): Recording | undefined =>
    ports.mode === 'all' && !made.has(key) ? undefined : ports.recordings.find(key, place);
  const spend = createSpendLimit(ports.maxCost);
  return { openRun: (place, advance) => openRun(place, { ...ports, spend, find, made, advance }) };
}

interface RunContext extends RecorderPorts {
  readonly spend: SpendLimit;
  readonly find: (key: string, place: RunPlace) => Recording | undefined;
  readonly made: Map<string, Promise<Recording | undefined>>;
  readonly advance: (milliseconds: number) => void;
}

function openRun(place: RunPlace, context: RunContext): RunRecorder {
  const seen = new Map<string, number>();
  const missing: string[] = [];
  let obstacle: RunObstacle | undefined;
  let [replayed, live] = [0, 0];
  const stop = (reason: RunObstacle): ServiceError => {
    obstacle ??= reason;
    return new ServiceError('internal', { reason: REASONS[reason] });
  };
  return {
    async call(call) {
      const first = keyOfCall(call, place, 0);
      const before = seen.get(first) ?? 0;
      seen.set(first, before + 1);
      const key = before === 0 ? first : keyOfCall(call, place, before);
      // The other version may have begun the same call. Without one, nothing may begin between this look and the call.
      const begun = context.made.get(key);
      if (begun !== undefined) await begun.catch(() => undefined);
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
      const reserved = context.spend.reserve(call.costs.most);
      if (reserved === undefined) throw stop('maxCost');
      live += 1;
      return makeCall(call, { ...context, key, place, settle: reserved });
    },
    obstacle: () => obstacle,
    counts: () => ({ replayed, live, missing }),
  };
}

const REASONS = {
  missing: 'there is no recording of this call',
  maxCost: 'the call could cost more than --max-cost leaves',
} as const;

/** Undefined for a recording that this release cannot read. Throws what was thrown then. */
function replay<Answer>(
  call: RecordedCall<Answer>,
  { answer: record, ms }: Recording,
  advance: (milliseconds: number) => void,
): { readonly value: Answer } | undefined {
  advance(ms);
  const value = call.fromRecord(record);
  return value === undefined ? undefined : { value };
}

interface LiveContext extends RunContext {
  readonly key: string;
  readonly place: RunPlace;
  readonly settle: (microdollars: number | null) => void;
}

async function makeCall<Answer>(call: RecordedCall<Answer>, context: LiveContext): Promise<Answer> {
  const { key, place, made, clock } = context;
  const ended = Promise.withResolvers<Recording | undefined>();
  made.set(key, ended.promise);
  const startedMs = clock.monotonicMs();
  try {
    const answer = await call.live();
    const ms = clock.monotonicMs() - startedMs;
    context.settle(call.costs.costOf(answer));
    context.advance(ms);
    const record = call.toRecord(answer);
    if (record !== undefined)
      context.recordings.add({ key, ...place, target: call.target, ms, answer: { ...record } });
    return answer;
  } catch (thrown) {
    // It may have been charged: whatever it could cost counts.
    context.settle(call.costs.most);
    context.advance(clock.monotonicMs() - startedMs);
    throw thrown;
  } finally {
    ended.resolve(undefined);
  }
}

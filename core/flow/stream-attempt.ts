// One attempt of a model call whose answer comes in pieces, bounded by a timeout of silence and by the deadline of the run.

import { firstAborted, untilAborted } from '../async/race.ts';
import { ServiceError } from '../contract/service-error.ts';
import type { PassedAnswer, SealedReasoning, Thought, ToolCall } from '../conversation/conversation.ts';
import { type CollectedBlocks, collectBlocks } from '../ports/model-events.ts';
import {
  type ModelEvent,
  type ModelProvider,
  type ModelRequest,
  type ModelResult,
  ProviderFailure,
  type TokenUsage,
} from '../ports/providers.ts';
import type { JsonObject } from '../text/json.ts';
import type { Clock } from '../time/clock.ts';
import type { Deadline } from '../time/deadline.ts';
import type { AttemptBounds } from './attempt.ts';

/**
 * Receives an answer while the model writes it. Methods resolve when more may come: a slow reader is waited for.
 *
 * From a model to its caller each piece passes these, each of which may hold it back, change it or stop it:
 *   `untilUnofferedTool`  target-attempt.ts                  up to a call that was not offered; notes that the caller has a part
 *   `guardSink`           core/guards/stream/guard-sink.ts   what guards let through
 *   `watchSink`           guards/inspect-outcome.ts          as the log has it
 *   `toAttemptSink`       thoughts.ts                        under the caller's names of tools; sealed thoughts
 *   `restoreSink`         core/guards/restore-result.ts      with the caller's own values
 *   `encodePieces`        lambdas/execute/stream/frames.ts   as events of the surface, into the queue
 */
export interface AnswerSink {
  text(text: string): Promise<void>;
  toolCall(call: ToolCall): Promise<void>;
  /** Takes the usage that the provider has reported so far. */
  usage?(usage: TokenUsage): void;
  /** Absent where thoughts go to no caller. */
  reasoning?(reasoning: SealedReasoning): Promise<void>;
  /** Takes what the model thought, where callers may read it. */
  reasoningText?(text: string): Promise<void>;
  /** Takes an event of a message that is passed on; what it says comes by the other methods, too. */
  passed?(event: PassedAnswer): Promise<void>;
  /** Takes notice that the model has ended. */
  end?(): Promise<void>;
}

/** The same for one attempt, whose thoughts have no owner yet. */
export interface AttemptSink extends Omit<AnswerSink, 'reasoning' | 'reasoningText' | 'passed'> {
  thought?(thought: Thought): Promise<void>;
  passed?(event: JsonObject): Promise<void>;
}

/**
 * Each piece has gone to `sink` before the next is asked for. `timeoutMs` bounds the wait for the first and each silence after it; the time that `sink` takes is
 * the reader's and not the provider's. Throws as `attemptModelCall` does, and `truncated`, with the usage that was reported, for a
 * stream that the provider opened and did not end.
 */
export async function streamModelCall(
  stream: NonNullable<ModelProvider['stream']>,
  request: Omit<ModelRequest, 'signal'>,
  { timeoutMs, deadline, clock }: AttemptBounds,
  sink: AttemptSink,
): Promise<ModelResult> {
  deadline.signal.throwIfAborted();
  const abandoned = new AbortController();
  const silence = watchSilence(clock, timeoutMs);
  const any = firstAborted([deadline.signal, silence.signal, abandoned.signal]);
  const { signal } = any;
  const events = stream({ ...request, signal })[Symbol.asyncIterator]();
  const answer: PartialAnswer = {
    collected: collectBlocks(),
    held: [],
    heldEvents: [],
    hasBegun: false,
    isOpen: false,
    usage: undefined,
  };
  try {
    for (;;) {
      const next = await untilAborted(signal, silence.during(events.next()));
      if (next.done === true) throw new ProviderFailure('truncated', { usage: answer.usage });
      if (next.value.type === 'end') {
        answer.usage = next.value.usage ?? answer.usage;
        await untilAborted(deadline.signal, sendEnd(answer, sink));
        return answer.collected.result(next.value);
      }
      const taken = take(next.value, answer, sink);
      if (taken !== undefined) await untilAborted(deadline.signal, taken);
      if (next.value.type !== 'opened') silence.restart();
    }
  } catch (thrown) {
    // Before `events` ends: a whole answer keeps its connection.
    abandoned.abort(thrown);
    throw toFailure(thrown, answer, { deadline, silence });
  } finally {
    silence.end();
    any.end();
    // A provider that ignores its signal is not waited for.
    events.return?.().catch(() => undefined);
  }
}

interface PartialAnswer {
  readonly collected: CollectedBlocks;
  /** Thoughts wait for what follows them: until then another attempt may take the place of this one. */
  readonly held: Thought[];
  /** Events that are passed on wait for the first one with a piece of the answer. */
  readonly heldEvents: JsonObject[];
  /** True once the sink has a part of it. */
  hasBegun: boolean;
  /** True once the provider has begun to answer. */
  isOpen: boolean;
  usage: TokenUsage | undefined;
}

/** The promise of the sink; undefined for events without output. */
function take(
  event: Exclude<ModelEvent, { type: 'end' }>,
  answer: PartialAnswer,
  sink: AttemptSink,
): Promise<void> | undefined {
  answer.isOpen = true;
  if (event.type === 'opened') return undefined;
  if (event.type === 'progress') {
    answer.usage = event.usage ?? answer.usage;
    if (event.usage !== undefined) sink.usage?.(event.usage);
    return undefined;
  }
  if (event.type === 'passed') return pass(event, answer, sink);
  answer.collected.add(event);
  if (event.type === 'thought') {
    answer.held.push(event.thought);
    return undefined;
  }
  answer.hasBegun = true;
  const send = () => (event.type === 'text' ? sink.text(event.text) : sink.toolCall(event.call));
  return answer.held.length === 0 ? send() : sendHeld(answer, sink).then(send);
}

async function pass(
  { event, isPiece }: Extract<ModelEvent, { type: 'passed' }>,
  answer: PartialAnswer,
  sink: AttemptSink,
): Promise<void> {
  answer.heldEvents.push(event);
  answer.hasBegun ||= isPiece;
  if (!answer.hasBegun) return;
  for (const one of answer.heldEvents.splice(0)) await sink.passed?.(one);
}

/** Sinks that hold text back send it then, and wait for the reader as they do for each piece. */
async function sendEnd(answer: PartialAnswer, sink: AttemptSink): Promise<void> {
  if (answer.hasBegun) await sendHeld(answer, sink);
  await sink.end?.();
}

async function sendHeld({ held }: PartialAnswer, sink: AttemptSink): Promise<void> {
  for (const thought of held.splice(0)) await sink.thought?.(thought);
}

/** The error of an attempt: `deadline_exceeded` past the deadline of the run, or the failure of a silent provider. */
function toFailure(
  thrown: unknown,
  { isOpen, usage }: PartialAnswer,
  { deadline, silence }: { readonly deadline: Deadline; readonly silence: { readonly signal: AbortSignal } },
): unknown {
  const isLate = deadline.signal.aborted;
  if (!isLate && !silence.signal.aborted) return thrown;
  const kind = isOpen ? 'truncated' : 'timeout';
  const failure = new ProviderFailure(kind, { usage, wasSilent: true, cause: thrown });
  return isLate ? new ServiceError('deadline_exceeded', { cause: failure }) : failure;
}

/** Notices when a wait takes too long, with one timer for any number of waits. */
function watchSilence(clock: Clock, maxMs: number) {
  const silent = new AbortController();
  let sinceMs = clock.monotonicMs();
  let isWaiting = false;
  const check = (): void => {
    const leftMs = isWaiting ? sinceMs + maxMs - clock.monotonicMs() : maxMs;
    if (leftMs > 0) stop = clock.timer(leftMs, check);
    else silent.abort(new ProviderFailure('timeout'));
  };
  let stop = clock.timer(maxMs, check);
  return {
    signal: silent.signal,
    async during<Result>(wait: Promise<Result>): Promise<Result> {
      isWaiting = true;
      try {
        return await wait;
      } finally {
        isWaiting = false;
      }
    },
    /** A piece has come, and its reader is ready for more. */
    restart(): void {
      sinceMs = clock.monotonicMs();
    },
    end: () => stop(),
  };
}

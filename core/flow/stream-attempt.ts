// One attempt of a model call whose answer comes in pieces, bounded by silence and by the deadline of the run.
import type { ToolCall } from '../contract/conversation/conversation.ts';
import { ServiceError } from '../contract/service-error.ts';
import {
  type ModelProvider,
  type ModelRequest,
  type ModelResult,
  ProviderFailure,
} from '../ports/providers.ts';
import type { Clock } from '../time/clock.ts';
import { untilAborted } from '../time/race.ts';
import type { AttemptBounds } from './attempt.ts';

/** Where an answer goes while the model makes it. Each resolves when more may come: a slow reader is waited for. */
export interface AnswerSink {
  text(text: string): Promise<void>;
  toolCall(call: ToolCall): Promise<void>;
}

/**
 * Each piece has gone to `sink` before the next is asked for. `timeoutMs` bounds the wait for the first and each silence after it; the time that `sink` takes is
 * the reader's and not the provider's. Throws as `attemptModelCall` does, and `truncated` for an attempt that began to answer and broke
 * off.
 */
export async function streamModelCall(
  stream: NonNullable<ModelProvider['stream']>,
  request: Omit<ModelRequest, 'signal'>,
  { timeoutMs, deadline, clock }: AttemptBounds,
  sink: AnswerSink,
): Promise<ModelResult> {
  deadline.signal.throwIfAborted();
  const given = new AbortController();
  const silence = watchSilence(clock, timeoutMs);
  const signal = AbortSignal.any([deadline.signal, silence.signal, given.signal]);
  const events = stream({ ...request, signal })[Symbol.asyncIterator]();
  const texts: string[] = [];
  const toolCalls: ToolCall[] = [];
  let began = false;
  try {
    for (;;) {
      const next = await untilAborted(signal, silence.during(events.next()));
      if (next.done === true) throw new ProviderFailure('truncated');
      const event = next.value;
      if (event.type === 'end') {
        const { finish, usage, modelVersion } = event;
        return {
          text: texts.join(''),
          ...(toolCalls.length === 0 ? {} : { toolCalls }),
          finish,
          usage,
          modelVersion,
        };
      }
      // Work that is no part of the answer, such as reasoning: the provider is not silent.
      if (event.type === 'progress') continue;
      began = true;
      if (event.type === 'text') texts.push(event.text);
      else toolCalls.push(event.call);
      await untilAborted(
        deadline.signal,
        event.type === 'text' ? sink.text(event.text) : sink.toolCall(event.call),
      );
    }
  } catch (thrown) {
    if (deadline.signal.aborted) throw new ServiceError('deadline_exceeded', { cause: thrown });
    if (silence.signal.aborted) throw new ProviderFailure(began ? 'truncated' : 'timeout', { cause: thrown });
    throw thrown;
  } finally {
    silence.end();
    given.abort();
    // Left behind like everything that is given up: a provider that ignores its signal is not waited for.
    events.return?.().catch(() => undefined);
  }
}

/** Notices when a wait takes too long, with one timer for any number of waits. */
function watchSilence(clock: Clock, longestMs: number) {
  const silent = new AbortController();
  const ended = new AbortController();
  let sinceMs: number | undefined;
  const watch = async (): Promise<void> => {
    for (let leftMs = longestMs; leftMs > 0; ) {
      await clock.sleep(leftMs, ended.signal);
      leftMs = sinceMs === undefined ? longestMs : sinceMs + longestMs - clock.monotonicMs();
    }
    silent.abort(new ProviderFailure('timeout'));
  };
  // Ended, the sleep rejects, and nobody waits for it any more.
  watch().catch(() => undefined);
  return {
    signal: silent.signal,
    async during<Result>(wait: Promise<Result>): Promise<Result> {
      sinceMs = clock.monotonicMs();
      try {
        return await wait;
      } finally {
        sinceMs = undefined;
      }
    },
    end: () => ended.abort(),
  };
}

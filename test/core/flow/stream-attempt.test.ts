// One streamed attempt: what reaches the sink, what ends it, and whose silence counts.
import { describe, expect, it } from 'vitest';
import { userMessage } from '../../../core/contract/conversation/conversation.ts';
import { ServiceError } from '../../../core/contract/service-error.ts';
import { streamModelCall } from '../../../core/flow/stream-attempt.ts';
import { type ModelEvent, type ModelRequest, ProviderFailure } from '../../../core/ports/providers.ts';
import { startDeadline } from '../../../core/time/deadline.ts';
import { createMemoryClock, type MemoryClock } from '../../support/memory/clock.ts';

const REQUEST = { model: 'm', system: undefined, messages: [userMessage('Hello')], maxTokens: 10 };
const END: ModelEvent = { type: 'end', finish: 'stop', usage: { input: 1, output: 2 }, modelVersion: 'm-1' };
const CALL = { id: 'c1', name: 'find', arguments: { of: 'x' } };
const text = (value: string): ModelEvent => ({ type: 'text', text: value });

/** Yields after waits: numbers are milliseconds, everything else is an event or what is thrown. */
function scripted(clock: MemoryClock, script: readonly (ModelEvent | number | Error)[]) {
  const seen = { returned: false, signal: undefined as AbortSignal | undefined };
  async function* stream({ signal }: ModelRequest): AsyncGenerator<ModelEvent> {
    seen.signal = signal;
    try {
      for (const one of script) {
        if (typeof one === 'number') await clock.sleep(one);
        else if (one instanceof Error) throw one;
        else yield one;
      }
    } finally {
      seen.returned = true;
    }
  }
  return { stream, seen };
}

function start(
  script: readonly (ModelEvent | number | Error)[],
  more: { slowMs?: number; deadlineMs?: number } = {},
) {
  const clock = createMemoryClock();
  const { stream, seen } = scripted(clock, script);
  const sent: unknown[] = [];
  const take = async (one: unknown) => {
    if (more.slowMs !== undefined) await clock.sleep(more.slowMs);
    sent.push(one);
  };
  const deadline = startDeadline(clock, more.deadlineMs ?? 1_000_000);
  const bounds = { timeoutMs: 1_000, deadline, clock };
  const result = streamModelCall(stream, REQUEST, bounds, { text: take, toolCall: take });
  const settled = result.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  return { clock, sent, seen, settled };
}

describe('a streamed attempt', () => {
  it('gives the whole answer once every piece has gone to the sink', async () => {
    const { sent, settled, seen } = start([text('Hel'), { type: 'toolCall', call: CALL }, text('lo'), END]);
    expect(await settled).toEqual({
      value: {
        text: 'Hello',
        toolCalls: [CALL],
        finish: 'stop',
        usage: { input: 1, output: 2 },
        modelVersion: 'm-1',
      },
    });
    expect(sent).toEqual(['Hel', CALL, 'lo']);
    expect(seen.signal?.aborted).toBe(true);
  });

  it('is truncated where the sequence ends without an end', async () => {
    expect(await start([text('Hel')]).settled).toEqual({
      error: expect.objectContaining({ kind: 'truncated' }),
    });
    expect(await start([]).settled).toEqual({ error: expect.objectContaining({ kind: 'truncated' }) });
  });

  it('throws what the provider throws', async () => {
    const failure = new ProviderFailure('rate_limited');
    expect(await start([text('Hel'), failure]).settled).toEqual({ error: failure });
  });

  it('times out in silence before the first piece, and is truncated by one after it', async () => {
    const first = start([1_001, text('late'), END]);
    await first.clock.advance(1_001);
    expect(await first.settled).toEqual({ error: expect.objectContaining({ kind: 'timeout' }) });
    const later = start([text('Hel'), 1_001, text('late'), END]);
    await later.clock.advance(2_002);
    expect(await later.settled).toEqual({ error: expect.objectContaining({ kind: 'truncated' }) });
    expect(later.sent).toEqual(['Hel']);
    expect(later.seen.signal?.aborted).toBe(true);
  });

  it('may take long in pieces that each come in time, and while it is only at work', async () => {
    const pieces = Array.from({ length: 5 }, () => [900, text('x')] as const).flat();
    const long = start([...pieces, 900, { type: 'progress' }, 900, { type: 'progress' }, 900, END]);
    await long.clock.advance(10_000);
    expect(await long.settled).toMatchObject({ value: { text: 'xxxxx' } });
  });

  it('does not count the time of a slow reader as silence', async () => {
    const slow = start([text('a'), text('b'), END], { slowMs: 5_000 });
    await slow.clock.advance(20_000);
    expect(await slow.settled).toMatchObject({ value: { text: 'ab' } });
  });

  it('asks for nothing before the sink has taken what came', async () => {
    let asked = 0;
    const clock = createMemoryClock();
    const held = Promise.withResolvers<void>();
    async function* stream(): AsyncGenerator<ModelEvent> {
      for (;;) {
        asked += 1;
        yield text('x');
      }
    }
    const bounds = { timeoutMs: 1_000, deadline: startDeadline(clock, 5_000), clock };
    const running = streamModelCall(stream, REQUEST, bounds, {
      text: () => held.promise,
      toolCall: async () => undefined,
    }).catch((error: unknown) => error);
    await clock.advance(4_000);
    expect(asked).toBe(1);
    await clock.advance(2_000);
    expect(await running).toMatchObject({ code: 'deadline_exceeded' });
  });

  it.each([
    ['silence', [2_000, END]],
    ['pieces', Array.from({ length: 100 }, () => [10, text('x')] as const).flat()],
  ])('ends at the deadline of the run, in %s', async (_what, script) => {
    const late = start(script, { deadlineMs: 500 });
    await late.clock.advance(3_000);
    const { error } = (await late.settled) as { error: unknown };
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ code: 'deadline_exceeded' });
  });

  it('leaves no timer behind', async () => {
    const { clock, settled } = start([text('a'), END]);
    await settled;
    // The deadline of the run is the test's own.
    expect(clock.sleepers).toBe(1);
  });
});

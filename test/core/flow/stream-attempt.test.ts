// One streamed attempt: what reaches the sink, what ends it, and whose silence counts.
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../core/contract/service-error.ts';
import { userMessage } from '../../../core/conversation/conversation.ts';
import { streamModelCall } from '../../../core/flow/stream-attempt.ts';
import { type ModelEvent, type ModelRequest, ProviderFailure } from '../../../core/ports/providers.ts';
import { startDeadline } from '../../../core/time/deadline.ts';
import { createMemoryClock, type MemoryClock } from '../../support/memory/clock.ts';

const REQUEST = { model: 'm', system: [], messages: [userMessage('Hello')], maxTokens: 10 };
const END: ModelEvent = { type: 'end', finish: 'stop', usage: { input: 1, output: 2 }, modelVersion: 'm-1' };
const OPENED: ModelEvent = { type: 'opened' };
const WORK = { type: 'progress', usage: { input: 500, output: 3 } } as const satisfies ModelEvent;
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
    expect(seen.returned).toBe(true);
    // Its connection is for the provider to keep.
    expect(seen.signal?.aborted).toBe(false);
  });

  it('is truncated where the sequence ends without an end', async () => {
    expect(await start([text('Hel')]).settled).toEqual({
      error: expect.objectContaining({ kind: 'truncated' }),
    });
    expect(await start([]).settled).toEqual({ error: expect.objectContaining({ kind: 'truncated' }) });
  });

  it('throws what the provider throws', async () => {
    const failure = new ProviderFailure('rate_limited');
    const { settled, seen } = start([text('Hel'), failure]);
    expect(await settled).toEqual({ error: failure });
    expect(seen.signal?.aborted).toBe(true);
  });

  it('times out where the provider does not answer', async () => {
    const silent = start([1_001, text('late'), END]);
    await silent.clock.advance(1_001);
    expect(await silent.settled).toEqual({
      error: expect.objectContaining({ kind: 'timeout', wasSilent: true }),
    });
    expect(silent.seen.signal?.aborted).toBe(true);
  });

  it.each<[string, readonly (ModelEvent | number)[]]>([
    ['before its first event', [OPENED]],
    ['at work', [OPENED, WORK]],
    ['after a piece', [OPENED, WORK, text('Hel')]],
    ['without a word on having opened', [text('Hel')]],
  ])('is truncated by the silence of a stream that was opened: %s', async (_when, before) => {
    const stalled = start([...before, 1_001, text('late'), END]);
    await stalled.clock.advance(2_002);
    const usage = before.includes(WORK) ? WORK.usage : undefined;
    expect(await stalled.settled).toEqual({
      error: expect.objectContaining({ kind: 'truncated', wasSilent: true, usage }),
    });
    expect(stalled.sent).not.toContain('late');
    expect(stalled.seen.signal?.aborted).toBe(true);
  });

  it('waits for the first event no longer because the stream was opened', async () => {
    const slow = start([600, OPENED, 600, text('late'), END]);
    await slow.clock.advance(1_000);
    expect(await slow.settled).toEqual({ error: expect.objectContaining({ kind: 'truncated' }) });
    const inTime = start([400, OPENED, 500, text('Hel'), 900, END]);
    await inTime.clock.advance(1_800);
    expect(await inTime.settled).toMatchObject({ value: { text: 'Hel' } });
  });

  it('says what was reported of usage where the sequence ends without an end, and at the deadline', async () => {
    const { settled } = start([OPENED, WORK]);
    expect(await settled).toEqual({
      error: expect.objectContaining({ kind: 'truncated', usage: WORK.usage }),
    });
    const late = start([OPENED, WORK, 900, END], { deadlineMs: 500 });
    await late.clock.advance(500);
    expect(await late.settled).toMatchObject({
      error: { code: 'deadline_exceeded', cause: { kind: 'truncated', usage: WORK.usage } },
    });
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

// Streams that open after five seconds without a text, by a clock that nobody waits for: whatever fails from then on is an error event.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HttpFailure } from '../../../../adapters/http/failure.ts';
import type { StreamedAnswer } from '../../../adapters/providers/stream-http.ts';
import { sse } from '../../../adapters/providers/streams/protocols.ts';
import { createMemoryCounters } from '../../../support/memory/counters.ts';
import { type CallOptions, type Execution, loadExecution } from './execution.ts';

const HEADERS = { 'content-type': 'text/event-stream' };
const THINKING = sse({ choices: [{ index: 0, delta: { reasoning_content: 'Hm.' } }] });
const WHOLE =
  sse({ choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] }) + sse('[DONE]');

let execution: Execution;
beforeAll(async () => {
  const call = { provider: 'model', model: 'm', retries: 0, timeout: '20s' };
  execution = await loadExecution(
    {
      providers: { model: { type: 'openai', baseUrl: 'https://api.example.com/v1' } },
      neurons: {
        late: { flow: [{ callModel: call }] },
        again: { flow: [{ callModel: { ...call, retries: 1 } }] },
        short: { settings: { deadline: '10s' }, flow: [{ callModel: call }] },
      },
    },
    createMemoryCounters(),
  );
});
afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

/**
 * Calls a neuron whose upstream answers so, one answer for each attempt. `seen` is what had been sent of the body at each of these times, in seconds since the
 * call; undefined before its head.
 */
async function callAndWait(
  neuron: string,
  answers: readonly StreamedAnswer[],
  seconds: readonly number[],
  { surface = 'native' }: CallOptions = {},
) {
  let [sent, asked] = ['', 0];
  execution.answerWith(() => {
    asked += 1;
    return answers[asked - 1] ?? { pieces: [] };
  });
  const completion = { model: neuron, stream: true, messages: [{ role: 'user', content: 'Hello' }] };
  const called = execution.call(neuron, surface === 'openai' ? completion : { input: 'Hello' }, {
    surface,
    onBytes: (bytes) => {
      sent += bytes.toString();
    },
  });
  // The first call waits for modules, which no clock hurries.
  await vi.waitFor(() => expect(asked).toBe(1));
  const seen: (string | undefined)[] = [];
  let nowSeconds = 0;
  for (const at of seconds) {
    await execution.clock.advance((at - nowSeconds) * 1_000);
    nowSeconds = at;
    seen.push(sent === '' ? undefined : sent.slice(sent.indexOf('\0'.repeat(8)) + 8));
  }
  const answer = await called;
  const entry = execution.entries.get(answer.executionId);
  const finish = entry?.modelCalls.map((one) => one.finish);
  return { answer, text: answer.body.toString(), seen, entry, finish };
}

/** An answer whose model thinks for so long before it goes on, ends, or is cut. */
function thinkFor(seconds: number, then: 'end' | 'cut' | string, before = THINKING): StreamedAnswer {
  async function* pieces(): AsyncGenerator<string> {
    yield before;
    await execution.clock.sleep(seconds * 1_000);
    if (then === 'cut') throw new HttpFailure('cut', 'made by the test');
    if (then !== 'end') yield then;
  }
  return { headers: HEADERS, pieces: pieces() };
}

const ERROR = /^event: error\ndata: \{[^\n]*"code":"(\w+)"[^\n]*\}\n\n$/;

describe('a stream that opened without a text', () => {
  it('sends nothing for five seconds, then its head, a comment after 15 s, and the answer', async () => {
    async function* pieces(): AsyncGenerator<string> {
      for (const seconds of [10, 12]) {
        yield THINKING;
        await execution.clock.sleep(seconds * 1_000);
      }
      yield WHOLE;
    }
    const slow = { headers: HEADERS, pieces: pieces() };
    const { seen, text, answer, finish } = await callAndWait('late', [slow], [4.9, 5, 19.9, 20, 22]);
    expect(seen).toEqual([undefined, '', '', ': ping\n\n', text]);
    expect(answer).toMatchObject({ status: 200, headers: { 'X-Stream': 'live' } });
    expect(text).toBe(
      ': ping\n\nevent: delta\ndata: {"text":"Hi"}\n\n' +
        'event: result\ndata: {"output":"Hi","fromCache":false,"executionStopped":false}\n\n',
    );
    expect(finish).toEqual(['stop']);
  });

  it.each<[string, () => StreamedAnswer, string]>([
    ['is cut', () => thinkFor(7, 'cut'), 'truncated'],
    ['ends without an end', () => thinkFor(7, 'end'), 'truncated'],
    ['has garbage', () => thinkFor(7, 'data: {\n\n'), 'truncated'],
    ['has an error within', () => thinkFor(7, sse({ error: { message: 'Overloaded.' } })), 'truncated'],
    ['stalls', () => thinkFor(60, WHOLE), 'truncated'],
    ['stalls before its first event', () => thinkFor(60, WHOLE, ''), 'truncated'],
    // No stream that could have been cut: the log says what it was.
    ['never answers', () => ({ head: new Promise(() => undefined), pieces: [] }), 'timeout'],
    [
      'answers late that it is overloaded',
      () => ({ status: 503, head: execution.clock.sleep(7_000), pieces: ['{}'] }),
      'unavailable',
    ],
  ])('ends in an error where the upstream %s', async (_how, answer, finish) => {
    const called = await callAndWait('late', [answer()], [6, 7, 21, 28]);
    expect(ERROR.exec(called.text.replaceAll(': ping\n\n', ''))?.[1]).toBe('upstream_unavailable');
    expect(called.answer.status).toBe(200);
    expect(called.finish).toEqual([finish]);
    expect(called.entry).toMatchObject({ outcome: 'failed', status: 503, code: 'upstream_unavailable' });
  });

  it("ends so in OpenAI's form, too", async () => {
    const made = thinkFor(7, 'cut');
    const { text, answer } = await callAndWait('late', [made], [6, 7, 8], { surface: 'openai' });
    expect(answer.status).toBe(200);
    expect(text).toMatch(/^data: \{"error":\{[^\n]*\}\}\n\n(data: \[DONE\]\n\n)?$/);
  });

  it('ends in an error at the deadline of the run', async () => {
    const made = thinkFor(30, WHOLE);
    const { text, finish, entry } = await callAndWait('short', [made], [6, 10, 11]);
    expect(ERROR.exec(text)?.[1]).toBe('deadline_exceeded');
    expect(finish).toEqual(['deadline_exceeded']);
    expect(entry).toMatchObject({ outcome: 'failed', code: 'deadline_exceeded' });
  });

  it('may still be asked for again, until its first text', async () => {
    const answers = [thinkFor(7, 'cut'), { headers: HEADERS, pieces: [WHOLE] }];
    const { text, finish, entry } = await callAndWait('again', answers, [6, 7, 8]);
    expect(text).toContain('event: result\ndata: {"output":"Hi"');
    expect(finish).toEqual(['stop']);
    expect(entry?.modelCalls).toMatchObject([{ attempts: 2, attemptTimes: [{ failure: 'truncated' }, {}] }]);
  });

  it('is an ordinary answer where the upstream fails before', async () => {
    const made = thinkFor(4, 'cut');
    const { answer, finish } = await callAndWait('late', [made], [4, 4.5]);
    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.body.toString())).toMatchObject({ code: 'upstream_unavailable' });
    expect(finish).toEqual(['truncated']);
  });
});

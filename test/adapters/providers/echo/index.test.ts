// The echo provider: the same answer for the same request, and the failures it is set to make.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEchoProvider } from '../../../../adapters/providers/echo/index.ts';
import { userMessage } from '../../../../core/conversation/conversation.ts';
import type { ModelRequest } from '../../../../core/ports/providers.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';
import { take } from '../stream-http.ts';

const clock = createMemoryClock();
const echo = createEchoProvider({ type: 'echo' }, clock);

function ask(request: Partial<ModelRequest> = {}, provider = echo) {
  const signal = new AbortController().signal;
  return provider.generate({
    model: 'm',
    system: [],
    messages: [userMessage('Hello')],
    maxTokens: 1024,
    signal,
    ...request,
  });
}

describe('the echo provider', () => {
  it('repeats its input, after the system text where there is one', async () => {
    expect((await ask()).text).toBe('You said: Hello');
    expect((await ask({ system: [{ text: 'Be brief.' }] })).text).toBe('(Be brief.) You said: Hello');
  });

  it('counts a token for every four bytes of UTF-8, begun ones too', async () => {
    // 9 bytes of system, 5 of prompt; "(Be brief.) You said: Hello" has 27.
    expect((await ask({ system: [{ text: 'Be brief.' }] })).usage).toEqual({ input: 5, output: 7 });
    // "né" is 3 bytes; "You said: né" has 13.
    expect((await ask({ messages: [userMessage('né')] })).usage).toEqual({ input: 1, output: 4 });
    expect((await ask({ messages: [userMessage('')] })).usage).toEqual({ input: 0, output: 3 });
  });

  it('ends at maxTokens and says so', async () => {
    expect(await ask({ maxTokens: 3 })).toMatchObject({
      text: 'You said: He',
      finish: 'length',
      usage: { output: 3 },
    });
    expect(await ask({ maxTokens: 4 })).toMatchObject({ text: 'You said: Hello', finish: 'stop' });
  });

  it('splits no character at maxTokens', async () => {
    // "You said: " has 10 bytes and the face has 4: three tokens cut it in half.
    expect(await ask({ messages: [userMessage('😀')], maxTokens: 3 })).toMatchObject({
      text: 'You said: ',
      finish: 'length',
    });
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 1, max: 20 }),
        async (prompt, maxTokens) => {
          const { text, usage } = await ask({ messages: [userMessage(prompt)], maxTokens });
          expect(`You said: ${prompt}`.startsWith(text)).toBe(true);
          expect(usage?.output).toBeLessThanOrEqual(maxTokens);
        },
      ),
    );
  });

  it('ends before the first stop sequence', async () => {
    expect(await ask({ stopSequences: ['lo', 'said'] })).toMatchObject({ text: 'You ', finish: 'stop' });
    expect(await ask({ stopSequences: ['nothing'] })).toMatchObject({ text: 'You said: Hello' });
  });

  it('waits as long as it is set to', async () => {
    const slow = createEchoProvider({ type: 'echo', delay: 2_000 }, clock);
    const answer = ask({}, slow);
    await clock.advance(1_999);
    expect(clock.sleepers).toBe(1);
    await clock.advance(1);
    expect((await answer).text).toBe('You said: Hello');
  });

  it('stops waiting when the call is given up', async () => {
    const slow = createEchoProvider({ type: 'echo', delay: 2_000 }, clock);
    const options = new AbortController();
    const answer = expect(ask({ signal: options.signal }, slow)).rejects.toMatchObject({ kind: 'timeout' });
    await clock.advance(1);
    options.abort();
    await answer;
    expect(clock.sleepers).toBe(0);
  });

  it.each([
    [400, 'rejected_input'],
    [401, 'configuration'],
    [429, 'rate_limited'],
    [503, 'unavailable'],
  ])('fails with %i as a provider over HTTP would: %s', async (fail, kind) => {
    const failing = createEchoProvider({ type: 'echo', fail }, clock);
    await expect(ask({}, failing)).rejects.toMatchObject({ name: 'ProviderFailure', kind, status: fail });
  });

  it('is slow before it fails', async () => {
    const failing = createEchoProvider({ type: 'echo', fail: 503, delay: 1_000 }, clock);
    const answer = expect(ask({}, failing)).rejects.toMatchObject({ kind: 'unavailable' });
    await clock.advance(999);
    expect(clock.sleepers).toBe(1);
    await clock.advance(1);
    await answer;
  });
});

describe('a stream of the echo provider', () => {
  const signal = new AbortController().signal;
  const messages = [userMessage('Hello  big\nworld ')];
  const request: ModelRequest = { model: 'm', system: [], messages, maxTokens: 1024, signal };
  const streaming = (settings: object) =>
    createEchoProvider({ type: 'echo', ...settings }, clock).stream!(request);

  it('is the unstreamed answer, a word at a time', async () => {
    const { events, text } = await take(streaming({}));
    const { text: whole, ...end } = await echo.generate(request);
    expect(text).toBe(whole);
    expect(events.slice(0, -1).map((event) => event.type === 'text' && event.text)).toEqual([
      'You',
      ' said:',
      ' Hello',
      '  big',
      '\nworld',
      ' ',
    ]);
    expect(events.at(-1)).toEqual({ type: 'end', ...end });
  });

  it('comes at its pace after its delay', async () => {
    const stream = streaming({ delay: 2_000, wordsPerSecond: 10 })[Symbol.asyncIterator]();
    const first = stream.next();
    await clock.advance(2_000);
    expect(await first).toMatchObject({ value: { type: 'opened' } });
    expect(await stream.next()).toMatchObject({ value: { text: 'You' } });
    let isThere = false;
    const second = stream.next().finally(() => {
      isThere = true;
    });
    await clock.advance(99);
    expect(isThere).toBe(false);
    await clock.advance(1);
    expect(await second).toMatchObject({ value: { text: ' said:' } });
    await stream.return?.();
  });

  it('breaks off after so many words, and unstreamed too', async () => {
    const { text, thrown } = await take(streaming({ breakAfter: 2 }));
    expect(text).toBe('You said:');
    expect(thrown).toMatchObject({ name: 'ProviderFailure', kind: 'truncated' });
    const broken = createEchoProvider({ type: 'echo', breakAfter: 2 }, clock);
    await expect(broken.generate(request)).rejects.toMatchObject({ kind: 'truncated' });
    expect((await take(streaming({ breakAfter: 7 }))).thrown).toBeUndefined();
  });

  it('falls silent after so many words until it is given up', async () => {
    const options = new AbortController();
    const silent = createEchoProvider({ type: 'echo', stallAfter: 1 }, clock);
    const outcome = take(silent.stream!({ ...request, signal: options.signal }));
    await clock.advance(3_600_000);
    expect(clock.sleepers).toBe(1);
    options.abort();
    expect(await outcome).toMatchObject({ text: 'You', thrown: { kind: 'timeout' } });
  });

  it('fails before its first word where it is set to fail with a status', async () => {
    expect(await take(streaming({ fail: 503 }))).toMatchObject({ events: [], thrown: { status: 503 } });
  });
});

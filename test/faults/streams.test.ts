// Streams whose function, runner, store or provider dies under them: every stream that opened has an entry, or becomes one. And what
// many streams at once may take.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../e2e/support/call.ts';
import { descendantsOf, type Process, stillRunning } from '../e2e/support/processes.ts';
import { ENGINE, isLocal, type Stack, startStack } from '../e2e/support/stack.ts';
import { type StepwiseModel, startStepwiseModel } from '../e2e/support/stepwise-model.ts';
import { callStream, openStream, parseEvents } from '../e2e/support/stream-call.ts';
import { MAX_TOKENS, streamSettings } from '../e2e/support/stream-settings.ts';
import { findEntry, openTables } from '../e2e/support/tables.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MOST = MAX_TOKENS.tokensInput + MAX_TOKENS.tokensOutput;
/** Streams at once; test/lambdas/execute/streams has a thousand. */
const STREAMS = 32;
/** How many of them the budget is for. The fifth failure in one environment would open its circuit, and no provider be called. */
const BUDGET = 4;

/** How far a stream is when something dies. Without a word it opens after five seconds; test/faults/killed-before-the-put has its end. */
const STAGES = ['no word', 'one word'] as const;

/** Calls again where the queue of the local run was full: nothing has decided on such a call. */
async function decided(call: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await call();
    if (!answer.text.includes('"overloaded"')) return answer;
  }
}

const budget = (slug: string) => `neuron: acme/${slug}
access: { public: true }
rateLimits: [{ metric: tokens, scope: total, limit: ${BUDGET * MOST}, period: 1d }]
flow: [{ callModel: { provider: broken, model: m, maxTokens: 30, retries: 0 } }]`;

/** What an entry of a stream says whose end nobody saw: the most that it can have used is booked. */
const INTERRUPTED = {
  ...{ restored: true, outcome: 'failed', status: 500, code: 'internal', ...MAX_TOKENS },
  reason: expect.stringContaining('interrupted'),
  modelCalls: [expect.objectContaining({ estimated: true, ...MAX_TOKENS })],
};

describe.runIf(isLocal && ENGINE === 'dynoxide')('streams', () => {
  let model: StepwiseModel;
  let stack: Stack;
  let settings: string;
  const dataFolder = temporaryFolder();

  beforeAll(async () => {
    model = await startStepwiseModel();
    settings = [streamSettings(model.baseUrl), budget('streamed'), budget('unstreamed')].join('\n---\n');
    stack = await startStack({ settings, dataFolder, concurrency: 3 });
  });
  afterAll(async () => {
    await stack?.stop();
    await model?.stop();
  });

  const processes = (command: RegExp) => descendantsOf(stack.pid).filter((one) => command.test(one.command));
  const kill = async (killed: readonly Process[]) => {
    expect(killed).not.toEqual([]);
    for (const { pid } of killed) process.kill(pid, 'SIGKILL');
    await expect.poll(() => stillRunning(killed)).toEqual([]);
  };
  const restart = async () => {
    stack = await startStack({ settings, dataFolder, concurrency: 3 });
  };
  /** A stream of which the caller has one word; or nothing, so that it opens after five seconds. */
  const begin = async (words: (typeof STAGES)[number] = 'one word') => {
    const opening = openStream(stack.url, '/acme/stepwise', { input: 'Hello' });
    const asked = await model.nextCall();
    if (words === 'one word') await asked.send('one ');
    const open = await opening;
    if (words === 'one word') expect((await open.next())?.data).toEqual({ text: 'one ' });
    return { open, asked, id: String(open.headers['x-execution-id']) };
  };
  const entryOf = async (id: string) => {
    const client = openTables(dataFolder);
    try {
      return await findEntry({ client, dataFolder }, id);
    } finally {
      client.destroy();
    }
  };
  /** As restored once the time is over within which its function must have ended. */
  const restoreLater = async () => {
    const logs = join(dataFolder, 'logs');
    for (const name of readdirSync(logs).filter((one) => one.endsWith('.log'))) {
      const text = readFileSync(join(logs, name), 'utf8');
      if (text.includes('"endsByMs":'))
        writeFileSync(join(logs, name), text.replaceAll(/"endsByMs":[0-9.]+/g, '"endsByMs":1'));
    }
    await stack.operate(['logs', 'restore']);
  };
  const expectUsageToMatch = () =>
    expect
      .poll(async () => (await stack.neuron(['usage', 'acme', '--verify'])).stdout)
      .toContain('matches its log entries');

  it.each(STAGES)(
    'whose provider is gone after %s end in an error, and are logged as truncated',
    async (words) => {
      const { open, asked, id } = await begin(words);
      asked.cut();
      const { events, whole } = await open.rest();
      expect({ events, whole }).toMatchObject({
        events: [{ event: 'error', data: { code: 'upstream_unavailable' } }],
        whole: true,
      });
      await expect
        .poll(() => entryOf(id))
        .toMatchObject({
          ...{ outcome: 'failed', restored: false, ...MAX_TOKENS },
          modelCalls: [{ finish: 'truncated', estimated: true }],
        });
    },
  );

  it.each(STAGES)(
    'whose function is killed after %s are cut for the caller, and become entries that book the most',
    async (words) => {
      const { open, id } = await begin(words);
      await kill(processes(/boot\.ts/));
      // Neither a result nor an error, and no end of the body: nobody can take it for an answer.
      expect(await open.rest()).toEqual({ events: [], whole: false });
      // A function that may still be at work is not given up.
      await stack.operate(['logs', 'restore']);
      expect(await entryOf(id)).toBeUndefined();
      await restoreLater();
      expect(await entryOf(id)).toMatchObject(INTERRUPTED);
      await restoreLater();
      await expectUsageToMatch();
    },
  );

  it.each(STAGES)('whose runner is killed after %s become entries at the next start', async (words) => {
    const { open, id } = await begin(words);
    const below = descendantsOf(stack.pid);
    process.kill(stack.pid, 'SIGKILL');
    expect(await open.rest()).toEqual({ events: [], whole: false });
    expect(await stack.ended).toBe('SIGKILL');
    await expect.poll(() => stillRunning(below)).toEqual([]);
    await restart();
    await restoreLater();
    expect(await entryOf(id)).toMatchObject(INTERRUPTED);
    await expectUsageToMatch();
  });

  it.each(STAGES)(
    'whose store is gone after %s go on to their end, and their line brings the entry back',
    async (words) => {
      const { open, asked, id } = await begin(words);
      await kill(processes(/^\S*dynoxide /));
      if (words === 'no word') await asked.send('one ');
      await asked.send('two');
      asked.finish({ prompt_tokens: 7, completion_tokens: 4 });
      const { events, whole } = await open.rest();
      expect({ last: events.at(-1), whole }).toMatchObject({
        last: { event: 'result', data: { output: 'one two' } },
        whole: true,
      });
      await stack.stop();
      await restart();
      await restoreLater();
      expect(await entryOf(id)).toMatchObject({
        ...{ restored: true, outcome: 'success', tokensInput: 7, tokensOutput: 4 },
      });
      await expectUsageToMatch();
    },
  );

  it('are admitted by a budget as calls are that do not stream, however many come at once', async () => {
    const json = { input: 'Hello' };
    const times = Array.from({ length: STREAMS });
    const streamed = await Promise.all(
      times.map(() => decided(() => callStream(stack.url, '/acme/streamed', { json }))),
    );
    const admitted = streamed.filter(({ status }) => status === 200);
    for (const { text } of admitted) expect(parseEvents(text).at(-1)?.event).toBe('error');
    const unstreamed = await Promise.all(
      times.map(() => decided(() => stack.call('/acme/unstreamed', { json }))),
    );
    const broken = unstreamed.filter(({ text }) => text.includes('"upstream_unavailable"'));
    // Each of them books all of its reservation, since its provider breaks off.
    expect({ streamed: admitted.length, unstreamed: broken.length }).toEqual({
      streamed: BUDGET,
      unstreamed: BUDGET,
    });
    const others = [...streamed, ...unstreamed].filter(
      (answer) => !admitted.includes(answer) && !broken.includes(answer),
    );
    // On a busy machine, a counter may not answer in time: such a call is not admitted either.
    expect(others.filter(({ text }) => !/"(?:rate_limited|dependency_unavailable)"/.test(text))).toEqual([]);
    expect(others.some(({ status }) => status === 429)).toBe(true);
  }, 180_000);

  it('that nobody reads hold nobody else up', async () => {
    const { open, asked, id } = await begin();
    open.pause();
    for (let piece = 0; piece < 64; piece += 1) void asked.send('x'.repeat(64 * 1024));
    const others = await Promise.all(
      Array.from({ length: 8 }, () => stack.call('/acme/hello', { json: { input: 'Hello' } })),
    );
    expect(others.map(({ status }) => status)).toEqual(Array(8).fill(200));
    asked.finish({ prompt_tokens: 7, completion_tokens: 4 });
    open.leave();
    await expect.poll(() => entryOf(id)).toMatchObject({ outcome: 'success', tokensOutput: 4 });
  });
});

// The one end of a request, through all of its steps: each duty once and in order, and nothing of a run that comes late.
import { describe, expect, it } from 'vitest';
import { DUTIES, finish, openFunction } from './served.ts';

/** Lets everything run that waits for nothing but its turn. */
const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
const gone = () => {
  throw new Error('standard output is gone');
};

describe('a request', () => {
  it('has a line before its model is asked, ends with line and record, answers, then settles, logs, caches and notes the use of its key', async () => {
    const { begin, duties, tell } = openFunction();
    tell();
    const served = await begin({ idempotencyKey: 'order-17' }).served;
    expect(duties.splice(0)).toEqual(['open line', 'line', 'complete', 'followers']);
    expect(await finish(served)).toMatchObject({ status: 200, body: expect.stringContaining('"Hi"') });
    expect(duties).toEqual(['settle', 'entry', 'cache', 'last use']);
  });

  it('does the work after its answer once, however often it is asked to', async () => {
    const { begin, duties, tell } = openFunction();
    tell();
    const served = await begin({ idempotencyKey: 'order-17' }).served;
    await Promise.all([served.finish(), served.finish()]);
    await served.finish();
    expect(duties).toEqual(DUTIES);
  });

  it('ends in the same order as a stream', async () => {
    const { begin, duties, tell } = openFunction();
    tell();
    const { status, body } = await finish(await begin({ stream: true, idempotencyKey: 'order-17' }).served);
    expect([status, body]).toEqual([200, expect.stringMatching(/event: result\ndata: [^\n]*"Hi"/)]);
    expect(duties).toEqual(DUTIES);
  });

  it('ends in the same order with the error of a step', async () => {
    const { begin, duties } = openFunction();
    const malformed = { idempotencyKey: 'order-17', input: 17 as unknown as string };
    expect(await finish(await begin(malformed).served)).toMatchObject({ status: 422 });
    // Nothing was leased, and nothing is stored for its key.
    expect(duties).toEqual(['line', 'entry', 'last use']);
  });

  it('is repeated for its key without a run, with a line and an entry of its own', async () => {
    const { begin, duties, tell, entries } = openFunction();
    tell();
    await finish(await begin({ idempotencyKey: 'order-17' }).served);
    duties.splice(0);
    const again = await finish(await begin({ idempotencyKey: 'order-17' }).served);
    expect(again).toMatchObject({ status: 200, body: expect.stringContaining('"Hi"') });
    expect(duties).toEqual(['line', 'entry']);
    expect(entries.at(-1)).toMatchObject({ executionId: 'call-2', replayOf: 'call-1' });
  });

  it('is told of the run that holds its key rather than of its malformed body', async () => {
    const { begin, asked } = openFunction();
    void begin({ idempotencyKey: 'order-17' });
    await asked;
    const other = await finish(
      await begin({ idempotencyKey: 'order-17', input: 17 as unknown as string }).served,
    );
    expect(JSON.parse(other.body)).toMatchObject({ code: 'idempotency_mismatch' });
  });
});

describe('an early timeout', () => {
  it.each([{ stream: false }, { stream: true }])(
    'ends the request of a run that goes on, and nothing of what comes late is anybody’s: %o',
    async (form) => {
      const { begin, duties, lines, entries, tell, asked } = openFunction();
      const { served, timeout } = begin({ ...form, idempotencyKey: 'order-17' });
      await asked;
      timeout.abort();
      const { status, body } = await finish(await served);
      expect([status, JSON.parse(body).code]).toEqual([503, 'deadline_exceeded']);
      const all = ['open line', 'line', 'release', 'followers', 'settle', 'entry', 'last use'];
      expect(duties).toEqual(all);
      tell();
      await turns();
      expect(duties).toEqual(all);
      // The model was asked: what that can have cost is in the entry.
      const late = { outcome: 'failed', code: 'deadline_exceeded', modelCalls: [{ finish: 'interrupted' }] };
      expect(lines).toMatchObject([{ neuronRun: 1 }, late]);
      expect(entries).toMatchObject([late]);
    },
  );

  it('has no part in a result that comes before the work after the answer', async () => {
    const { begin, duties, tell, asked } = openFunction();
    const { served, timeout } = begin();
    await asked;
    timeout.abort();
    const ended = await served;
    tell();
    await turns();
    expect(await finish(ended)).toMatchObject({ status: 503 });
    expect(duties).toEqual(['open line', 'line', 'followers', 'settle', 'entry', 'last use']);
  });

  it('in the very moment in which a stream would open opens none', async () => {
    const { begin, duties, tell, asked, clock } = openFunction();
    const { timer } = clock;
    const { served, timeout } = begin({ stream: true });
    const openAndTimeOut = (open: () => void) => () => {
      open();
      timeout.abort();
    };
    clock.timer = (milliseconds, callback) =>
      timer(milliseconds, milliseconds === 5_000 ? openAndTimeOut(callback) : callback);
    await asked;
    await clock.advance(5_000);
    expect(await finish(await served)).toMatchObject({ status: 503 });
    tell();
    await turns();
    expect(duties).toEqual(['open line', 'line', 'followers', 'settle', 'entry', 'last use']);
  });

  it('is nothing to a stream that is open', async () => {
    const { begin, duties, tell, asked, clock, entries } = openFunction();
    const { served, timeout } = begin({ stream: true });
    await asked;
    await clock.advance(5_000);
    const open = await served;
    timeout.abort();
    tell();
    expect(await finish(open)).toMatchObject({ status: 200, body: expect.stringContaining('event: result') });
    expect(duties).toEqual(['open line', 'line', 'followers', 'settle', 'entry', 'cache', 'last use']);
    expect(entries).toMatchObject([{ outcome: 'success' }]);
  });

  it('is nothing to a request that is ending', async () => {
    const ending = Promise.withResolvers<void>();
    const { begin, duties, tell, entries } = openFunction({ complete: () => ending.promise });
    const { served, timeout } = begin({ idempotencyKey: 'order-17' });
    tell();
    await turns();
    expect(duties).toEqual(['open line', 'line', 'complete']);
    timeout.abort();
    await turns();
    ending.resolve();
    expect(await finish(await served)).toMatchObject({ status: 200 });
    expect(duties).toEqual(DUTIES);
    expect(entries).toMatchObject([{ outcome: 'success' }]);
  });

  it('before the run begins no run: nothing is asked of the model', async () => {
    const { begin, entries, asked } = openFunction();
    const { served, timeout } = begin();
    timeout.abort();
    expect(await finish(await served)).toMatchObject({ status: 503 });
    expect(entries).toMatchObject([{ code: 'deadline_exceeded', modelCalls: [] }]);
    await expect(Promise.race([asked.then(() => 'asked'), turns()])).resolves.toBeUndefined();
  });

  it('lets identical requests go on that wait for the run', async () => {
    const { begin, tell, asked } = openFunction();
    const [leader, follower] = [begin(), begin()];
    await asked;
    await turns();
    leader.timeout.abort();
    expect(await finish(await leader.served)).toMatchObject({ status: 503 });
    tell();
    expect(await finish(await follower.served)).toMatchObject({ status: 200 });
  });
});

describe('a run without a line', () => {
  it.each([{ stream: false }, { stream: true }])(
    'is answered with an error, which its entry has, too: %o',
    async (form) => {
      const { begin, tell, entries, asked, clock } = openFunction({ line: gone });
      const { served } = begin({ ...form, idempotencyKey: 'order-17' });
      await asked;
      // Opens the stream.
      await clock.advance(5_000);
      tell();
      const { body } = await finish(await served);
      expect(body).toContain('"code":"internal"');
      expect(body).not.toContain('event: result');
      expect(entries).toMatchObject([{ outcome: 'failed', code: 'internal', version: 'v1' }]);
    },
  );

  it.each([{ stream: false }, { stream: true }])(
    'asks no model, is charged nothing, and is accounted for: %o',
    async (form) => {
      const { begin, duties, entries, counters } = openFunction({ 'open line': gone });
      const { status, body } = await finish(await begin(form).served);
      expect([status, JSON.parse(body).code]).toEqual([500, 'internal']);
      expect(duties).toEqual(['open line', 'line', 'followers', 'settle', 'entry', 'last use']);
      expect(entries).toMatchObject([{ outcome: 'failed', tokensInput: 0, tokensOutput: 0 }]);
      expect([...counters.states.values()]).toMatchObject([{ counts: { tokens: { taken: 0, held: 0 } } }]);
    },
  );
});

describe('a defect after the line', () => {
  it.each([{ stream: false }, { stream: true }])(
    'costs neither the answer, which log and key call a success, nor another duty: %o',
    async (form) => {
      const { begin, tell, asked, clock, duties, entries, counters } = openFunction({
        followers() {
          throw new TypeError('a defect');
        },
      });
      const { served } = begin({ ...form, idempotencyKey: 'order-17' });
      await asked;
      // Opens the stream.
      await clock.advance(5_000);
      tell();
      const { status, body } = await finish(await served);
      expect([status, body]).toEqual([200, expect.stringContaining('"Hi"')]);
      expect(body).not.toContain('"code"');
      // The line of the defect follows that of the duty.
      expect(duties).toEqual(DUTIES.flatMap((duty) => (duty === 'followers' ? [duty, 'line'] : duty)));
      expect(entries).toMatchObject([{ outcome: 'success' }]);
      expect([...counters.states.values()].map(({ counts }) => counts.tokens?.held)).toEqual([0]);
    },
  );
});

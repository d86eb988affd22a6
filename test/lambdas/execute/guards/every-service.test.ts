// Each type of guard by a service, over a real connection: what passes, what is stopped, and what comes of each failure.
import { describe, expect, it } from 'vitest';
import { codeOf, ELSEWHERE, FAILURES, throughFailure } from './every-failure.ts';
import { answerOf, KINDS, openKind } from './every-service.ts';
import { answerWith, received, unavailableIn } from './one-service.ts';

const SAID = { input: 'Hello there' };

describe.each(Object.entries(KINDS))('%s', (_name, kind) => {
  const { type } = kind.guard('https://example.com') as { readonly type: string };

  it('lets pass what its service does, and books what it used', async () => {
    answerWith((request) => answerOf(kind, 'pass', request));
    const prices = { 'models/guard': { input: 10, output: 100 } };
    const guard = kind.unit === undefined ? {} : { prices: { [kind.unit]: 0.001 } };
    const { call, asked, entries } = openKind(kind, {}, { prices, guard });
    expect([(await call(SAID)).status, asked.length]).toEqual([200, 1]);
    const [booked] = entries[0]?.modelCalls ?? [];
    expect(booked).toMatchObject({
      provider: `guard:${type}`,
      model: 'ours',
      finish: 'pass',
      estimated: kind.countsNothing === true,
    });
    expect(booked?.costMicrodollars).toBeGreaterThanOrEqual(1_000);
    expect(entries[0]?.guards).toMatchObject([{ guard: 'ours', type, stage: 'input', finds: [] }]);
    expect(entries[0]?.guards?.[0]).not.toHaveProperty('notJudged');
  });

  it('stops what it finds, whole and streamed', async () => {
    answerWith((request) => answerOf(kind, 'block', request));
    for (const stream of [false, true]) {
      const { call, asked, entries } = openKind(kind);
      expect([(await call(SAID, { stream })).status, asked]).toEqual([422, []]);
      expect(entries[0]).toMatchObject({ code: 'guard_blocked', guards: [{ guard: 'ours', type }] });
    }
  });

  describe.each(FAILURES)('that answers $name', (failure) => {
    const { answer, status, notJudged, fate } = failure;
    it.each([false, true])('closes, calls no model and is counted, streamed: %s', async (stream) => {
      answerWith(() => answer);
      const { call, asked, entries, clock, lines } = openKind(kind);
      const closed = await throughFailure(failure, call(SAID, { stream }), clock);
      expect([closed.status, asked]).toEqual([status, []]);
      expect(entries[0]).toMatchObject({
        code: codeOf(failure),
        guards: [{ guard: 'ours', type, notJudged }],
      });
      expect(closed.text).not.toMatch(/ours|ServerError|down/);
      expect(unavailableIn(lines)).toBe(1);
    });

    it.each([false, true])(
      `${fate === 'passes' ? 'lets pass' : 'closes all the same'} where settings say open, the entry says so, and it is counted, streamed: %s`,
      async (stream) => {
        answerWith(() => answer);
        const { call, asked, entries, clock, lines } = openKind(kind, { onFailure: 'open' });
        const got = await throughFailure(failure, call(SAID, { stream }), clock);
        expect([got.status, asked.length]).toEqual(fate === 'passes' ? [200, 1] : [status, 0]);
        expect(entries[0]?.guards).toMatchObject([{ guard: 'ours', finds: [], notJudged }]);
        expect(unavailableIn(lines)).toBe(1);
      },
    );
  });

  it('is never sent on by a redirect', () => {
    expect(received().some(({ path }) => path === ELSEWHERE)).toBe(false);
  });
});

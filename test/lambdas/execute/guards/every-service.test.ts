// Each type of guard by a service, over a real connection: what passes, what is stopped, and what comes of each failure.
import { describe, expect, it } from 'vitest';
import type { FakeAnswer } from '../../../adapters/providers/fake-http.ts';
import type { Chaos } from '../../../adapters/providers/fixture-server.ts';
import { answerOf, KINDS, openKind } from './every-service.ts';
import { answerWith, inTime, received, unavailableIn } from './one-service.ts';

const down = { error: { code: 'ServerError', message: 'down' } };

/** How the service fails, what the request gets, and whether settings may let it pass. */
const FAILURES: readonly (readonly [string, FakeAnswer | Chaos, number, string, 'open' | 'closed'])[] = [
  ['nothing in its time', 'stall', 503, 'timeout', 'open'],
  ['too slowly', 'trickle', 503, 'timeout', 'open'],
  ['half an answer', 'cut', 503, 'connection', 'open'],
  ['with a reset', 'reset', 503, 'connection', 'open'],
  ['429', { status: 429, body: down }, 503, 'rate_limited', 'open'],
  ['503', { status: 503, body: down }, 503, 'server_error', 'open'],
  ['400', { status: 400, body: down }, 500, 'rejected', 'closed'],
  ['401', { status: 401, body: down }, 500, 'rejected', 'closed'],
  ['404', { status: 404, body: down }, 500, 'rejected', 'closed'],
  ['a redirect', { status: 307, headers: { location: '/elsewhere' }, body: {} }, 500, 'rejected', 'closed'],
  ['half JSON', { status: 200, stream: '{"verdict":"pass","choices":[{"te' }, 500, 'unreadable', 'closed'],
  ['an error in a 200', { status: 200, body: down }, 500, 'unreadable', 'closed'],
  ['a 204', { status: 204, stream: '' }, 500, 'unreadable', 'closed'],
];

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

  describe.each(FAILURES)('that answers %s', (_failure, answer, status, notJudged, fate) => {
    it.each([false, true])('closes, calls no model and is counted, streamed: %s', async (stream) => {
      answerWith(() => answer);
      const { call, asked, entries, clock, lines } = openKind(kind);
      const closed = await inTime(call(SAID, { stream }), clock, 1_000);
      expect([closed.status, asked]).toEqual([status, []]);
      const code = status === 503 ? 'guard_unavailable' : 'configuration';
      expect(entries[0]).toMatchObject({ code, guards: [{ guard: 'ours', type, notJudged }] });
      expect(closed.text).not.toMatch(/ours|ServerError|down/);
      expect(unavailableIn(lines)).toBe(1);
    });

    it.each([false, true])(
      `${fate === 'open' ? 'lets pass' : 'closes all the same'} where settings say open, the entry says so, and it is counted, streamed: %s`,
      async (stream) => {
        answerWith(() => answer);
        const { call, asked, entries, clock, lines } = openKind(kind, { onFailure: 'open' });
        const got = await inTime(call(SAID, { stream }), clock, 1_000);
        expect([got.status, asked.length]).toEqual(fate === 'open' ? [200, 1] : [status, 0]);
        expect(entries[0]?.guards).toMatchObject([{ guard: 'ours', finds: [], notJudged }]);
        expect(unavailableIn(lines)).toBe(1);
      },
    );
  });

  it('is never sent on by a redirect', () => {
    expect(received().some(({ path }) => path === '/elsewhere')).toBe(false);
  });
});

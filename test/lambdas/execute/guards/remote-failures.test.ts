// What comes of each failure of a guard by a service, on each surface, whole and streamed.
import { describe, expect, it } from 'vitest';
import type { FakeAnswer } from '../../../adapters/providers/fake-http.ts';
import type { Chaos } from '../../../adapters/providers/fixture-server.ts';
import { bodyOf, FORMS, inTime, open, PASS } from './one-service.ts';

/** Answer of the guard, and what a request gets when it is closed, and when it is open. */
const FAILURES: readonly (readonly [string, FakeAnswer | Chaos, number, string, 'passes' | 'closed'])[] = [
  ['a wait beyond its time', 'stall', 503, 'timeout', 'passes'],
  ['bytes that never end', 'trickle', 503, 'timeout', 'passes'],
  ['half an answer', 'cut', 503, 'connection', 'passes'],
  ['429', { status: 429, body: {} }, 503, 'rate_limited', 'passes'],
  ['500', { status: 500, body: PASS.body }, 503, 'server_error', 'passes'],
  ['400', { status: 400, body: PASS.body }, 500, 'rejected', 'closed'],
  ['401', { status: 401, body: PASS.body }, 500, 'rejected', 'closed'],
  ['a redirect', { status: 307, headers: { location: '/pass' }, body: PASS.body }, 500, 'rejected', 'closed'],
  ['half JSON', { status: 200, stream: '{"verdict":' }, 500, 'unreadable', 'closed'],
  ['an error in a 200', { status: 200, body: { error: 'down' } }, 500, 'unreadable', 'closed'],
  ['a misspelt block', { status: 200, body: { verdict: 'blocked' } }, 500, 'unreadable', 'closed'],
];

describe('a guard by a service', () => {
  describe.each(FAILURES)('that answers %s', (_name, answer, status, notJudged, fate) => {
    it.each(FORMS)('closes $surface, streamed: $stream', async (form) => {
      const { call, asked, entries, clock } = open({}, answer);
      const closed = await inTime(call(bodyOf(form), form), clock);
      expect(closed.status).toBe(status);
      expect(asked).toEqual([]);
      const code = status === 503 ? 'guard_unavailable' : 'configuration';
      expect(entries[0]).toMatchObject({ code, guards: [{ guard: 'ours', notJudged }] });
      expect(closed.text).not.toContain('ours');
    });

    it(`${fate === 'passes' ? 'lets pass, and says so,' : 'closes all the same'} where settings say open`, async () => {
      const { call, asked, entries, clock } = open({ onFailure: 'open' }, answer);
      const got = await inTime(call({ input: 'Hello' }), clock);
      expect(got.status).toBe(fate === 'passes' ? 200 : status);
      expect(asked).toHaveLength(fate === 'passes' ? 1 : 0);
      expect(entries[0]?.guards).toMatchObject([{ guard: 'ours', finds: [], notJudged }]);
    });

    it('keeps an answer back, whole and streamed, and books its model', async () => {
      for (const stream of [false, true]) {
        const { call, asked, entries, clock } = open({ on: ['output'] }, answer, {}, 'a secret answer');
        const got = await inTime(call({ input: 'Hello' }, { stream }), clock, 100);
        expect(got.text).not.toContain('secret');
        expect(asked).toHaveLength(1);
        expect(entries[0]).toMatchObject({ code: status === 503 ? 'guard_unavailable' : 'configuration' });
        expect(entries[0]?.modelCalls.map(({ model }) => model).sort()).toEqual(['m', 'ours']);
        expect(entries[0]?.tokensOutput).toBe(5);
      }
    });

    it('fails nothing with action flag', async () => {
      const { call, asked, clock } = open({ action: 'flag', on: ['input', 'output'] }, answer);
      expect((await inTime(call({ input: 'Hello' }), clock)).status).toBe(200);
      expect(asked).toHaveLength(1);
    });
  });
});

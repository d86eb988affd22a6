// What comes of each failure of a guard by a service, on each surface, whole and streamed.
import { describe, expect, it } from 'vitest';
import type { FakeAnswer } from '../../../adapters/providers/fake-http.ts';
import type { Chaos } from '../../../adapters/providers/fixture-server.ts';
import { strideOf } from '../../../support/every-case.ts';
import { anyBodyOf, EVERY_FORM, inTime, open, PASS, settingsOf, unavailableIn } from './one-service.ts';

/** Answer of the guard, and what a request gets when it is closed, and when it is open. */
const FAILURES: readonly (readonly [string, FakeAnswer | Chaos, number, string, 'passes' | 'closed'])[] = [
  ['a wait beyond its time', 'stall', 503, 'timeout', 'passes'],
  ['bytes that never end', 'trickle', 503, 'timeout', 'passes'],
  ['half an answer', 'cut', 503, 'connection', 'passes'],
  ['with a reset', 'reset', 503, 'connection', 'passes'],
  ['429', { status: 429, body: {} }, 503, 'rate_limited', 'passes'],
  ['500', { status: 500, body: PASS.body }, 503, 'server_error', 'passes'],
  ['400', { status: 400, body: PASS.body }, 500, 'rejected', 'closed'],
  ['401', { status: 401, body: PASS.body }, 500, 'rejected', 'closed'],
  ['a redirect', { status: 307, headers: { location: '/pass' }, body: PASS.body }, 500, 'rejected', 'closed'],
  ['half JSON', { status: 200, stream: '{"verdict":' }, 500, 'unreadable', 'closed'],
  ['an error in a 200', { status: 200, body: { error: 'down' } }, 500, 'unreadable', 'closed'],
  ['a misspelt block', { status: 200, body: { verdict: 'blocked' } }, 500, 'unreadable', 'closed'],
];

/** Some for each failure, other ones for the next. */
const formsOf = (at: number) => EVERY_FORM.filter((_, index) => (index + at) % strideOf(4) === 0);

/** The code of a request that a closed guard ends. */
const codeOf = (status: number) => (status === 503 ? 'guard_unavailable' : 'configuration');

describe('a guard by a service', () => {
  describe.each(FAILURES)('that answers %s', (name, answer, status, notJudged, fate) => {
    const forms = formsOf(FAILURES.findIndex(([other]) => other === name));

    it.each(forms)(
      'closes $surface, streamed: $stream, of an organization: $isOfOrganization',
      async (form) => {
        const { call, asked, entries, clock, lines } = open({}, answer, { settings: settingsOf(form) });
        const closed = await inTime(call(anyBodyOf(form), form), clock);
        expect(closed.status).toBe(status);
        expect(asked).toEqual([]);
        expect(entries[0]).toMatchObject({ code: codeOf(status), guards: [{ guard: 'ours', notJudged }] });
        expect(closed.text).not.toContain('ours');
        expect(unavailableIn(lines)).toBe(1);
      },
    );

    it.each(forms)(
      `${fate === 'passes' ? 'lets pass, and says so,' : 'closes all the same'} where settings say open, on $surface, streamed: $stream, of an organization: $isOfOrganization`,
      async (form) => {
        const settings = settingsOf(form);
        const { call, asked, entries, clock, lines } = open({ onFailure: 'open' }, answer, { settings });
        const got = await inTime(call(anyBodyOf(form), form), clock);
        expect(got.status).toBe(fate === 'passes' ? 200 : status);
        expect(asked).toHaveLength(fate === 'passes' ? 1 : 0);
        expect(entries[0]?.guards).toMatchObject([{ guard: 'ours', finds: [], notJudged }]);
        expect(unavailableIn(lines)).toBe(1);
      },
    );

    it.each(forms)(
      'keeps an answer back on $surface, streamed: $stream, of an organization: $isOfOrganization, and books its model',
      async (form) => {
        const more = { settings: settingsOf(form) };
        const { call, asked, entries, clock, lines } = open(
          { on: ['output'] },
          answer,
          more,
          'a secret answer',
        );
        const got = await inTime(call(anyBodyOf(form), form), clock, 100);
        expect(got.text).not.toContain('secret');
        expect(asked).toHaveLength(1);
        expect(entries[0]).toMatchObject({ code: codeOf(status) });
        expect(entries[0]?.modelCalls.map(({ model }) => model).sort()).toEqual(['m', 'ours']);
        expect(entries[0]?.tokensOutput).toBe(5);
        expect(unavailableIn(lines)).toBe(1);
      },
    );

    it.each([false, true])(
      'lets an answer out where settings say open and it may, streamed: %s',
      async (stream) => {
        const use = { on: ['output'], onFailure: 'open' };
        const { call, entries, clock, lines } = open(use, answer, {}, 'a secret answer');
        const got = await inTime(call({ input: 'Hello' }, { stream }), clock, 100);
        expect(got.text.includes('secret')).toBe(fate === 'passes');
        expect(entries[0]?.guards).toMatchObject([{ guard: 'ours', stage: 'output', notJudged }]);
        expect(unavailableIn(lines)).toBe(1);
      },
    );

    it('fails nothing with action flag, and is counted once for each question', async () => {
      const { call, asked, clock, lines } = open({ action: 'flag', on: ['input', 'output'] }, answer);
      expect((await inTime(call({ input: 'Hello' }), clock)).status).toBe(200);
      expect(asked).toHaveLength(1);
      expect(unavailableIn(lines)).toBe(1);
    });
  });
});

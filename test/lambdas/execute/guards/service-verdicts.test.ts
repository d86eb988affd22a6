// Verdicts of several calls of one guard by a service: each of them counts, whatever the others say or fail to say.
import { describe, expect, it } from 'vitest';
import { KINDS, openKind, type ServiceKind } from './every-service.ts';
import { answerWith, BLOCK, inTime, open, PASS, received, webhook } from './one-service.ts';

/** Of several calls: the first one has the first word alone, the last one the last. */
const inCalls = (first: string, last: string) => ({ input: `${first} ${'long '.repeat(150_000)}${last}` });
const textsOf = (body: string) =>
  (JSON.parse(body).texts as { readonly text: string }[]).map(({ text }) => text);

function openLong(use: object, answer: Parameters<typeof answerWith>[0]) {
  const guarded = open(use, PASS, { settings: { maxInputBytes: 1_000_000 } });
  answerWith(answer);
  return guarded;
}

describe('calls of one guard', () => {
  it.each([
    ['redact', ['ATTACK', 'NAMED']],
    ['redact', ['NAMED', 'ATTACK']],
    ['mask', ['ATTACK', 'NAMED']],
  ] as const)(
    'block with action %s where one has no place, and another has: %j',
    async (action, [first, last]) => {
      const { call, asked, entries } = openLong({ action }, ({ body }) => {
        const texts = textsOf(body);
        const text = texts.findIndex((one) => one.includes('NAMED'));
        const start = texts[text]?.indexOf('NAMED') ?? -1;
        const finds = [{ type: 'NAME', text, start, end: start + 5 }];
        if (start !== -1) return { status: 200, body: { verdict: 'block', finds } };
        return texts.some((one) => one.includes('ATTACK')) ? BLOCK : PASS;
      });
      expect([(await call(inCalls(first, last))).status, asked]).toEqual([422, []]);
      expect(entries[0]).toMatchObject({
        code: 'guard_blocked',
        guards: [{ finds: [{ type: 'NAME', count: 1 }] }],
      });
    },
  );

  it.each(['open', 'closed'])('block where one does, and another never answers: %s', async (onFailure) => {
    const { call, asked, entries, clock } = openLong({ onFailure }, ({ body }) =>
      textsOf(body).some((one) => one.includes('ATTACK')) ? BLOCK : 'stall',
    );
    const { status } = await inTime(call(inCalls('ATTACK', 'end')), clock);
    expect([status, asked]).toEqual([422, []]);
    expect(entries[0]?.guards).toMatchObject([{ guard: 'ours', notJudged: 'timeout' }]);
  });

  it('let pass where one passes, and settings say open of the other', async () => {
    const { call, asked, clock } = openLong({ onFailure: 'open' }, ({ body }) =>
      textsOf(body).some((one) => one.includes('FINE')) ? PASS : 'stall',
    );
    const { status } = await inTime(call(inCalls('FINE', 'end')), clock);
    expect([status, asked.length]).toEqual([200, 1]);
  });
});

describe('shield and analysis of Azure, where settings say open', () => {
  const SAID = { input: 'Hello there' };
  const kind = KINDS['azure'] as ServiceKind;
  const shielded = (attackDetected: boolean) => ({
    status: 200,
    body: { userPromptAnalysis: { attackDetected } },
  });

  it.each([
    ['block what one finds and the other fails at', shielded(true), 503, 422],
    ['let pass what one lets pass and the other fails at', shielded(false), 503, 200],
    ['close where one is rejected, whatever the other one does', { status: 429, body: {} }, 404, 500],
  ])('%s', async (_name, ofShield, ofAnalysis, status) => {
    const { call } = openKind(kind, { onFailure: 'open' });
    answerWith(({ path }) => (path.includes('shieldPrompt') ? ofShield : { status: ofAnalysis, body: {} }));
    expect((await call(SAID)).status).toBe(status);
  });
});

describe('a guard that no limit has room for', () => {
  it('leaves no cost of the guards before it, which were not asked', async () => {
    const library = Object.fromEntries(
      ['one', 'two'].map((name) => [name, webhook('/', { prices: { call: 0.5 } })]),
    );
    const guards = ['one', 'two'].map((use) => ({ use, on: ['input'], action: 'block' }));
    const { call, entries, counters } = open({}, PASS, {
      library,
      guards,
      prices: { 'model/m': { input: 0, output: 0 } },
      usageLimits: [{ metric: 'cost', limit: 0.7, period: 'day' }],
    });
    const before = received().length;
    expect([(await call({ input: 'Hello' })).status, received().length - before]).toEqual([429, 0]);
    expect(entries[0]).toMatchObject({ costMicrodollars: 0, modelCalls: [] });
    expect([...counters.states.values()].map(({ counts }) => counts['cost'])).toEqual([
      { taken: 0, held: 0 },
    ]);
  });
});

describe('those who wait for an answer that nobody judged', () => {
  it.each([
    ['output', ['success', 'stopped', 'stopped'], 3],
    ['input', ['success', 'refused', 'refused'], 1],
  ])('are asked about by themselves: %s', async (on, outcomes, calls) => {
    const { call, asked, entries } = open({ on: [on], onFailure: 'open' }, PASS, {
      settings: { caching: { exact: true } },
    });
    const answers = [{ status: 503, body: {} }];
    answerWith(() => answers.pop() ?? BLOCK);
    await Promise.all([1, 2, 3].map(() => call({ input: 'Hello' })));
    expect(asked).toHaveLength(calls);
    expect(entries.map(({ outcome }) => outcome).sort()).toEqual(outcomes.toSorted());
  });
});

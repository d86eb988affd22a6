// Answers of ApplyGuardrail: what is blocked, what is masked in a place that is sure, and what is no verdict.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeGuardrails, guardOf, startFakeGuardrails } from './fake-guardrails.ts';

let fake: FakeGuardrails;
beforeAll(async () => {
  fake = await startFakeGuardrails();
});
afterAll(() => fake.stop());

const GUARD = { type: 'bedrock', guardrail: 'abc123', version: '1', region: 'us-east-1' };
const USAGE = { topicPolicyUnits: 1, contentPolicyUnits: 2, wordPolicyUnits: 1 };
const MAIL = 'Write to ann@example.com or ANN@example.com.';
const pii = (match: string, action: string, type = 'EMAIL') => ({
  sensitiveInformationPolicy: { piiEntities: [{ type, match, action }], regexes: [] },
});

function inspect(body: object, ...texts: string[]) {
  fake.answerWith({ status: 200, body: { usage: USAGE, outputs: [], assessments: [], ...body } });
  return fake.inspect(GUARD, { texts: texts.map((text) => ({ role: 'user', text })) });
}

const intervened = (outputs: readonly string[], ...assessments: object[]) => ({
  action: 'GUARDRAIL_INTERVENED',
  outputs: outputs.map((text) => ({ text })),
  assessments,
});

describe('an answer of ApplyGuardrail', () => {
  it('gives the places of what it has masked, whatever their letter case', async () => {
    const masked = 'Write to {EMAIL} or {EMAIL}.';
    const { verdict, finds, usage } = await inspect(
      intervened([masked], pii('ann@example.com', 'ANONYMIZED')),
      MAIL,
    );
    expect(verdict).toBe('block');
    expect(finds.map(({ entity, span }) => [entity, MAIL.slice(span?.start, span?.end)])).toEqual([
      ['EMAIL', 'ann@example.com'],
      ['EMAIL', 'ANN@example.com'],
    ]);
    expect(usage.units).toMatchObject({ content: 2, topic: 1, sensitiveInformation: 0 });
  });

  it('gives the places of a pattern, whose name the guardrail writes, under one of ours', async () => {
    const regexes = [{ name: 'TicketId', match: 'TCK-1234', action: 'ANONYMIZED' }];
    const { finds } = await inspect(
      intervened(['See {TicketId}.'], { sensitiveInformationPolicy: { regexes } }),
      'See TCK-1234.',
    );
    expect(finds).toEqual([{ entity: 'REGEX', text: 0, span: { start: 4, end: 12 } }]);
  });

  it.each([
    [
      'a text that it has changed otherwise',
      ['Write to {EMAIL}.'],
      [MAIL],
      pii('ann@example.com', 'ANONYMIZED'),
    ],
    [
      'fewer texts than were sent',
      ['Write to {EMAIL} or {EMAIL}.'],
      [MAIL, 'x'],
      pii('ann@example.com', 'ANONYMIZED'),
    ],
    ['no text', [], [MAIL], pii('ann@example.com', 'ANONYMIZED')],
    ['the text as it was', [MAIL], [MAIL], pii('ann@example.com', 'ANONYMIZED')],
    ['a value that it does not name', ['Write to {EMAIL}.'], ['Write to x.'], pii('y', 'ANONYMIZED')],
  ] as const)(
    'blocks, with no place to cut, what came back as %s',
    async (_name, outputs, texts, assessment) => {
      const { verdict, finds } = await inspect(intervened(outputs, assessment), ...texts);
      expect(verdict).toBe('block');
      expect(finds).toEqual([{ entity: 'EMAIL', text: 0 }]);
    },
  );

  it('blocks as a whole where one policy blocks and another masks', async () => {
    const topicPolicy = { topics: [{ name: MAIL, type: 'DENY', action: 'BLOCKED' }] };
    const both = { topicPolicy, ...pii('ann@example.com', 'ANONYMIZED') };
    // Whether the message of the block comes back, or the text with its masks alone.
    for (const output of ['No.', MAIL.replace('ann@example.com', '{EMAIL}')]) {
      const { finds } = await inspect(intervened([output], both), MAIL);
      expect(finds).toEqual([
        { entity: 'TOPIC', text: 0 },
        { entity: 'EMAIL', text: 0 },
      ]);
    }
  });

  it('names the text that has a value, and no name that a guardrail was given', async () => {
    const wordPolicy = {
      customWords: [{ match: 'Falcon', action: 'BLOCKED' }],
      managedWordLists: [{ match: 'x', type: 'PROFANITY', action: 'NONE' }],
    };
    const contentPolicy = { filters: [{ type: 'said by Ann', confidence: 'HIGH', action: 'BLOCKED' }] };
    const { finds } = await inspect(
      intervened(['No.'], { wordPolicy, contentPolicy }),
      'the falcon',
      'b',
      'c',
    );
    expect(finds).toEqual([
      { entity: 'OTHER', text: 2 },
      { entity: 'WORD', text: 0 },
    ]);
  });

  it('says of what is enforced on the account that it is', async () => {
    const filters = [{ type: 'HATE', confidence: 'HIGH', action: 'BLOCKED' }];
    const enforced = {
      contentPolicy: { filters },
      appliedGuardrailDetails: { guardrailOrigin: ['ORGANIZATION_ENFORCED'] },
    };
    const { finds } = await inspect(intervened(['No.'], enforced), MAIL);
    expect(finds).toEqual([{ entity: 'ENFORCED_HATE', text: 0 }]);
  });

  it('lets pass what is detected and not acted on', async () => {
    const filters = [{ type: 'HATE', confidence: 'LOW', action: 'NONE', detected: true }];
    const body = { action: 'NONE', outputs: [{ text: MAIL }], assessments: [{ contentPolicy: { filters } }] };
    expect(await inspect(body, MAIL)).toMatchObject({ verdict: 'none', finds: [] });
  });

  it('blocks what no policy here explains', async () => {
    const body = { ...intervened(['No.'], {}), actionReason: 'Guardrail blocked.' };
    expect(await inspect(body, MAIL)).toMatchObject({ verdict: 'block', finds: [] });
  });

  it('multiplies what automated reasoning has used by its policies', async () => {
    const usage = { automatedReasoningPolicyUnits: 3, automatedReasoningPolicies: 2 };
    const { usage: used } = await inspect({ action: 'NONE', usage }, MAIL);
    expect(used.units).toMatchObject({ automatedReasoning: 6, content: 0 });
  });

  it.each([
    ['null', null],
    ['no action', { action: undefined }],
    ['another action', { action: 'ALLOWED' }],
    ['no texts', { action: 'NONE', outputs: undefined }],
    ['no assessments', { action: 'NONE', assessments: undefined }],
    ['no usage', { action: 'NONE', usage: undefined }],
    ['usage that is a text', { action: 'NONE', usage: { contentPolicyUnits: '1' } }],
    ['usage below nothing', { action: 'NONE', usage: { contentPolicyUnits: -1 } }],
    ['usage of more than a call has', { action: 'NONE', usage: { contentPolicyUnits: 1e9 } }],
    ['an unknown action of a policy', intervened(['No.'], pii('x', 'REPLACED'))],
    ['a block that it calls none', { action: 'NONE', assessments: [pii('x', 'BLOCKED')] }],
    ['another text that it calls none', { action: 'NONE', outputs: [{ text: 'Write to {EMAIL}.' }] }],
    [
      'a part that was not judged',
      { action: 'NONE', guardrailCoverage: { textCharacters: { guarded: 10, total: 44 } } },
    ],
    ['an unknown extent', { action: 'NONE', guardrailCoverage: { textCharacters: { total: 44 } } }],
  ])('is unreadable with %s', async (_name, body) => {
    const answer = body === null ? null : { usage: USAGE, outputs: [], assessments: [], ...body };
    fake.answerWith({ status: 200, body: answer });
    const answered = fake.inspect(GUARD, { texts: [{ role: 'user', text: MAIL }] });
    await expect(answered).rejects.toMatchObject({ kind: 'unreadable', status: 200 });
  });
});

describe('its settings', () => {
  it('have a region where they name one, two seconds, and no prices', () => {
    expect(guardOf(GUARD)).toEqual({ ...GUARD, timeout: 2_000 });
    const { region: _none, ...withoutRegion } = GUARD;
    expect(guardOf(withoutRegion)).not.toHaveProperty('region');
    expect(guardOf({ ...GUARD, prices: { content: 0.00015 } })).toMatchObject({ prices: { content: 150 } });
  });

  it.each([
    { version: 'DRAFT' },
    { version: 3 },
    { version: '0' },
    { version: undefined },
    { guardrail: 'arn:aws:bedrock:us-east-1:123456789012:guardrail/abc123' },
    { guardrail: 'a/../b' },
    { guardrail: undefined },
    { region: 'us' },
    { prices: { words: 1 } },
    { timeout: '31s' },
  ])('refuse %j', (more) => {
    expect(() => guardOf({ ...GUARD, ...more })).toThrow();
  });
});

// Azure AI Content Safety over a real connection: what it is sent, and how each answer is read.
import { describe, expect, it } from 'vitest';
import { azureShieldTraits } from '../../../core/guards/remote/azure-shield.ts';
import type { GuardRequest } from '../../../core/ports/guards.ts';
import type { AzureShieldGuard } from '../../../core/settings/guards/remote/azure-shield.ts';
import { answerWith, inspect, ok, received, takes, useServer } from './service-server.ts';

useServer();

const TYPE = { type: 'azureShield', apiKey: { secret: 'key' } };
const HARMS = { hate: 2, selfHarm: 4, sexual: 6, violence: 4 };

/** Examples of learn.microsoft.com: azure/ai-services/content-safety/quickstart-jailbreak and quickstart-text. */
const SHIELD = {
  userPromptAnalysis: { attackDetected: true },
  documentsAnalysis: [{ attackDetected: true }],
};
const ANALYSIS = {
  blocklistsMatch: [],
  categoriesAnalysis: [
    { category: 'Hate', severity: 2 },
    { category: 'SelfHarm', severity: 0 },
    { category: 'Sexual', severity: 0 },
    { category: 'Violence', severity: 0 },
  ],
};
const NO_ATTACK = { userPromptAnalysis: { attackDetected: false }, documentsAnalysis: [] };
const CLEAN = {
  blocklistsMatch: [],
  categoriesAnalysis: ANALYSIS.categoriesAnalysis.map((one) => ({ ...one, severity: 0 })),
};

interface Told {
  readonly shield?: unknown;
  readonly analysis?: unknown;
  readonly request?: Partial<GuardRequest>;
}

function screen(
  more: object,
  { shield = NO_ATTACK, analysis = CLEAN, request = {} }: Told,
  root: (url: string) => string = (url) => url,
) {
  answerWith(({ path }) => ok(path.includes('shieldPrompt') ? shield : analysis));
  return inspect((url) => ({ ...TYPE, endpoint: root(url), ...more }), request);
}

async function sentBy(more: object, request: Partial<GuardRequest>, root?: (url: string) => string) {
  const before = received().length;
  const shield =
    request.texts?.[0]?.role === 'user' ? NO_ATTACK : { documentsAnalysis: [{ attackDetected: false }] };
  await screen(more, { request, shield }, root);
  return received()
    .slice(before)
    .map(({ path, body }) => [path.split('/').at(-1), JSON.parse(body)]);
}

const said = (role: 'user' | 'tool' | 'assistant', text = 'Hello') => ({ texts: [{ role, text }] });
const QUERY = '?api-version=2024-09-01';

describe('a shield of Azure', () => {
  it('is sent prompts as prompts, and results of tools as documents', async () => {
    expect(await sentBy({}, said('user'))).toEqual([[`text:shieldPrompt${QUERY}`, { userPrompt: 'Hello' }]]);
    expect(await sentBy({}, said('tool'))).toEqual([[`text:shieldPrompt${QUERY}`, { documents: ['Hello'] }]]);
    expect(received().at(-1)?.headers).toMatchObject({ 'ocp-apim-subscription-key': 'a-key' });
  });

  it('is asked below the path of its endpoint', async () => {
    await sentBy({}, said('user'), (url) => `${url}/front/`);
    expect(received().at(-1)?.path).toBe(`/front/contentsafety/text:shieldPrompt${QUERY}`);
  });

  it('finds attacks in both', async () => {
    const verdicts = [
      await screen({}, { shield: SHIELD }),
      await screen({}, { shield: SHIELD, request: said('tool') }),
      await screen({}, { shield: { ...NO_ATTACK, documentsAnalysis: [{ attackDetected: true }] } }),
    ];
    expect(verdicts.map(({ finds }) => finds[0]?.entity)).toEqual([
      'PROMPT_ATTACK',
      'DOCUMENT_ATTACK',
      'PROMPT_ATTACK',
    ]);
    const none = await screen({}, { shield: { userPromptAnalysis: { attackDetected: false } } });
    expect(none).toEqual({ verdict: 'none', finds: [], usage: { units: { record: 1 } } });
  });

  it.each([
    ['no analysis', {}],
    ['an analysis of documents alone', { documentsAnalysis: [{ attackDetected: false }] }],
    ['null', { userPromptAnalysis: null }],
    ['a verdict that is a text', { userPromptAnalysis: { attackDetected: 'false' } }],
    ['an error in a 200', { error: { code: 'InvalidRequestBody', message: 'text' } }],
  ])('refuses %s as unreadable', async (_name, shield) => {
    await expect(screen({}, { shield })).rejects.toMatchObject({ kind: 'unreadable' });
  });

  it.each([
    ['of none', []],
    ['of two', [{ attackDetected: false }, { attackDetected: false }]],
  ])('refuses an analysis %s where it was sent one document', async (_name, documentsAnalysis) => {
    const shield = { ...NO_ATTACK, documentsAnalysis };
    await expect(screen({}, { shield, request: said('tool') })).rejects.toMatchObject({ kind: 'unreadable' });
  });
});

describe('text analysis of Azure', () => {
  const analysing = { promptShield: false, harms: HARMS, blocklists: ['terms'] };

  it('is sent the categories and lists of settings', async () => {
    expect(await sentBy(analysing, said('user'))).toEqual([
      [
        `text:analyze${QUERY}`,
        {
          text: 'Hello',
          categories: ['Hate', 'SelfHarm', 'Sexual', 'Violence'],
          blocklistNames: ['terms'],
          haltOnBlocklistHit: false,
          outputType: 'FourSeverityLevels',
        },
      ],
    ]);
  });

  it('finds severities from those of settings on, and terms without repeating them', async () => {
    expect((await screen(analysing, { analysis: ANALYSIS })).finds).toEqual([{ entity: 'HATE', text: 0 }]);
    const severe = (severity: number) =>
      screen(
        { ...analysing, blocklists: undefined },
        { analysis: { categoriesAnalysis: CLEAN.categoriesAnalysis.map((one) => ({ ...one, severity })) } },
      );
    expect((await severe(4)).finds.map(({ entity }) => entity)).toEqual(['HATE', 'SELF_HARM', 'VIOLENCE']);
    expect((await severe(0)).verdict).toBe('none');
    const match = { blocklistName: 'terms', blocklistItemId: '1', blocklistItemText: 'falcon' };
    const listed = await screen(analysing, { analysis: { ...CLEAN, blocklistsMatch: [match] } });
    expect(listed.finds).toEqual([{ entity: 'BLOCKLIST', text: 0 }]);
    expect(JSON.stringify(listed)).not.toContain('falcon');
  });

  it.each([
    ['no categories', { blocklistsMatch: [] }],
    ['not all categories', { ...CLEAN, categoriesAnalysis: CLEAN.categoriesAnalysis.slice(1) }],
    ['a severity that is a text', { ...CLEAN, categoriesAnalysis: [{ category: 'Hate', severity: '0' }] }],
    ['no answer about lists', { ...CLEAN, blocklistsMatch: undefined }],
    ['matches of no form', { ...CLEAN, blocklistsMatch: ['terms'] }],
  ])('refuses %s as unreadable', async (_name, analysis) => {
    await expect(screen(analysing, { analysis })).rejects.toMatchObject({ kind: 'unreadable' });
  });
});

describe('both', () => {
  const both = { harms: { hate: 2 } };

  it('are asked of a prompt, and the analysis alone of an answer', async () => {
    expect((await sentBy(both, said('user'))).map(([path]) => path).sort()).toEqual([
      `text:analyze${QUERY}`,
      `text:shieldPrompt${QUERY}`,
    ]);
    const ofAnswer = await sentBy(both, { stage: 'output', ...said('assistant') });
    expect(ofAnswer.map(([path]) => path)).toEqual([`text:analyze${QUERY}`]);
    // Never unseen, where settings are older than the rule that they need harms for it.
    const older = await sentBy({}, { stage: 'output', ...said('assistant') });
    expect(older.map(([path]) => path)).toEqual([`text:shieldPrompt${QUERY}`]);
  });

  it('count records of each, and never more than is reserved', async () => {
    const text = '🦊'.repeat(1_000);
    const { usage } = await screen(both, { request: said('user', text) });
    const guard = { promptShield: true, harms: { hate: 2 } } as AzureShieldGuard;
    expect([usage, azureShieldTraits.mostUsage(guard, [text])]).toEqual([
      { units: { record: 4 } },
      { units: { record: 4 } },
    ]);
  });

  it('say of a failure that the other one is to be paid for', async () => {
    answerWith(({ path }) => (path.includes('analyze') ? { status: 429, body: {} } : ok(NO_ATTACK)));
    await expect(inspect((url) => ({ ...TYPE, endpoint: url, ...both }))).rejects.toMatchObject({
      kind: 'rate_limited',
      hasUsed: true,
    });
    answerWith({ status: 429, body: {} });
    await expect(inspect((url) => ({ ...TYPE, endpoint: url, ...both }))).rejects.toMatchObject({
      kind: 'rate_limited',
      hasUsed: false,
    });
  });

  it('have settings with something to judge', () => {
    const guard = { ...TYPE, endpoint: 'https://acme.cognitiveservices.azure.com' };
    expect([guard, { ...guard, ...both }, { ...guard, promptShield: false, ...both }].map(takes)).toEqual([
      true,
      true,
      true,
    ]);
    const wrong = [
      { promptShield: false },
      { harms: {} },
      { harms: { hate: 3 } },
      { harms: { insults: 2 } },
      { blocklists: [] },
      { blocklists: ['a b'] },
      { apiKey: undefined },
      { prices: { call: 1 } },
    ];
    for (const more of wrong) expect(takes({ ...guard, ...more }), JSON.stringify(more)).toBe(false);
  });
});

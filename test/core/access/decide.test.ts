// The decision: the whole table, the order of the checks, what is asked of the key store, and what is said about it.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decide } from '../../../core/access/decide.ts';
import type { Decision } from '../../../core/access/decision.ts';
import { statusOf } from '../../../core/contract/error-codes.ts';
import type { KeyStore } from '../../../core/ports/keys.ts';
import {
  ADDRESS_KINDS,
  CREDENTIAL_KINDS,
  DECISION_TABLE,
  REFERER_KINDS,
  REFUSED_BLOCKS,
  SETTINGS_WORDS,
  type TableVerdict,
  USABLE_BLOCKS,
} from './decision-table.ts';
import { createKeyring, requestWith, settingsWith } from './examples.ts';
import { accessOf, casesOf, renderMarkdown, type TableCase } from './table-cases.ts';

const DOWN: KeyStore = { read: () => Promise.reject(new Error('the table is gone')) };
const { keys, headers, validKeyId } = await createKeyring();

function verdictOf(decision: Decision): string {
  switch (decision.outcome) {
    case 'allow':
      return `allow as ${decision.authentication}`;
    case 'refused':
      return `${statusOf(decision.code)} ${decision.code}`;
    case 'not_found':
      return '404 not_found';
    case 'unavailable':
      return '503 dependency_unavailable';
  }
}

function decideCase(words: string, { referer, address, credential }: Omit<TableCase, 'verdict'>) {
  const request = requestWith({
    referers: REFERER_KINDS[referer],
    sourceIp: ADDRESS_KINDS[address],
    authorizations: headers[credential],
  });
  return decide(settingsWith(accessOf(words)), request, { keys: credential === 'unreachable' ? DOWN : keys });
}

describe.each(DECISION_TABLE.flatMap((block) => block.settings.map((words) => ({ words, block }))))(
  'a neuron with $words',
  ({ words, block }) => {
    it('decides every kind of request as the table says', async () => {
      const cases = casesOf(block);
      expect(cases).toHaveLength(5 * 4 * 12);
      const wrong: unknown[] = [];
      for (const one of cases) {
        const got = verdictOf(await decideCase(words, one));
        if (got !== one.verdict) wrong.push({ ...one, got });
      }
      expect(wrong).toEqual([]);
    });
  },
);

describe('the table', () => {
  it('has every combination of usable settings once', () => {
    expect(USABLE_BLOCKS.flatMap(({ settings }) => settings)).toEqual([
      'nothing',
      'public',
      'referers',
      'ips',
      'apiKey',
      'referers + ips',
      'referers + apiKey',
      'ips + apiKey',
      'referers + ips + apiKey',
    ]);
  });

  it('uses every word of its settings', () => {
    const used = new Set(
      DECISION_TABLE.flatMap(({ settings }) => settings.flatMap((words) => words.split(' + '))),
    );
    expect([...used].sort()).toEqual([...SETTINGS_WORDS].sort());
  });

  it('is the one that docs/security.md shows', () => {
    const docs = readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8');
    expect(docs).toContain(renderMarkdown(USABLE_BLOCKS));
    expect(docs).toContain(renderMarkdown(REFUSED_BLOCKS));
  });

  it('lets nobody in with settings that apply refuses', () => {
    const verdicts = REFUSED_BLOCKS.flatMap(({ rows }) => rows.map((row) => row[3]));
    expect(verdicts.filter((verdict: TableVerdict) => verdict.startsWith('allow'))).toEqual([]);
  });
});

describe('what is off', () => {
  const STATES: Readonly<Record<string, readonly unknown[]>> = {
    public: [undefined, true, false],
    referers: [undefined, ['app.example.com'], []],
    ips: [undefined, ['198.51.100.0/24'], []],
    apiKey: [undefined, true, false],
    jwt: [undefined, { sharedSecret: { secret: 'support-jwt' } }],
  };
  const combinations = Object.entries(STATES).reduce<Record<string, unknown>[]>(
    (made, [name, states]) =>
      made.flatMap((access) =>
        states.map((state) => (state === undefined ? access : { ...access, [name]: state })),
      ),
    [{}],
  );

  it('refuses every request as soon as one setting is false, empty or stands beside public', async () => {
    const broken = combinations.filter(
      (access) =>
        'jwt' in access ||
        (access['public'] === true && Object.keys(access).length > 1) ||
        Object.values(access).some(
          (value) => value === false || (Array.isArray(value) && value.length === 0),
        ),
    );
    // All but the nine of the table above.
    expect(broken).toHaveLength(162 - 9);
    for (const access of broken) {
      for (const authorizations of [headers.valid, headers.absent]) {
        const request = requestWith({ sourceIp: '198.51.100.1', authorizations });
        const decision = await decide(settingsWith(access), request, { keys });
        expect(['refused', 'not_found'], JSON.stringify(access)).toContain(decision.outcome);
      }
    }
  });
});

describe('settings that are not usable', () => {
  const request = requestWith({ authorizations: headers.valid });

  it('refuses an unknown neuron with 404 and the reason of whoever read the settings', async () => {
    const decision = await decide({ outcome: 'not_found', reason: 'the neuron is unknown' }, request, {
      keys,
    });
    expect(decision).toEqual({
      outcome: 'not_found',
      reason: 'the neuron is unknown',
      steps: [{ check: 'settings', verdict: 'refuses', reason: 'the neuron is unknown' }],
    });
  });

  it('answers 503, never 401 or 200, when the settings could not be read', async () => {
    const cause = new Error('timeout');
    const decision = await decide({ outcome: 'unavailable', reason: 'no settings', cause }, request, {
      keys,
    });
    expect(decision).toEqual({
      outcome: 'unavailable',
      reason: 'no settings',
      cause,
      steps: [{ check: 'settings', verdict: 'fails', reason: 'no settings' }],
    });
  });
});

describe('the key store', () => {
  it.each(['absent', 'doubled', 'notBearer', 'jwt', 'malformed'] as const)(
    'is not asked for a credential that is %s',
    async (credential) => {
      const before = keys.reads.length;
      await decideCase('apiKey', { referer: 'absent', address: 'listed', credential });
      expect(keys.reads.length).toBe(before);
    },
  );

  it.each([
    ['public', 'absent', 'listed'],
    ['nothing', 'absent', 'listed'],
    ['referers', 'absent', 'listed'],
    ['ips', 'absent', 'listed'],
    ['referers + apiKey', 'foreign', 'listed'],
    ['ips + apiKey', 'absent', 'foreign'],
    ['public + apiKey', 'absent', 'listed'],
  ] as const)('is not asked where %s decides without it', async (words, referer, address) => {
    const before = keys.reads.length;
    await decideCase(words, { referer, address, credential: 'valid' });
    expect(keys.reads.length).toBe(before);
  });

  it('is asked once for a key that is well formed', async () => {
    const before = keys.reads.length;
    await decideCase('apiKey', { referer: 'absent', address: 'listed', credential: 'valid' });
    expect(keys.reads.length).toBe(before + 1);
  });
});

describe('what a decision says', () => {
  it('is whom it lets in, by ids, and as what', async () => {
    const decision = await decideCase('referers + ips + apiKey', {
      referer: 'listed',
      address: 'listed',
      credential: 'valid',
    });
    expect(decision).toEqual({
      outcome: 'allow',
      authentication: 'apiKey',
      organizationId: 'org-acme',
      neuronId: 'neuron-support',
      keyId: validKeyId,
      reason: 'every check that is enabled has passed',
      steps: [
        { check: 'settings', verdict: 'passes', reason: 'the neuron exists and its settings can be used' },
        { check: 'public', verdict: 'off', reason: 'not asked for by the settings' },
        {
          check: 'referers',
          verdict: 'passes',
          reason: "the Referer's host app.example.com is listed as app.example.com",
        },
        { check: 'ips', verdict: 'passes', reason: '198.51.100.9 is listed as 198.51.100.0/24' },
        { check: 'credentials', verdict: 'passes', reason: `the API key ${validKeyId} holds` },
        { check: 'enabled', verdict: 'allows', reason: 'every check that is enabled has passed' },
      ],
    });
  });

  it('is no key id where none was judged', async () => {
    for (const words of ['public', 'ips', 'referers']) {
      const decision = await decideCase(words, {
        referer: 'absent',
        address: 'listed',
        credential: 'valid',
      });
      expect(decision).toMatchObject({ outcome: 'allow', keyId: undefined });
    }
  });

  it.each([
    ['public + apiKey', 'settings', 'public: true stands beside other settings'],
    ['jwt', 'settings', 'jwt is not supported by this release'],
    ['nothing', 'enabled', 'no way of access is enabled'],
    ['public: false', 'enabled', 'public is false'],
    ['apiKey: false', 'enabled', 'apiKey is false'],
    ['referers: []', 'enabled', 'referers is empty'],
    ['ips + apiKey: false', 'enabled', 'apiKey is false'],
    ['ips: []', 'ips', '198.51.100.9 is not listed'],
    ['apiKey', 'credentials', 'the request carries no Authorization header'],
  ])('is why, for settings with %s', async (words, check, reason) => {
    const decision = await decideCase(words, { referer: 'absent', address: 'listed', credential: 'absent' });
    expect(decision.reason).toBe(reason);
    expect(decision.steps.at(-1)).toEqual({ check, verdict: 'refuses', reason });
  });

  it('is which check refused a Referer', async () => {
    const decision = await decideCase('referers', {
      referer: 'foreign',
      address: 'listed',
      credential: 'absent',
    });
    expect(decision.steps.at(-1)).toEqual({
      check: 'referers',
      verdict: 'refuses',
      reason: "the Referer's host app.example.com.attacker.example is not listed",
    });
  });

  it('hands the cause of a failed read to the log, and to nobody else', async () => {
    const decision = await decideCase('apiKey', {
      referer: 'absent',
      address: 'listed',
      credential: 'unreachable',
    });
    expect(decision).toMatchObject({
      outcome: 'unavailable',
      reason: 'the API key could not be read',
      cause: new Error('the table is gone'),
    });
    expect(decision.steps.at(-1)).toEqual({
      check: 'credentials',
      verdict: 'fails',
      reason: 'the API key could not be read',
    });
    expect(JSON.stringify(decision.steps)).not.toContain('the table is gone');
  });

  it('never holds the credential', async () => {
    for (const credential of CREDENTIAL_KINDS) {
      const decision = await decideCase('apiKey', { referer: 'absent', address: 'listed', credential });
      const token = headers[credential][0]?.split(' ')[1];
      if (token !== undefined) expect(JSON.stringify(decision)).not.toContain(token);
    }
  });
});

// The decision: the whole table, settings that let nobody in, and what is asked of the key store.
import { describe, expect, it } from 'vitest';
import { NO_JWTS } from '../../../core/admin/explain/example-jwt.ts';
import { decideCase, headers, keys, verdictOf } from './decide-case.ts';
import {
  DECISION_TABLE,
  REFUSED_BLOCKS,
  SETTINGS_WORDS,
  type TableVerdict,
  USABLE_BLOCKS,
} from './decision-table.ts';
import { decide, requestWith, settingsWith } from './examples.ts';
import { casesOf } from './table-cases.ts';

describe.each(DECISION_TABLE.flatMap((block) => block.settings.map((words) => ({ words, block }))))(
  'a neuron with $words',
  ({ words, block }) => {
    it('decides every kind of request as the table says', async () => {
      const cases = casesOf(block);
      expect(cases).toHaveLength(10 * 4 * 12);
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

  it('denies every request as soon as one setting is false, empty or combined with public', async () => {
    const broken = combinations.filter(
      (access) =>
        (access['public'] === true && Object.keys(access).length > 1) ||
        Object.values(access).some(
          (value) => value === false || (Array.isArray(value) && value.length === 0),
        ),
    );
    // All but the public one and those of the two tables.
    expect(broken).toHaveLength(162 - 1 - 16);
    for (const access of broken) {
      for (const authorizations of [headers.valid, headers.absent]) {
        const request = requestWith({ sourceIp: '198.51.100.1', authorizations });
        const decision = await decide(settingsWith(access), request, { keys, jwt: NO_JWTS });
        expect(['refused', 'not_found'], JSON.stringify(access)).toContain(decision.outcome);
      }
    }
  });
});

describe('a setting without a value', () => {
  it('is absent: it neither closes a public neuron nor opens another', async () => {
    const undefinedKey = { ...settingsWith({}), access: { public: true, apiKey: undefined, jwt: undefined } };
    expect((await decide(undefinedKey, requestWith(), { keys, jwt: NO_JWTS })).outcome).toBe('allow');
    const nothing = { ...settingsWith({}), access: { referers: undefined, ips: undefined } };
    expect(await decide(nothing, requestWith(), { keys, jwt: NO_JWTS })).toMatchObject({
      code: 'access_closed',
    });
  });
});

describe('settings that are not usable', () => {
  const request = requestWith({ authorizations: headers.valid });

  it('refuses an unknown neuron with 404 and the reason of whoever read the settings', async () => {
    const decision = await decide({ outcome: 'not_found', reason: 'the neuron is unknown' }, request, {
      keys,
      jwt: NO_JWTS,
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
      jwt: NO_JWTS,
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

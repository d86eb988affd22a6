// What a decision says of itself: whom it lets in, why it refuses, and every check that it made.
import { describe, expect, it } from 'vitest';
import { decideCase, headers, validKeyId } from './decide-case.ts';
import { CREDENTIAL_KINDS } from './decision-table.ts';

describe('what a decision says', () => {
  it('names whom it admits, by ids, and how the caller was authenticated', async () => {
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
        { check: 'credentials', verdict: 'passes', reason: `the API key ${validKeyId} is valid` },
        { check: 'enabled', verdict: 'allows', reason: 'every check that is enabled has passed' },
      ],
    });
  });

  it('names what is off, in the order of checking', async () => {
    const request = { referer: 'absent', address: 'listed', credential: 'absent' } as const;
    const closed = await decideCase('nothing', request);
    expect(closed.steps.map(({ check, verdict }) => `${check} ${verdict}`)).toEqual([
      'settings passes',
      'public off',
      'referers off',
      'ips off',
      'credentials off',
      'enabled refuses',
    ]);
    const open = await decideCase('public', request);
    expect(open.steps.slice(1)).toEqual([
      { check: 'public', verdict: 'allows', reason: 'the neuron is public' },
    ]);
  });

  it('is no key id where none was checked', async () => {
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
    ['jwt', 'credentials', 'the request carries no Authorization header'],
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

// What apply says of limits beside each other: rules that cannot act, and neurons that let everybody in.
import { describe, expect, it, test } from 'vitest';
import { validateRateLimits, validateUsageLimits } from '../../../../../core/admin/validate/limits/limits.ts';
import { splitDiagnostics } from '../../../../support/split-diagnostics.ts';
import { CLOSED, NOTHING, rules, toNeuron, toOrganization, usage, validate } from './limited-neuron.ts';

/** What is wrong with the usage limits of an organization. */
function validateUsage(text: string) {
  return splitDiagnostics(validateUsageLimits(toOrganization(text)));
}

describe('rules for users', () => {
  test.each(['access: { public: true }', 'access: { ips: [192.0.2.1] }', 'access: {}'])(
    'refuses one where nobody has a name: %s',
    (access) => {
      const { errors } = validate(`${access}\n${rules('requests ip 9 1m', 'requests user 5 1m')}`);
      expect(errors).toEqual([
        'rateLimits[1].scope is user, but nobody who calls this neuron has a username or an API key: access has neither jwt nor apiKey. Use ip or total, or add one of them.',
      ]);
    },
  );

  test.each([
    'access: { apiKey: true }',
    'access: { jwt: { sharedSecret: { secret: s }, usernamePath: sub } }',
    'access: { referers: [a.example.com], apiKey: true }',
  ])('takes one where callers have names: %s', (access) => {
    expect(validate(`${access}\n${rules('requests user 5 1m')}`)).toEqual(NOTHING);
  });

  it('warns of tokens in which nothing names the user', () => {
    const access = 'access: { jwt: { sharedSecret: { secret: s } } }';
    expect(validate(`${access}\n${rules('requests total 9 1m')}`)).toEqual(NOTHING);
    expect(validate(`${access}\n${rules('requests user 5 1m')}`)).toEqual({
      errors: [],
      warnings: [
        'rateLimits[0].scope is user, but access.jwt has no usernamePath, so all callers with a token count as one user. Add usernamePath, such as sub.',
      ],
    });
  });
});

describe('rules with a condition', () => {
  const JWT = 'access: { jwt: { sharedSecret: { secret: s }, usernamePath: sub } }';
  const rule = (limit: number, when = '', scope = 'user') =>
    `{ metric: requests, scope: ${scope}, limit: ${limit}, period: 1m${when} }`;
  const FREE = ', when: { claim: tier, is: [free, trial] }';

  it('stand beside rules for all, and are for less than these', () => {
    expect(validate(`${JWT}\nrateLimits: [${rule(2, FREE)}, ${rule(5)}]`)).toEqual(NOTHING);
    expect(validate(`${JWT}\nrateLimits: [${rule(9, FREE)}, ${rule(5)}]`).errors).toEqual([
      'rateLimits[0] changes nothing: whatever it would refuse, rateLimits[1] (5 requests a user in 1m) refuses too. Remove it, or set its limit below 5 requests.',
    ]);
  });

  it('are refused where nobody has a token', () => {
    expect(validate(`${CLOSED}\nrateLimits: [${rule(2, FREE)}]`).errors).toEqual([
      'rateLimits[0].when is for callers with a claim in their token, but nobody who calls this neuron has one: access has no jwt. Remove it, or add jwt.',
    ]);
  });

  it('are refused twice on one counter, by the same condition in any order', () => {
    const again = ', when: { claim: tier, is: [trial, free] }';
    expect(validate(`${JWT}\nrateLimits: [${rule(2, FREE)}, ${rule(3, again)}]`).errors).toEqual([
      'rateLimits[1] counts on the same counter as rateLimits[0] (2 requests a user in 1m where tier is free or trial), and of two limits on one counter only the smaller can act. Keep that one.',
    ]);
    const other = ', when: { claim: plan, is: [x] }';
    expect(validate(`${JWT}\nrateLimits: [${rule(2, FREE)}, ${rule(3, other)}]`)).toEqual(NOTHING);
  });

  it('change nothing behind a rule for all that is as narrow', () => {
    const { errors } = validate(`${JWT}\nrateLimits: [${rule(5, '', 'total')}, ${rule(7, FREE)}]`);
    expect(errors).toEqual([expect.stringContaining('rateLimits[1] changes nothing')]);
    expect(validate(`${JWT}\nrateLimits: [${rule(5, FREE, 'total')}, ${rule(7)}]`)).toEqual(NOTHING);
  });

  it('bound nothing of what a public neuron may come to', () => {
    const text = `access: { referers: [a.example.com] }\nrateLimits: [${rule(5, FREE, 'total')}]`;
    expect(validate(text).warnings).toEqual([expect.stringContaining('lets everybody in')]);
  });
});

describe('neurons that let everybody in', () => {
  test.each<[string, string]>([
    ['public', 'access: { public: true }'],
    ['public', 'access: { public: true, referers: [a.example.com] }'],
    ['referers', 'access: { referers: [a.example.com] }'],
    ['public', 'access: { public: true }\nrateLimits: []'],
    ['public', `access: { public: true }\n${rules('requests user 5 1m')}`],
  ])('are warned about at %s without a limit on everybody or on addresses: %s', (setting, text) => {
    expect(validate(text).warnings).toEqual([
      `access.${setting} lets everybody in, and no limit of scope total or ip bounds what that may come to. Add one, such as \`rateLimits: [{ metric: requests, scope: ip, limit: 60, period: 1m }]\`.`,
    ]);
  });

  it('are warned about where a setting is spelled out as absent', () => {
    const neuron = toNeuron('access: { referers: [a.example.com] }');
    const access = { ...neuron.access, apiKey: undefined };
    const owner = { organization: 'acme', settings: undefined };
    expect(validateRateLimits({ ...neuron, access }, owner)).toMatchObject([
      { severity: 'warning', path: ['access', 'referers'] },
    ]);
  });

  test.each([
    `access: { public: true }\n${rules('requests total 9 1d')}`,
    `access: { referers: [a.example.com] }\n${rules('tokens ip 9 1d')}`,
    'access: { referers: [a.example.com], apiKey: true }',
    'access: { ips: [192.0.2.1] }',
    'access: { referers: [] }',
    'access: {}',
  ])('are not meant: %s', (text) => {
    expect(validate(text)).toEqual(NOTHING);
  });
});

describe('rules beside each other', () => {
  it('refuses two on one counter', () => {
    expect(validate(`${CLOSED}\n${rules('tokens ip 9 1m', 'requests ip 9 1m', 'requests ip 5 1m')}`)).toEqual(
      {
        errors: [
          'rateLimits[2] counts on the same counter as rateLimits[1] (9 requests an address in 1m), and of two limits on one counter only the smaller can act. Keep that one.',
        ],
        warnings: [],
      },
    );
    expect(validate(`${CLOSED}\n${rules('tokens ip 1 1m', 'tokens ip 5 1m')}`).errors).toEqual([
      expect.stringContaining('as rateLimits[0] (1 token an address in 1m), and'),
    ]);
    expect(validateUsage(usage('cost 5 day', 'cost 7 day')).errors).toMatchObject([
      { path: ['usageLimits', 1] },
    ]);
  });

  test.each<[string, string[]]>([
    ['another metric', ['requests user 5 1m', 'tokens user 5 1m']],
    ['a narrower scope with less', ['requests user 5 1m', 'requests total 6 1m']],
    ['a shorter period with less', ['requests user 5 1m', 'requests user 6 1h']],
    ['as much as fits less one', ['requests user 5 1m', 'requests user 299 1h']],
    ['a narrower scope over a longer period', ['requests user 299 1h', 'requests total 5 1m']],
    ['addresses beside users', ['requests user 5 1m', 'requests ip 5 1m']],
    ['windows that do not lie in each other', ['requests ip 5 15m', 'requests ip 9 10m']],
  ])('takes %s', (_, texts) => {
    expect(validate(`${CLOSED}\n${rules(...texts)}`)).toEqual(NOTHING);
  });

  test.each<[string, string[], string]>([
    [
      'a user rule that leaves more than all have together',
      ['requests user 6 1m', 'requests total 5 1m'],
      'rateLimits[0] changes nothing: whatever it would refuse, rateLimits[1] (5 requests in total in 1m) refuses too. Remove it, or set its limit below 5 requests.',
    ],
    [
      'an equal one',
      ['cost ip 0.5 1m', 'cost total 0.5 1h'],
      'rateLimits[0] changes nothing: whatever it would refuse, rateLimits[1] ($0.5 in total in 1h) refuses too. Remove it, or set its limit below $0.5.',
    ],
    [
      'a short period that leaves as much as a longer one',
      ['tokens user 2000 1m', 'tokens user 2000 1h'],
      'rateLimits[0] changes nothing: whatever it would refuse, rateLimits[1] (2000 tokens a user in 1h) refuses too. Remove it, or set its limit below 2000 tokens.',
    ],
    [
      'a long period that leaves what its short ones add up to',
      ['requests user 5 1m', 'requests user 300 1h'],
      'rateLimits[1] changes nothing: whatever it would refuse, rateLimits[0] (5 requests a user in 1m) refuses too, which lets at most 300 requests through in 1h. Remove it, or set its limit below 300 requests.',
    ],
    [
      'windows that touch two others',
      ['requests ip 5 15m', 'requests ip 10 10m'],
      'rateLimits[1] changes nothing: whatever it would refuse, rateLimits[0] (5 requests an address in 15m) refuses too, which lets at most 10 requests through in 10m. Remove it, or set its limit below 10 requests.',
    ],
  ])('refuses %s', (_, texts, expected) => {
    expect(validate(`${CLOSED}\n${rules(...texts)}`)).toEqual({ errors: [expected], warnings: [] });
  });

  it('only warns where a provider may report more tokens than were reserved, in several windows', () => {
    const { errors, warnings } = validate(
      `${CLOSED}\n${rules('tokens user 2000 1m', 'tokens user 120000 1h')}`,
    );
    expect(errors).toEqual([]);
    expect(warnings).toEqual([
      expect.stringMatching(/^rateLimits\[1\] changes nothing: .* 120000 tokens\.$/),
    ]);
  });

  it('knows that months have up to 31 days', () => {
    expect(validateUsage(usage('requests 10 day', 'requests 309 month'))).toEqual(NOTHING);
    expect(validateUsage(usage('requests 10 day', 'requests 310 month')).errors).toEqual([
      {
        severity: 'error',
        path: ['usageLimits', 1],
        message:
          'changes nothing: whatever it would refuse, usageLimits[0] (10 requests in the organization in 1 day) refuses too, which lets at most 310 requests through in a month. Remove it, or set its limit below 310 requests.',
      },
    ]);
    expect(validateUsage(usage('requests 10 day', 'requests 10 month')).errors).toMatchObject([
      { path: ['usageLimits', 0] },
    ]);
  });

  it('warns where the limits of the organization are the narrower ones, which may change without this neuron', () => {
    const text = `${CLOSED}\n${rules('requests total 100 1d', 'requests user 9 1d')}`;
    expect(validate(text, usage('requests 100 month'))).toEqual({
      errors: [],
      warnings: [
        'rateLimits[0] changes nothing: whatever it would refuse, usageLimits[0] (100 requests in the organization in 1 month) refuses too. Remove it, or set its limit below 100 requests.',
      ],
    });
    expect(validate(text, usage('requests 101 month'))).toEqual(NOTHING);
  });
});

// What apply says of limits of runs at once.
import { describe, expect, it } from 'vitest';
import { validateUsageLimits } from '../../../../../core/admin/validate/limits/limits.ts';
import { neuronSettingsSchema } from '../../../../../core/settings/neuron-schema.ts';
import { organizationSchema } from '../../../../../core/settings/organization-schema.ts';
import { CLOSED, NOTHING, rules, toOrganization, validate } from './limited-neuron.ts';

const at = (...texts: string[]) =>
  `rateLimits: [${texts
    .map((text) => {
      const [scope, limit] = text.split(' ');
      return `{ metric: concurrent, scope: ${scope}, limit: ${limit} }`;
    })
    .join(', ')}]`;

const ofOrganization = (...limits: number[]) =>
  `usageLimits: [${limits.map((limit) => `{ metric: concurrent, limit: ${limit} }`).join(', ')}]`;

const issuesOf = (schema: typeof neuronSettingsSchema | typeof organizationSchema, document: object) => {
  const { error } = schema.safeParse(document);
  return error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? [];
};

describe('a limit of runs at once', () => {
  it('is taken for users, addresses, neurons and organizations, one of each', () => {
    expect(validate(`${CLOSED}\n${at('user 2', 'ip 3', 'total 9')}`, ofOrganization(50))).toEqual(NOTHING);
  });

  it.each([
    [
      { metric: 'concurrent', scope: 'total', limit: 1, period: '1m' },
      'rateLimits.0 has the unknown member period',
    ],
    [{ metric: 'concurrent', limit: 1 }, 'rateLimits.0.scope must be total, ip or user'],
    [
      { metric: 'concurrent', scope: 'total', limit: 0 },
      'rateLimits.0.limit must be a whole number from 1 to 100000',
    ],
    [
      { metric: 'concurrent', scope: 'ip', limit: 100_001 },
      'rateLimits.0.limit must be a whole number from 1 to 100000',
    ],
    [
      { metric: 'parallel', scope: 'ip', limit: 1 },
      'rateLimits.0.metric "parallel" is no metric: choose requests, tokens, cost or concurrent',
    ],
  ])('refuses %j', (rule, expected) => {
    const [issue] = issuesOf(neuronSettingsSchema, { neuron: 'acme/a', rateLimits: [rule] });
    expect(issue).toContain(expected);
  });

  it.each([
    [{ metric: 'concurrent', limit: 1, period: 'day' }, 'usageLimits.0 has the unknown member period'],
    [{ metric: 'concurrent', limit: 1, scope: 'total' }, 'usageLimits.0 has the unknown member scope'],
    [{ metric: 'concurrent', limit: 1.5 }, 'usageLimits.0.limit must be a whole number from 1 to 100000'],
  ])('of an organization refuses %j', (rule, expected) => {
    const [issue] = issuesOf(organizationSchema, { organization: 'acme', usageLimits: [rule] });
    expect(issue).toContain(expected);
  });

  it('refuses one for users where nobody has a name', () => {
    expect(validate(`access: { public: true }\n${at('user 2', 'ip 1')}`).errors).toEqual([
      expect.stringContaining('rateLimits[0].scope is user, but nobody who calls this neuron has a username'),
    ]);
  });

  it('refuses two on one counter', () => {
    expect(validate(`${CLOSED}\n${at('user 2', 'user 3')}`).errors).toEqual([
      'rateLimits[1] counts on the same counter as rateLimits[0] (2 runs at once a user), and of two limits on one counter only the smaller can act. Keep that one.',
    ]);
    expect(validateUsageLimits(toOrganization(ofOrganization(2, 1)))).toMatchObject([
      { message: expect.stringContaining('usageLimits[0] (2 runs at once in the organization)') },
    ]);
  });

  it('refuses one beside which a wider one always refuses as early', () => {
    const message = (limit: string, most: string) =>
      `rateLimits[0] changes nothing: whatever it would refuse, rateLimits[1] (${limit} in total) refuses too. Remove it, or set its limit below ${most}.`;
    expect(validate(`${CLOSED}\n${at('user 1', 'total 1')}`).errors).toEqual([
      message('1 run at once', '1 run at once'),
    ]);
    expect(validate(`${CLOSED}\n${at('ip 5', 'total 4')}`).errors).toEqual([
      message('4 runs at once', '4 runs at once'),
    ]);
    expect(validate(`${CLOSED}\n${at('ip 3', 'total 4')}`)).toEqual(NOTHING);
  });

  it('warns of one that the organization’s makes redundant', () => {
    expect(validate(`${CLOSED}\n${at('total 50')}`, ofOrganization(50))).toEqual({
      errors: [],
      warnings: [
        'rateLimits[0] changes nothing: whatever it would refuse, usageLimits[0] (50 runs at once in the organization) refuses too. Remove it, or set its limit below 50 runs at once.',
      ],
    });
  });

  it('is compared with no other metric', () => {
    const both =
      'rateLimits: [{ metric: concurrent, scope: user, limit: 9 }, { metric: requests, scope: total, limit: 1, period: 1m }]';
    expect(validate(`${CLOSED}\n${both}`)).toEqual(NOTHING);
  });

  it('leaves room for every call, whatever it costs', () => {
    const flow = 'flow: [{ callModel: { provider: demo, model: m, maxTokens: 4000 } }]';
    const priced = 'prices: { demo/m: { input: 5, output: 15 } }';
    expect(validate(`${CLOSED}\n${at('total 1')}\n${flow}`, priced)).toEqual(NOTHING);
  });

  it('does not bound what everybody together may come to', () => {
    const open = 'access: { public: true }';
    expect(validate(`${open}\n${at('ip 1', 'total 3')}`).warnings).toEqual([
      expect.stringContaining('no limit of scope total or ip bounds what that may come to'),
    ]);
    expect(validate(`${open}\n${rules('requests ip 9 1m')}`).warnings).toEqual([]);
  });
});

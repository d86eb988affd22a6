// Claims by which limits choose callers, and names that a token may not have.
import { describe, expect, it } from 'vitest';
import { verifyJwt } from '../../../core/access/jwt.ts';
import { conditionId } from '../../../core/settings/access-schema.ts';
import { NOW } from './examples.ts';
import { BY_SECRET, methodOf, verifyText } from './jwt-neuron.ts';
import { CLAIMS, portsWithSecrets, signWithSecret } from './tokens.ts';

describe('conditions of limits', () => {
  const CONDITIONS = [
    { claim: 'tier', is: ['free', 'trial'] },
    { claim: 'https://example.com/plan', is: ['a'] },
    { claim: 'constructor', is: ['x'] },
  ];
  const check = (claims: object) =>
    verifyJwt(
      {
        text: signWithSecret({ ...CLAIMS, ...claims }),
        method: methodOf(BY_SECRET),
        conditions: CONDITIONS,
        organizationId: 'org-acme',
        timeMs: NOW,
      },
      portsWithSecrets(),
    );

  it.each([
    [{ tier: 'free' }, [0]],
    [{ tier: 'trial', 'https://example.com/plan': 'a' }, [0, 1]],
    [{ constructor: 'x' }, [2]],
  ])('are fulfilled by a text among theirs: %j', async (claims, expected) => {
    expect(await check(claims)).toMatchObject({
      outcome: 'valid',
      conditions: expected.map((index) => conditionId(CONDITIONS[index]!)),
    });
  });

  it.each([
    {},
    { tier: 'pro' },
    { tier: 'FREE' },
    { tier: ' free' },
    { tier: ['free'] },
    { tier: { free: true } },
    { tier: 1 },
    { tier: null },
    { realm: { tier: 'free' } },
  ])('are not fulfilled by %j', async (claims) => {
    expect(await check(claims)).not.toHaveProperty('conditions');
  });

  it('are named to the operator, by their claims', async () => {
    const notes: string[] = [];
    const text = signWithSecret({ ...CLAIMS, tier: 'free' });
    const presented = { text, conditions: CONDITIONS, organizationId: 'org-acme', timeMs: NOW };
    await verifyJwt({ ...presented, method: methodOf(BY_SECRET) }, portsWithSecrets(), (note) =>
      notes.push(note),
    );
    expect(notes.at(-1)).toBe('limits for its claim tier hold');
  });

  it('are not asked of a token that is not valid', async () => {
    const result = await check({ tier: 'free', exp: 1 });
    expect(result).toMatchObject({ outcome: 'invalid' });
    expect(result).not.toHaveProperty('conditions');
  });
});

it("takes no username that is the form of a key's end users", async () => {
  const jwt = { ...BY_SECRET, usernamePath: 'sub' };
  const nameOf = async (sub: string) =>
    ((await verifyText(signWithSecret({ ...CLAIMS, sub }), jwt, portsWithSecrets())) as { username?: string })
      .username;
  expect(await nameOf('nrn_0123456789ab/ada')).toBeUndefined();
  expect(await nameOf('nrn_0123456789a/ada')).toBe('nrn_0123456789a/ada');
  expect(await nameOf('xnrn_0123456789ab/ada')).toBe('xnrn_0123456789ab/ada');
});

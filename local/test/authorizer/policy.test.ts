// Policies of Lambda authorizers. Expected: IAM User Guide, "Policy evaluation logic" and "IAM JSON policy elements".
import { describe, expect, it } from 'vitest';
import { evaluatePolicy, matches, readPolicy } from '../../authorizer/policy.ts';

const ARN = 'arn:aws:execute-api:eu-west-1:123456789012:api/test/POST/acme/hello';

const statement = (Effect: string, Resource: unknown, Action: unknown = 'execute-api:Invoke') => ({
  Effect,
  Action,
  Resource,
});

function decide(...statements: unknown[]): string {
  const policy = readPolicy({ Version: '2012-10-17', Statement: statements });
  return policy === undefined ? 'unusable' : evaluatePolicy(policy, ARN);
}

describe('a policy', () => {
  it.each([
    ['the very method', ARN],
    ['everything', '*'],
    ['every method of the stage', 'arn:aws:execute-api:eu-west-1:123456789012:api/test/*'],
    ['a wildcard in the middle', 'arn:aws:execute-api:*:123456789012:api/*/POST/*/hello'],
    ['one character', 'arn:aws:execute-api:eu-west-1:123456789012:api/test/POST/acm?/hello'],
    ['one of a list', ['arn:aws:execute-api:x', ARN]],
  ])('allows %s', (_name, resource) => {
    expect(decide(statement('Allow', resource))).toBe('allow');
  });

  it.each([
    ['another method', statement('Allow', ARN.replace('POST', 'GET'))],
    ['a longer path', statement('Allow', `${ARN}/more`)],
    ['a shorter path', statement('Allow', ARN.slice(0, -1))],
    ['another action', statement('Allow', '*', 'execute-api:ManageConnections')],
    ['another case', statement('Allow', ARN.toUpperCase())],
  ])('does not allow %s', (_name, policy) => {
    expect(decide(policy)).toBe('implicit deny');
  });

  it.each([
    'execute-api:Invoke',
    'execute-api:*',
    '*',
    'EXECUTE-API:invoke',
    ['s3:GetObject', 'execute-api:Inv*'],
  ])('accepts the action %s', (action) => {
    expect(decide(statement('Allow', '*', action))).toBe('allow');
  });

  it('denies when one statement denies, whatever the others allow', () => {
    expect(decide(statement('Allow', '*'), statement('Deny', ARN), statement('Allow', ARN))).toBe(
      'explicit deny',
    );
    expect(decide(statement('Deny', '*/GET/*'), statement('Allow', '*'))).toBe('allow');
  });

  it('denies without an Allow statement', () => {
    expect(decide()).toBe('implicit deny');
  });

  it.each([
    ['no object', 'Allow'],
    ['no version', { Statement: [statement('Allow', '*')] }],
    ['another version', { Version: '2020-01-01', Statement: [statement('Allow', '*')] }],
    ['no statement', { Version: '2012-10-17' }],
    ['another effect', { Version: '2012-10-17', Statement: [statement('allow', '*')] }],
    ['no resource', { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: '*' }] }],
    ['a resource that is no text', { Version: '2012-10-17', Statement: [statement('Allow', 5)] }],
    ['an empty list', { Version: '2012-10-17', Statement: [statement('Allow', [])] }],
    [
      'a resource of 513 characters',
      { Version: '2012-10-17', Statement: [statement('Allow', 'x'.repeat(513))] },
    ],
    [
      'a condition, which is not evaluated here',
      { Version: '2012-10-17', Statement: [{ ...statement('Allow', '*'), Condition: { IpAddress: {} } }] },
    ],
    ['NotAction', { Version: '2012-10-17', Statement: [{ Effect: 'Allow', NotAction: 'x', Resource: '*' }] }],
  ])('refuses %s', (_name, policy) => {
    expect(readPolicy(policy)).toBeUndefined();
  });

  it('may have a single statement without a list', () => {
    expect(readPolicy({ Version: '2012-10-17', Statement: statement('Allow', '*') })).toBeDefined();
  });
});

describe('matching', () => {
  it.each([
    ['a*b*c', 'aXXbYYc', true],
    ['a*b*c', 'aXXbYY', false],
    ['*', '', true],
    ['**', 'x', true],
    ['?', '', false],
    ['a*', 'a', true],
    ['*a*a*a*', 'a'.repeat(20_000), true],
  ])('%s', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  it('needs no more than pattern times text for the worst pattern', () => {
    expect(matches(`${'*a'.repeat(200)}b`, 'a'.repeat(1_600))).toBe(false);
  });
});

// Outputs of Lambda authorizers. Expected: API Gateway Developer Guide, "Output from an API Gateway Lambda authorizer".
import { describe, expect, it } from 'vitest';
import { readAuthorizerResult } from '../../authorizer/index.ts';

const policyDocument = {
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource: '*' }],
};
const read = (value: unknown) => readAuthorizerResult(Buffer.from(JSON.stringify(value)));

describe('an output', () => {
  it('has all context values as text', () => {
    const context = { text: 'a', number: 1.5, yes: true, no: false, empty: '' };
    expect(read({ principalId: 'p', policyDocument, context, usageIdentifierKey: 'k' })).toMatchObject({
      principalId: 'p',
      context: { text: 'a', number: '1.5', yes: 'true', no: 'false', empty: '' },
    });
  });

  it('needs no context', () => {
    expect(read({ principalId: 'p', policyDocument })?.context).toEqual({});
  });

  it.each([
    ['null', null],
    ['text', 'Allow'],
    ['no principal', { policyDocument }],
    ['an empty principal', { principalId: '', policyDocument }],
    ['a principal that is no text', { principalId: 5, policyDocument }],
    ['no policy', { principalId: 'p' }],
    ['a policy as text', { principalId: 'p', policyDocument: JSON.stringify(policyDocument) }],
    ['an object in the context', { principalId: 'p', policyDocument, context: { a: { b: 1 } } }],
    ['a list in the context', { principalId: 'p', policyDocument, context: { a: [1] } }],
    ['null in the context', { principalId: 'p', policyDocument, context: { a: null } }],
    ['a context that is a list', { principalId: 'p', policyDocument, context: ['a'] }],
  ])('refuses %s', (_name, output) => {
    expect(read(output)).toBeUndefined();
  });

  it('refuses invalid JSON', () => {
    expect(readAuthorizerResult(Buffer.from('Allow'))).toBeUndefined();
  });
});

// Decisions as policies: what API Gateway evaluates, and what it passes on.
import { describe, expect, it } from 'vitest';
import { allowPolicy } from '../../../adapters/apigateway/policy.ts';

const STAGE = 'arn:aws:execute-api:eu-central-1:123456789012:a1b2c3d4e5/prod';

describe('an Allow', () => {
  it('is for the stage, with the context', () => {
    expect(allowPolicy(`${STAGE}/POST/acme/hello`, { outcome: 'not_found' })).toEqual({
      principalId: 'caller',
      policyDocument: {
        Version: '2012-10-17',
        Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: `${STAGE}/*` }],
      },
      context: { outcome: 'not_found' },
    });
  });

  it.each(['/POST/acme/*', '/POST/a/b/c/d', '/POST/acme/..%2f..', '/POST//acme/hello', '/OPTIONS/a/?b'])(
    'holds nothing of the path %s, which the caller wrote',
    (path) => {
      const [statement] = allowPolicy(STAGE + path, { outcome: 'not_found' }).policyDocument.Statement;
      expect(statement).toMatchObject({ Resource: `${STAGE}/*` });
    },
  );
});

describe('a denial', () => {
  it('is an Allow with its code, which the execution function answers', () => {
    const { policyDocument, context } = allowPolicy(`${STAGE}/POST/acme/hello`, {
      outcome: 'denied',
      code: 'ip_not_allowed',
    });
    expect(policyDocument.Statement).toEqual([
      { Action: 'execute-api:Invoke', Effect: 'Allow', Resource: `${STAGE}/*` },
    ]);
    expect(context).toEqual({ outcome: 'denied', code: 'ip_not_allowed' });
  });
});

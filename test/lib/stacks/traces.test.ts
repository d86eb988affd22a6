// The traces function is in a stage that names an endpoint, reads the stream of the log alone, and is in no other stage.
import { describe, expect, it } from 'vitest';
import { resourcesOf, synthesize } from '../synthesized.ts';

const ENDPOINT = 'https://otlp.example.com/v1/traces';

const SECRET_ARN = 'arn:aws:secretsmanager:us-east-1:111122223333:secret:otlp';

interface Statement {
  readonly Action: unknown;
  readonly Resource: unknown;
}

describe('traces', () => {
  it('are sent by a function of their own, which knows the endpoint and reads the stream from its end', () => {
    const { api } = synthesize('dev', { traces: { endpoint: ENDPOINT } });
    const [[id, traces] = ['', undefined], ...others] = resourcesOf(api, 'AWS::Lambda::Function').filter(
      ([name]) => name.startsWith('Traces'),
    );
    expect(others).toEqual([]);
    expect(traces?.Properties['Environment']).toEqual({
      Variables: expect.objectContaining({ NEURON_STAGE: 'dev', TRACES_ENDPOINT: ENDPOINT }),
    });
    const mappings = resourcesOf(api, 'AWS::Lambda::EventSourceMapping').filter(([name]) =>
      name.startsWith('Traces'),
    );
    expect(mappings.map(([, { Properties }]) => Properties)).toEqual([
      expect.objectContaining({
        FunctionName: { Ref: id },
        StartingPosition: 'LATEST',
        MaximumRetryAttempts: 1,
      }),
    ]);
    const policies = JSON.stringify(
      resourcesOf(api, 'AWS::IAM::Policy').filter(([name]) => name.startsWith('Traces')),
    );
    expect(policies).toContain('dynamodb:GetRecords');
    expect(policies).not.toMatch(/PutItem|UpdateItem|dynamodb:Query|secretsmanager/);
  });

  it.each([
    ['otlp/headers', 'otlp/headers-??????'],
    [`${SECRET_ARN}-AbCdEf`, `${SECRET_ARN}-AbCdEf`],
  ])('read the headers for the endpoint from the secret %s, and no other', (headersSecret, resource) => {
    const { api } = synthesize('dev', { traces: { endpoint: ENDPOINT, headersSecret } });
    const [[, traces] = ['', undefined]] = resourcesOf(api, 'AWS::Lambda::Function').filter(([name]) =>
      name.startsWith('Traces'),
    );
    expect(traces?.Properties['Environment']).toEqual({
      Variables: expect.objectContaining({ TRACES_HEADERS_SECRET: headersSecret, TRACES_CONTENT: 'off' }),
    });
    const statements = resourcesOf(api, 'AWS::IAM::Policy')
      .filter(([name]) => name.startsWith('Traces'))
      .flatMap(([, { Properties }]) => (Properties['PolicyDocument'] as { Statement: Statement[] }).Statement)
      .filter(({ Action }) => JSON.stringify(Action).includes('secretsmanager'));
    expect(statements).toHaveLength(1);
    expect(statements[0]?.Action).toBe('secretsmanager:GetSecretValue');
    expect(JSON.stringify(statements[0]?.Resource)).toContain(resource);
  });

  it.each([
    [{}, 5],
    [{ reservedConcurrency: { traces: 7 } }, 7],
  ])(
    'never take the whole concurrency of the account in production: %j reserves %d',
    (settings, reserved) => {
      const { api } = synthesize('prod', { traces: { endpoint: ENDPOINT }, ...settings });
      const [[, traces] = ['', undefined]] = resourcesOf(api, 'AWS::Lambda::Function').filter(([name]) =>
        name.startsWith('Traces'),
      );
      expect(traces?.Properties['ReservedConcurrentExecutions']).toBe(reserved);
    },
  );

  it('have what was said only where the stage says so', () => {
    const contentOf = (content?: boolean) =>
      JSON.stringify(
        synthesize('dev', { traces: { endpoint: ENDPOINT, ...(content === undefined ? {} : { content }) } })
          .api,
      ).match(/"TRACES_CONTENT":"(\w+)"/)?.[1];
    expect([contentOf(), contentOf(false), contentOf(true)]).toEqual(['off', 'off', 'on']);
  });

  it('are no part of a stage without an endpoint', () => {
    const { api } = synthesize('dev');
    expect(Object.keys(api.Resources).filter((name) => name.startsWith('Traces'))).toEqual([]);
    expect(JSON.stringify(api)).not.toContain('TRACES_ENDPOINT');
  });
});

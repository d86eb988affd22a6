// The traces function is in a stage that names an endpoint, reads the stream of the log alone, and is in no other stage.
import { describe, expect, it } from 'vitest';
import { resourcesOf, synthesize } from '../synthesized.ts';

const ENDPOINT = 'https://otlp.example.com/v1/traces';

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

  it('are no part of a stage without an endpoint', () => {
    const { api } = synthesize('dev');
    expect(Object.keys(api.Resources).filter((name) => name.startsWith('Traces'))).toEqual([]);
    expect(JSON.stringify(api)).not.toContain('TRACES_ENDPOINT');
  });
});

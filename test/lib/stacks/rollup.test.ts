// The rollup function on the log table's stream.
import { describe, expect, it } from 'vitest';
import { onlyResource, resourcesOf, synthesize } from '../synthesized.ts';

const { api } = synthesize('dev');
const limited = synthesize('dev', { reservedConcurrency: { authorizer: 50, execution: 100, rollup: 4 } });
const rollup = resourcesOf(api, 'AWS::Lambda::Function').find(([id]) => id.startsWith('Rollup'))![1];

describe('the rollup function', () => {
  it('receives every new log entry, and no deletions', () => {
    const { Properties } = onlyResource(api, 'AWS::Lambda::EventSourceMapping');
    expect(Properties).toMatchObject({
      EventSourceArn: { 'Fn::ImportValue': expect.stringContaining('LogsTableStreamArn') },
      FunctionName: { Ref: expect.stringMatching(/^RollupServiceFunction/) },
      FilterCriteria: { Filters: [{ Pattern: '{"eventName":["INSERT"]}' }] },
      StartingPosition: 'TRIM_HORIZON',
    });
  });

  it('retries only the failed rest of a batch, for half of the retention of the stream', () => {
    const { Properties } = onlyResource(api, 'AWS::Lambda::EventSourceMapping');
    expect(Properties).toMatchObject({
      BatchSize: 100,
      MaximumBatchingWindowInSeconds: 5,
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRecordAgeInSeconds: 43_200,
    });
    expect(Properties['MaximumRetryAttempts']).toBeUndefined();
  });

  it('keeps whole batches that Lambda gives up, for two weeks, and can neither read nor delete them', () => {
    const { Properties } = onlyResource(api, 'AWS::Lambda::EventSourceMapping');
    const [[bucketId, bucket] = ['', undefined]] = resourcesOf(api, 'AWS::S3::Bucket');
    expect(Properties).toMatchObject({
      DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': [bucketId, 'Arn'] } } },
      MetricsConfig: { Metrics: ['EventCount'] },
    });
    expect(bucket?.Properties).toMatchObject({
      LifecycleConfiguration: { Rules: [{ ExpirationInDays: 14, Status: 'Enabled' }] },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
    });
    const [, policy] = resourcesOf(api, 'AWS::IAM::Policy').find(([id]) => id.startsWith('RollupService'))!;
    const { Statement } = policy.Properties['PolicyDocument'] as {
      readonly Statement: readonly { readonly Action: unknown; readonly Sid?: string }[];
    };
    expect(
      Statement.filter(({ Action }) => JSON.stringify(Action).includes('s3:')).map(({ Action }) => Action),
    ).toEqual(['s3:PutObject', 's3:ListBucket']);
    expect(resourcesOf(synthesize('prod').api, 'AWS::S3::Bucket')[0]?.[1].DeletionPolicy).toBe(
      'RetainExceptOnCreate',
    );
  });

  it('is not run again by Lambda after a scheduled run that failed, nor after a minute', () => {
    const configs = resourcesOf(api, 'AWS::Lambda::EventInvokeConfig').map(([id, { Properties }]) => [
      id.slice(0, 6),
      Properties['MaximumRetryAttempts'],
      Properties['MaximumEventAgeInSeconds'],
    ]);
    expect(configs).toEqual([
      ['Rollup', 0, 60],
      ['Rollou', 0, 60],
      ['HeadWr', undefined, 7200],
    ]);
  });

  it('has variables for its stage, its tables and the event bus only', () => {
    const { Variables } = rollup.Properties['Environment'] as { Variables: object };
    expect(Object.keys(Variables).sort()).toEqual([
      'ALERT_EVENT_BUS',
      'CONFIG_TABLE',
      'COUNTERS_TABLE',
      'KEYS_TABLE',
      'NEURON_STAGE',
      'SETTINGS_TTL_MS',
      'USAGE_TABLE',
    ]);
    expect(rollup.Properties['Timeout']).toBe(60);
  });

  it('has reserved concurrency where the stage sets it', () => {
    const reserved = resourcesOf(limited.api, 'AWS::Lambda::Function').map(
      ([id, { Properties }]) => [id.slice(0, 6), Properties['ReservedConcurrentExecutions']] as const,
    );
    expect(Object.fromEntries(reserved)).toMatchObject({ Rollup: 4 });
    expect(rollup.Properties['ReservedConcurrentExecutions']).toBeUndefined();
  });
});

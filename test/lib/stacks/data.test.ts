// The data stack: what the tables are, and what must never change about them.
import { describe, expect, it } from 'vitest';
import { type Resource, resourcesOf, synthesize } from '../synthesized.ts';

const dev = synthesize('dev').data;
const prod = synthesize('prod').data;

function table(id: string, template = dev): Resource {
  const resource = template.Resources[id];
  if (resource === undefined) throw new Error(`no table ${id}`);
  return resource;
}

function replica(id: string, template = dev): Record<string, unknown> {
  return (table(id, template).Properties['Replicas'] as Record<string, unknown>[])[0]!;
}

const hash = (name: string) => ({ AttributeName: name, KeyType: 'HASH' });
const range = (name: string) => ({ AttributeName: name, KeyType: 'RANGE' });

describe('the data stack', () => {
  it('has six tables with frozen logical ids, and nothing else', () => {
    expect(Object.entries(dev.Resources).map(([id, { Type }]) => [id, Type])).toEqual([
      ['ConfigTable', 'AWS::DynamoDB::GlobalTable'],
      ['KeysTable', 'AWS::DynamoDB::GlobalTable'],
      ['CountersTable', 'AWS::DynamoDB::GlobalTable'],
      ['CacheTable', 'AWS::DynamoDB::GlobalTable'],
      ['LogsTable', 'AWS::DynamoDB::GlobalTable'],
      ['UsageTable', 'AWS::DynamoDB::GlobalTable'],
    ]);
    expect(Object.keys(prod.Resources)).toEqual(Object.keys(dev.Resources));
  });

  it('uses on-demand capacity and leaves table names to CloudFormation, so that two stacks never collide', () => {
    for (const [, { Properties }] of resourcesOf(dev, 'AWS::DynamoDB::GlobalTable')) {
      expect(Properties['BillingMode']).toBe('PAY_PER_REQUEST');
      expect(Properties).not.toHaveProperty('TableName');
    }
  });

  it.each([
    ['ConfigTable', [hash('pk'), range('sk')]],
    ['KeysTable', [hash('pk')]],
    ['CountersTable', [hash('pk')]],
    ['CacheTable', [hash('pk')]],
    ['LogsTable', [hash('pk'), range('sk')]],
    ['UsageTable', [hash('pk'), range('sk')]],
  ])('keys %s as the stores do', (id, keys) => {
    expect(table(id).Properties['KeySchema']).toEqual(keys);
  });

  it.each([
    ['KeysTable', [['byOrganization1', [hash('organizationId'), range('keyId')], 'INCLUDE']]],
    [
      'LogsTable',
      [
        ['byOrganization1', [hash('organizationHour'), range('sk')], 'INCLUDE'],
        ['byUsername1', [hash('usernameHour'), range('sk')], 'INCLUDE'],
        ['byFailure1', [hash('failureHour'), range('sk')], 'INCLUDE'],
        ['byExecution1', [hash('executionId')], 'KEYS_ONLY'],
      ],
    ],
    ['ConfigTable', undefined],
    ['CountersTable', undefined],
    ['CacheTable', undefined],
    ['UsageTable', undefined],
  ])('indexes %s', (id, expected) => {
    const indexes = table(id).Properties['GlobalSecondaryIndexes'] as
      | { IndexName: string; KeySchema: unknown; Projection: { ProjectionType: string } }[]
      | undefined;
    expect(
      indexes?.map((index) => [index.IndexName, index.KeySchema, index.Projection.ProjectionType]),
    ).toEqual(expected);
  });

  it('expires items of counters, cache, logs and usage by expiresAt', () => {
    const ended = resourcesOf(dev, 'AWS::DynamoDB::GlobalTable').flatMap(([id, { Properties }]) =>
      Properties['TimeToLiveSpecification'] === undefined
        ? []
        : [[id, Properties['TimeToLiveSpecification']]],
    );
    const byExpiry = { AttributeName: 'expiresAt', Enabled: true };
    expect(ended).toEqual([
      ['CountersTable', byExpiry],
      ['CacheTable', byExpiry],
      ['LogsTable', byExpiry],
      ['UsageTable', byExpiry],
    ]);
  });

  it('streams new log entries, and nothing else', () => {
    const streams = resourcesOf(dev, 'AWS::DynamoDB::GlobalTable').flatMap(([id, { Properties }]) =>
      Properties['StreamSpecification'] === undefined ? [] : [[id, Properties['StreamSpecification']]],
    );
    expect(streams).toEqual([['LogsTable', { StreamViewType: 'NEW_IMAGE' }]]);
  });

  it('declares the vector index with the cache, partitioned by scope', () => {
    expect(table('CacheTable').Properties['VectorIndexes']).toEqual([
      {
        IndexName: 'semantic1',
        VectorAttribute: { AttributeName: 'vector' },
        SearchSchema: [{ AttributeName: 'scope', SearchSchemaElementType: 'HASH' }],
        Projection: { ProjectionType: 'KEYS_ONLY' },
        Dimensions: 512,
        DistanceFunction: 'COSINE',
      },
    ]);
    expect(table('CacheTable').Properties['AttributeDefinitions']).toEqual([
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'scope', AttributeType: 'S' },
    ]);
  });

  it.each(['ConfigTable', 'KeysTable', 'LogsTable', 'UsageTable'])('protects %s in production only', (id) => {
    expect(table(id, prod)).toMatchObject({
      // What a failed first deployment made is removed with it; later the table outlives the stack.
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
    });
    expect(replica(id, prod)).toMatchObject({
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
    expect(table(id)).toMatchObject({ DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' });
    expect(replica(id)).toMatchObject({
      DeletionProtectionEnabled: false,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false },
    });
  });

  it.each(['CountersTable', 'CacheTable'])('retains nothing of %s, not even in production', (id) => {
    expect(table(id, prod).DeletionPolicy).toBe('Delete');
    expect(replica(id, prod)).toMatchObject({
      DeletionProtectionEnabled: false,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false },
    });
  });
});

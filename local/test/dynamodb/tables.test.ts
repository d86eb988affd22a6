// Tests of making tables and of bringing stored ones up to date, on the engine itself.
import { describe, expect, it } from 'vitest';
import { applyTable, startTestEngine } from './start-test-engine.ts';

const dynoxide = await startTestEngine('dynoxide');
const dynalite = await startTestEngine('dynalite');

const attributes = (...names: readonly string[]) =>
  ['id', ...names].map((AttributeName) => ({ AttributeName, AttributeType: 'S' }));
const index = (IndexName: string, attribute: string, projection: object = { ProjectionType: 'ALL' }) => ({
  IndexName,
  KeySchema: [{ AttributeName: attribute, KeyType: 'HASH' }],
  Projection: projection,
});
const VECTORS = [
  {
    IndexName: 'byMeaning',
    VectorAttribute: { AttributeName: 'vector' },
    SearchSchema: [{ AttributeName: 'scope', SearchSchemaElementType: 'HASH' }],
    Projection: { ProjectionType: 'KEYS_ONLY' },
    Dimensions: 3,
    DistanceFunction: 'COSINE',
  },
];

async function apply(name: string, properties: object = {}, engine = dynoxide): Promise<readonly string[]> {
  const lines = await applyTable(name, properties, engine);
  return lines.map((line) => line.replace(`table ${name}: `, ''));
}

const describeTable = async (name: string) => {
  const { Table } = await dynoxide.call<{ Table: Record<string, unknown> }>('DescribeTable', {
    TableName: name,
  });
  return Table;
};

describe('applyTables', () => {
  it('creates a table with its indexes, stream, time to live, vector index and protection', async () => {
    await apply('whole', {
      AttributeDefinitions: attributes('user', 'scope'),
      GlobalSecondaryIndexes: [index('byUser', 'user')],
      StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
      TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
      VectorIndexes: VECTORS,
      DeletionProtectionEnabled: true,
    });
    expect(await describeTable('whole')).toMatchObject({
      GlobalSecondaryIndexes: [{ IndexName: 'byUser' }],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
      VectorIndexes: [{ IndexName: 'byMeaning', Dimensions: 3 }],
      DeletionProtectionEnabled: true,
    });
    const { TimeToLiveDescription } = await dynoxide.call('DescribeTimeToLive', { TableName: 'whole' });
    expect(TimeToLiveDescription).toMatchObject({ AttributeName: 'expires', TimeToLiveStatus: 'ENABLED' });
  });

  it('leaves a table unchanged that matches the template', async () => {
    const properties = {
      AttributeDefinitions: attributes('user', 'scope'),
      GlobalSecondaryIndexes: [
        index('byUser', 'user', { ProjectionType: 'INCLUDE', NonKeyAttributes: ['b', 'a'] }),
      ],
      StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
      TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
      VectorIndexes: VECTORS,
    };
    await apply('same', properties);
    expect(await apply('same', properties)).toEqual([]);
  });

  it('adds and removes indexes, and fills a new one with existing items', async () => {
    await apply('indexed', {
      AttributeDefinitions: attributes('a'),
      GlobalSecondaryIndexes: [index('byA', 'a')],
    });
    const Item = { id: { S: '1' }, a: { S: 'x' }, b: { S: 'y' } };
    await dynoxide.call('PutItem', { TableName: 'indexed', Item });
    const lines = await apply('indexed', {
      AttributeDefinitions: attributes('b'),
      GlobalSecondaryIndexes: [index('byB', 'b')],
    });
    expect(lines).toEqual(['index byA removed', 'index byB added']);
    const query = (IndexName: string, name: string, value: string) =>
      dynoxide.call('Query', {
        TableName: 'indexed',
        IndexName,
        KeyConditionExpression: `${name} = :value`,
        ExpressionAttributeValues: { ':value': { S: value } },
      });
    expect(await query('byB', 'b', 'y')).toMatchObject({ Count: 1 });
    await expect(query('byA', 'a', 'x')).rejects.toThrow('does not have the specified index');
  });

  it('switches stream, time to live, vector index and protection', async () => {
    await apply('switched', {
      AttributeDefinitions: attributes('scope'),
      StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
      TimeToLiveSpecification: { AttributeName: 'one', Enabled: true },
      VectorIndexes: VECTORS,
    });
    const lines = await apply('switched', {
      StreamSpecification: { StreamViewType: 'KEYS_ONLY' },
      TimeToLiveSpecification: { AttributeName: 'two', Enabled: true },
      DeletionProtectionEnabled: true,
    });
    expect(lines).toEqual([
      'vector index byMeaning removed',
      'stream off',
      'stream on (KEYS_ONLY)',
      'deletion protection on',
      'time to live off (one)',
      'time to live on (two)',
    ]);
    expect(await apply('switched')).toEqual([
      'stream off',
      'deletion protection off',
      'time to live off (two)',
    ]);
  });

  it.each([
    ['another key', { KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }] }, 'its key has changed'],
    [
      'another type of its key',
      {
        AttributeDefinitions: [
          { AttributeName: 'id', AttributeType: 'N' },
          { AttributeName: 'a', AttributeType: 'S' },
        ],
      },
      'its key has changed',
    ],
    [
      'another projection of an index',
      { GlobalSecondaryIndexes: [index('byA', 'a', { ProjectionType: 'KEYS_ONLY' })] },
      'the index byA has another key or projection; give the new one another name',
    ],
    [
      'another number of dimensions',
      {
        AttributeDefinitions: attributes('a', 'scope'),
        VectorIndexes: [{ ...VECTORS[0], Dimensions: 4 }],
      },
      'the vector index byMeaning has changed; give the new one another name',
    ],
  ])('refuses %s, says what to do, and changes nothing', async (_what, properties, refusal) => {
    const before = {
      AttributeDefinitions: attributes('a', 'scope'),
      GlobalSecondaryIndexes: [index('byA', 'a')],
      VectorIndexes: VECTORS,
    };
    await apply('refused', before);
    await expect(
      apply('refused', { ...before, DeletionProtectionEnabled: true, ...properties }),
    ).rejects.toThrow(
      expect.objectContaining({
        code: 'TABLE_NOT_CHANGEABLE',
        message: expect.stringContaining(`refused: ${refusal}`),
      }),
    );
    expect(await apply('refused', before)).toEqual([]);
  });

  it('reads a global table, whose protection is that of the replica of this region', async () => {
    const replica = (Region: string, DeletionProtectionEnabled: boolean) => ({
      Region,
      DeletionProtectionEnabled,
    });
    await apply('global', { Replicas: [replica('us-east-1', false), replica('eu-west-1', true)] });
    expect(await describeTable('global')).toMatchObject({ DeletionProtectionEnabled: true });
  });
});

describe('applyTables on dynalite', () => {
  it('skips features that the engine lacks, with a notice', async () => {
    const lines = await apply(
      'fallback',
      {
        AttributeDefinitions: attributes('user', 'scope'),
        GlobalSecondaryIndexes: [index('byUser', 'user')],
        StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
        TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
        VectorIndexes: VECTORS,
      },
      dynalite,
    );
    expect(lines).toEqual([
      'no vector index, the engine has none: searches by vector (semantic caching) fail',
      'no stream, the engine has none: functions are not called for its changes',
    ]);
  });

  it('refuses other indexes on an existing table', async () => {
    await apply('fixed', {}, dynalite);
    const changed = { AttributeDefinitions: attributes('a'), GlobalSecondaryIndexes: [index('byA', 'a')] };
    await expect(apply('fixed', changed, dynalite)).rejects.toThrow('its indexes have changed');
  });
});

// The six tables, generated from the schema that the stores use, so that the two cannot disagree.
import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  CfnGlobalTable,
  ProjectionType,
  StreamViewType,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import {
  type IndexSchema,
  type KeySchema,
  TABLES,
  type TableName,
  type TableSchema,
} from '../../core/contract/tables.ts';
import type { Stage } from '../config.ts';

/** What cannot be made again: protected in production. Counters and cache are only the present moment. */
const LASTING: readonly TableName[] = ['config', 'keys', 'logs', 'usage'];

/** Logical ids, frozen: another id means another table, and the data stays behind in the old one. */
const LOGICAL_IDS: Readonly<Record<TableName, string>> = {
  config: 'ConfigTable',
  keys: 'KeysTable',
  counters: 'CountersTable',
  cache: 'CacheTable',
  logs: 'LogsTable',
  usage: 'UsageTable',
};

export interface TablesProps {
  readonly stage: Stage;
}

/** A class, because CDK's tree is made of constructs. */
export class Tables extends Construct {
  readonly byName: Readonly<Record<TableName, TableV2>>;

  constructor(scope: Construct, id: string, { stage }: TablesProps) {
    super(scope, id);
    const create = (name: TableName): TableV2 => createTable(this, name, TABLES[name], stage);
    this.byName = {
      config: create('config'),
      keys: create('keys'),
      counters: create('counters'),
      cache: create('cache'),
      logs: create('logs'),
      usage: create('usage'),
    };
  }
}

function createTable(scope: Construct, name: TableName, schema: TableSchema, stage: Stage): TableV2 {
  const isProtected = LASTING.includes(name) && stage.protectData;
  const table = new TableV2(scope, LOGICAL_IDS[name], {
    ...keyProps(schema.key),
    globalSecondaryIndexes: schema.indexes.map(indexProps),
    ...(schema.timeToLive === undefined ? {} : { timeToLiveAttribute: schema.timeToLive }),
    // The new image is enough: entries are appended and never changed, so usage is computed from what was put.
    ...(schema.stream === undefined ? {} : { dynamoStream: StreamViewType.NEW_IMAGE }),
    pointInTimeRecoverySpecification: {
      pointInTimeRecoveryEnabled: LASTING.includes(name) && stage.pointInTimeRecovery,
    },
    deletionProtection: isProtected,
    removalPolicy: isProtected ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  const resource = table.node.defaultChild;
  if (!(resource instanceof CfnGlobalTable))
    throw new Error(`${name}: TableV2 no longer makes a global table`);
  resource.overrideLogicalId(LOGICAL_IDS[name]);
  if (schema.vectorIndex !== undefined) addVectorIndex(resource, schema, schema.vectorIndex);
  return table;
}

function keyProps({ partition, sort }: KeySchema) {
  return {
    partitionKey: { name: partition, type: AttributeType.STRING },
    ...(sort === undefined ? {} : { sortKey: { name: sort, type: AttributeType.STRING } }),
  };
}

function indexProps({ name, key, include }: IndexSchema) {
  return {
    indexName: name,
    ...keyProps(key),
    ...(include.length === 0
      ? { projectionType: ProjectionType.KEYS_ONLY }
      : { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...include] }),
  };
}

/**
 * TableV2 has no property for vector indexes yet. Declared with the table, since dimensions, distance and search schema can
 * never change and an index added later takes minutes. The partition of a search needs an attribute definition, the vector none.
 */
function addVectorIndex(
  resource: CfnGlobalTable,
  { key }: TableSchema,
  index: NonNullable<TableSchema['vectorIndex']>,
): void {
  resource.vectorIndexes = [
    {
      indexName: index.name,
      vectorAttribute: { attributeName: index.vector },
      searchSchema: [{ attributeName: index.partition, searchSchemaElementType: 'HASH' }],
      projection: { projectionType: ProjectionType.KEYS_ONLY },
      dimensions: index.dimensions,
      distanceFunction: 'COSINE',
    },
  ];
  resource.attributeDefinitions = [key.partition, index.partition].map((attributeName) => ({
    attributeName,
    attributeType: AttributeType.STRING,
  }));
}

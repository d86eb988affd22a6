// The six tables, generated from the schema that the stores use, so that the two cannot disagree.
import { Stack, Token } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  CfnGlobalTable,
  type ITableV2,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import {
  CHANGE_PARTITIONS,
  ENTRY_PARTITIONS,
  type IndexSchema,
  type KeySchema,
  TABLES,
  type TableName,
  type TableSchema,
  USAGE_PARTITIONS,
} from '../../../core/contract/tables.ts';
import { acknowledge } from '../../checks/acknowledge.ts';
import type { Stage } from '../../config/config.ts';
import type { TableThroughput } from '../../config/peak.ts';
import { removalPolicy } from './log-group.ts';

/** Tables that cannot be rebuilt, protected in production. Counters and cache hold only current state. */
const DURABLE: readonly TableName[] = ['config', 'keys', 'logs', 'usage'];

/** Ids of the tables within the construct; the data stack takes them as logical ids too. */
export const TABLE_IDS: Readonly<Record<TableName, string>> = {
  config: 'ConfigTable',
  keys: 'KeysTable',
  counters: 'CountersTable',
  cache: 'CacheTable',
  logs: 'LogsTable',
  usage: 'UsageTable',
};

/** All six tables by what they hold. */
export type TablesByName = Readonly<Record<TableName, ITableV2>>;

export interface TablesProps {
  readonly stage: Stage;
  /**
   * Existing tables, with the keys, indexes and streams of `core/contract/tables.ts`. They keep their own encryption and backups.
   * @default none: all six are created
   */
  readonly existing?: Partial<TablesByName> | undefined;
  /** @default DynamoDB's own key, which costs nothing */
  readonly encryptionKey?: IKey | undefined;
}

export class Tables extends Construct {
  readonly byName: TablesByName;

  constructor(scope: Construct, id: string, props: TablesProps) {
    super(scope, id);
    // The CDK's own class does not fit its interface where optional properties are exact.
    const take = (name: TableName) => props.existing?.[name] ?? (createTable(this, name, props) as ITableV2);
    this.byName = {
      config: take('config'),
      keys: take('keys'),
      counters: take('counters'),
      cache: take('cache'),
      logs: take('logs'),
      usage: take('usage'),
    };
  }

  /**
   * Grants what an auditor reads: log entries, the changes of operators, and usage. Settings are readable because they map slugs to
   * the ids by which log and usage are stored.
   */
  grantAudit(grantee: IGrantable): Grant {
    return this.#grantItems(grantee, ['logs', 'usage'], READ).combine(
      this.#grantItems(grantee, ['config'], ['GetItem', 'Query']),
    );
  }

  /**
   * Grants what the `neuron` command does. It cannot write calls nor delete log entries; that it overwrites none is a condition of its writes, which
   * IAM cannot demand. Counters and usage are read-only, and the cache is out of reach.
   */
  grantOperate(grantee: IGrantable): Grant {
    return (
      this.#grantItems(grantee, ['config', 'keys'], [...READ, ...WRITE])
        // `neuron apply` puts a neuron on the condition that its names are free.
        .combine(this.#grantItems(grantee, ['config'], ['ConditionCheckItem']))
        .combine(this.#grantItems(grantee, ['counters', 'logs', 'usage'], READ))
        .combine(this.grantExport(grantee))
    );
  }

  /** Grants appending calls to the log, which `neuron logs restore` does: whoever has it could put false ones. */
  grantRestore(grantee: IGrantable): Grant {
    return this.#grantPut(grantee, [ENTRY_PARTITIONS]);
  }

  /** Grants appending changes to the log, as `neuron logs export` does with each export. */
  grantExport(grantee: IGrantable): Grant {
    return this.#grantPut(grantee, CHANGE_PARTITIONS);
  }

  /**
   * Grants erasing persons, as `neuron users erase` does beside `grantOperate`: puts over calls in the log, deletes and lowers usage, and deletes
   * cached and kept answers, and counters. IAM cannot say of whom.
   */
  grantErase(grantee: IGrantable): Grant {
    return this.grantRestore(grantee)
      .combine(this.#grantItems(grantee, ['cache'], ['Scan']))
      .combine(this.#grantItems(grantee, ['cache', 'counters'], ['DeleteItem']))
      .combine(this.#grantOn('usage', ['DeleteItem', 'UpdateItem'], grantee, [USAGE_PARTITIONS]));
  }

  /** Indexes by name: an ARN with `*` would be one of indexes that do not exist yet. */
  #grantItems(grantee: IGrantable, names: readonly TableName[], actions: readonly string[]): Grant {
    return names
      .map((name) =>
        Grant.addToPrincipal({
          grantee,
          actions: actions.map((action) => `dynamodb:${action}`),
          resourceArns: arnsOf(this.byName[name], name),
        }),
      )
      .reduce((all, one) => all.combine(one));
  }

  /** Every PutItem has exactly one leading key (amazondynamodb/latest/developerguide/specifying-conditions.html). */
  #grantPut(grantee: IGrantable, partitions: readonly string[]): Grant {
    return this.#grantOn('logs', ['PutItem'], grantee, partitions);
  }

  #grantOn(
    name: TableName,
    actions: readonly string[],
    grantee: IGrantable,
    partitions: readonly string[],
  ): Grant {
    return Grant.addToPrincipal({
      grantee,
      actions: actions.map((action) => `dynamodb:${action}`),
      resourceArns: [this.byName[name].tableArn],
      conditions: {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions },
        // Without it, a request without leading keys would pass.
        Null: { 'dynamodb:LeadingKeys': 'false' },
      },
    });
  }
}

/** PartiQL's SELECT is for auditors who ask in SQL (docs/audit.md); it reads what Query and Scan do. */
const READ = ['BatchGetItem', 'DescribeTable', 'GetItem', 'PartiQLSelect', 'Query', 'Scan'];
const WRITE = ['DeleteItem', 'PutItem', 'UpdateItem'];

export function arnsOf({ tableArn }: ITableV2, name: TableName): string[] {
  return [tableArn, ...TABLES[name].indexes.map((index) => `${tableArn}/index/${index.name}`)];
}

function createTable(scope: Construct, name: TableName, { stage, encryptionKey }: TablesProps): TableV2 {
  const schema: TableSchema = TABLES[name];
  // The CDK renders a replica's key by its region, and fails without one in words of its own.
  if (encryptionKey !== undefined && Token.isUnresolved(Stack.of(scope).region))
    throw new Error('Tables with a KMS key need a stack with a region. Pass env: { region } to the stack.');
  const isProtected = DURABLE.includes(name) && stage.protectData;
  const units = stage.throughput[name] ?? {};
  const table = new TableV2(scope, TABLE_IDS[name], {
    ...keyProps(schema.key),
    billing: Billing.onDemand(maxUnits(units)),
    ...warmUnits(units),
    globalSecondaryIndexes: schema.indexes.map((index) => ({
      ...indexProps(index),
      ...maxUnits(units),
      ...warmUnits(units),
    })),
    ...(schema.timeToLive === undefined ? {} : { timeToLiveAttribute: schema.timeToLive }),
    // The new image is enough: entries are appended and never changed, so usage is computed from what was put.
    ...(schema.stream === undefined ? {} : { dynamoStream: StreamViewType.NEW_IMAGE }),
    pointInTimeRecoverySpecification: {
      pointInTimeRecoveryEnabled: DURABLE.includes(name) && stage.pointInTimeRecovery,
    },
    ...(encryptionKey === undefined
      ? {}
      : { encryption: TableEncryptionV2.customerManagedKey(encryptionKey) }),
    deletionProtection: isProtected,
    // A table of the type GlobalTable has tags for each replica alone, which the CDK's own tags do not reach.
    tags: Object.entries(stage.tags ?? {}).map(([key, value]) => ({ key, value })),
    removalPolicy: removalPolicy({ protectData: isProtected }),
  });
  if (!DURABLE.includes(name)) {
    acknowledge(
      table,
      'Neuron::TableWithoutRecovery',
      'Counters and cache hold only current state: a restored backup of them would be wrong.',
    );
  }
  const resource = table.node.defaultChild;
  if (!(resource instanceof CfnGlobalTable))
    throw new Error(`${name}: TableV2 no longer makes a global table`);
  if (schema.vectorIndex !== undefined) addVectorIndex(resource, schema, schema.vectorIndex);
  return table;
}

/** Beyond these DynamoDB throttles. */
function maxUnits({ maxReads, maxWrites }: TableThroughput) {
  return {
    ...(maxReads === undefined ? {} : { maxReadRequestUnits: maxReads }),
    ...(maxWrites === undefined ? {} : { maxWriteRequestUnits: maxWrites }),
  };
}

/** Throughput that is there at once. An index has a throughput of its own, and every write of the table may be one of each index. */
function warmUnits({ warmReads, warmWrites }: TableThroughput) {
  if (warmReads === undefined && warmWrites === undefined) return {};
  return {
    warmThroughput: {
      ...(warmReads === undefined ? {} : { readUnitsPerSecond: warmReads }),
      ...(warmWrites === undefined ? {} : { writeUnitsPerSecond: warmWrites }),
    },
  };
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

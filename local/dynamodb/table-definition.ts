// Reads the tables of a template, of either type, into one form.

import type { ResolvedResource, ResolvedStack } from '../template/types.ts';
import { asList, asObject, asText, requiredProperty } from '../template/values.ts';

/** A member of a key: `HASH` or `RANGE`. */
export interface KeyElement {
  readonly AttributeName: string;
  readonly KeyType: string;
}

/** A secondary index, in the words of DynamoDB's API. */
export interface IndexDefinition {
  readonly IndexName: string;
  readonly KeySchema: readonly KeyElement[];
  readonly Projection: { readonly ProjectionType: string; readonly NonKeyAttributes?: readonly string[] };
}

/** A vector index; the engine gets its members as they are. */
export interface VectorIndexDefinition {
  readonly IndexName: string;
  readonly [member: string]: unknown;
}

export interface TableDefinition {
  readonly resource: ResolvedResource;
  readonly name: string;
  readonly keySchema: readonly KeyElement[];
  readonly attributes: readonly { readonly AttributeName: string; readonly AttributeType: string }[];
  readonly globalIndexes: readonly IndexDefinition[];
  readonly localIndexes: readonly IndexDefinition[];
  readonly vectorIndexes: readonly VectorIndexDefinition[];
  /** The attribute with the time of expiry, in seconds since 1970. */
  readonly timeToLive: string | undefined;
  readonly streamViewType: string | undefined;
  readonly deletionProtection: boolean;
}

/** All tables of the stacks: `AWS::DynamoDB::Table` and `AWS::DynamoDB::GlobalTable`. */
export function readTables(stacks: readonly ResolvedStack[]): readonly TableDefinition[] {
  return stacks
    .flatMap((stack) => stack.resources)
    .filter(({ type }) => type === 'AWS::DynamoDB::Table' || type === 'AWS::DynamoDB::GlobalTable')
    .map(readTable);
}

function readTable(resource: ResolvedResource): TableDefinition {
  const { properties } = resource;
  const timeToLive = asObject(properties['TimeToLiveSpecification']);
  return {
    resource,
    name: resource.physicalId,
    keySchema: readKey(properties['KeySchema']),
    attributes: asList(properties['AttributeDefinitions'])
      .map(asObject)
      .map((entry) => ({
        AttributeName: String(entry['AttributeName']),
        AttributeType: String(entry['AttributeType']),
      })),
    globalIndexes: asList(properties['GlobalSecondaryIndexes']).map(readIndex),
    localIndexes: asList(properties['LocalSecondaryIndexes']).map(readIndex),
    vectorIndexes: asList(properties['VectorIndexes']).map(
      (entry) => asObject(entry) as VectorIndexDefinition,
    ),
    timeToLive:
      asText(timeToLive['Enabled']) === 'true'
        ? requiredProperty({ ...resource, properties: timeToLive }, 'AttributeName')
        : undefined,
    streamViewType: asText(asObject(properties['StreamSpecification'])['StreamViewType']),
    deletionProtection: asText(ownReplica(resource)['DeletionProtectionEnabled']) === 'true',
  };
}

// Only the replica of this region runs.
function ownReplica({ properties, arn }: ResolvedResource): Readonly<Record<string, unknown>> {
  if (properties['Replicas'] === undefined) return properties;
  const replicas = asList(properties['Replicas']).map(asObject);
  const region = arn?.split(':')[3];
  return replicas.find((replica) => replica['Region'] === region) ?? replicas[0] ?? {};
}

function readKey(value: unknown): readonly KeyElement[] {
  return asList(value)
    .map(asObject)
    .map((entry) => ({ AttributeName: String(entry['AttributeName']), KeyType: String(entry['KeyType']) }));
}

// Without capacity, which is not bought here.
function readIndex(value: unknown): IndexDefinition {
  const index = asObject(value);
  const projection = asObject(index['Projection']);
  const nonKey = asList(projection['NonKeyAttributes']).map(String);
  return {
    IndexName: String(index['IndexName']),
    KeySchema: readKey(index['KeySchema']),
    Projection: {
      ProjectionType: asText(projection['ProjectionType']) ?? 'ALL',
      ...(nonKey.length === 0 ? {} : { NonKeyAttributes: nonKey }),
    },
  };
}

// Reads the event source mappings of a template: the functions that are called for the changes of a table.

import type { ResolvedResource, ResolvedStack } from '../template/types.ts';
import { asList, asNumber, asObject, asText, requiredProperty, templateError } from '../template/values.ts';
import { matchesPattern } from './event-filter.ts';
import { readTables, type TableDefinition } from './table-definition.ts';

/** A mapping from a table's stream to a function. */
export interface StreamMapping {
  /** `STACK/LOGICAL_ID`: its position is kept under this name. */
  readonly id: string;
  readonly functionArn: string;
  readonly table: TableDefinition;
  /** The ARN in the template, not that of the engine; records have it. */
  readonly streamArn: string;
  readonly batchSize: number;
  /** Max. time that records wait for others. */
  readonly batchingWindowMs: number;
  readonly startingPosition: 'TRIM_HORIZON' | 'LATEST';
  /** -1: no limit. */
  readonly maxRetries: number;
  readonly reportsItemFailures: boolean;
  passes(record: unknown): boolean;
}

/**
 * All enabled mappings.
 * @throws LocalFailure `TEMPLATE_NOT_SUPPORTED` for a source that is no table's stream
 */
export function readMappings(stacks: readonly ResolvedStack[]): readonly StreamMapping[] {
  const tables = readTables(stacks);
  const resources = stacks.flatMap((stack) => stack.resources);
  return resources
    .filter(({ type, properties }) => {
      return type === 'AWS::Lambda::EventSourceMapping' && asText(properties['Enabled']) !== 'false';
    })
    .map((resource) => readMapping(resource, tables, resources));
}

function readMapping(
  resource: ResolvedResource,
  tables: readonly TableDefinition[],
  resources: readonly ResolvedResource[],
): StreamMapping {
  const { properties } = resource;
  const streamArn = requiredProperty(resource, 'EventSourceArn');
  const table = tables.find((candidate) => streamArn.startsWith(`${candidate.resource.arn}/stream/`));
  if (table === undefined)
    throw templateError(resource, `${streamArn} is no stream of a table of this template.`);
  if (table.streamViewType === undefined) throw templateError(resource, `${table.name} has no stream.`);
  const startingPosition = requiredProperty(resource, 'StartingPosition');
  if (startingPosition !== 'TRIM_HORIZON' && startingPosition !== 'LATEST')
    throw templateError(resource, `StartingPosition ${startingPosition} is not for a table's stream.`);
  const patterns = asList(asObject(properties['FilterCriteria'])['Filters'])
    .map((filter) => asText(asObject(filter)['Pattern']) ?? '{}')
    .map((pattern) => JSON.parse(pattern) as unknown);
  return {
    id: `${resource.stack}/${resource.logicalId}`,
    functionArn: findFunction(requiredProperty(resource, 'FunctionName'), resources),
    table,
    streamArn,
    batchSize: asNumber(properties['BatchSize']) ?? 100,
    batchingWindowMs: 1000 * (asNumber(properties['MaximumBatchingWindowInSeconds']) ?? 0),
    startingPosition,
    maxRetries: asNumber(properties['MaximumRetryAttempts']) ?? -1,
    reportsItemFailures: asList(properties['FunctionResponseTypes']).includes('ReportBatchItemFailures'),
    passes: (record) => patterns.length === 0 || patterns.some((pattern) => matchesPattern(pattern, record)),
  };
}

// A name, a name with an alias, or an ARN.
function findFunction(target: string, resources: readonly ResolvedResource[]): string {
  if (target.startsWith('arn:')) return target;
  const [name, ...qualifier] = target.split(':');
  const found = resources.find(
    ({ type, physicalId }) => type === 'AWS::Lambda::Function' && physicalId === name,
  );
  return [found?.arn ?? target, ...qualifier].join(':');
}

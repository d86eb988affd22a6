// Reads the event source mappings of a template: the functions that are called for the changes of a table.
import type { ResolvedResource, ResolvedStack } from '../template/types.ts';
import { asList, asNumber, asObject, asText, requiredProperty, templateError } from '../template/values.ts';
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

/**
 * Whether a value matches an event pattern (Lambda Developer Guide, "Filter rule syntax").
 * @throws Error for a rule that is not supported
 */
export function matchesPattern(pattern: unknown, value: unknown): boolean {
  return Object.entries(pattern ?? {}).every(([name, rule]) => {
    if (name === '$or')
      return (rule as readonly unknown[]).some((alternative) => matchesPattern(alternative, value));
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    const member = isObject ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
    if (Array.isArray(rule)) return rule.some((condition) => matchesRule(condition, member));
    return matchesPattern(rule, member);
  });
}

function matchesRule(rule: unknown, value: unknown): boolean {
  if (typeof rule !== 'object' || rule === null) return rule === value;
  const [name, argument] = Object.entries(rule)[0] ?? [];
  const text = typeof value === 'string' ? value : undefined;
  switch (name) {
    case 'exists':
      return (value !== undefined) === argument;
    case 'prefix':
      return text?.startsWith(String(argument)) ?? false;
    case 'suffix':
      return text?.endsWith(String(argument)) ?? false;
    case 'equals-ignore-case':
      return text?.toLowerCase() === String(argument).toLowerCase();
    case 'anything-but':
      return value !== undefined && ![argument].flat().some((excluded) => matchesRule(excluded, value));
    case 'numeric':
      return matchesNumbers(argument as readonly unknown[], value);
    default:
      throw new Error(`the filter rule ${JSON.stringify(rule)} is not supported`);
  }
}

// Pairs of operator and operand: [">", 1, "<=", 5]. DynamoDB's numbers are texts.
function matchesNumbers(comparison: readonly unknown[], value: unknown): boolean {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || Number.isNaN(number)) return false;
  for (let index = 0; index < comparison.length; index += 2) {
    if (!compares(String(comparison[index]), number, Number(comparison[index + 1]))) return false;
  }
  return true;
}

function compares(operator: string, left: number, right: number): boolean {
  switch (operator) {
    case '=':
      return left === right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    default:
      throw new Error(`the operator ${operator} is not supported`);
  }
}

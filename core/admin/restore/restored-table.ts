// Decides about tables: why one must not be restored from another, and what a restored one lacks.
import { TABLES, type TableName, type TableSchema } from '../../contract/tables.ts';
import type { TableFeature, TableState } from '../../ports/restoration.ts';

/** Current state only: an old copy would let callers pass limits again, or answer what was cleared. */
const NOT_COPIED: readonly TableName[] = ['counters', 'cache'];

/** The facts that are known before the first item is read. */
export interface Restoration {
  readonly table: TableName;
  /** The table to read; undefined where there is none. */
  readonly source: TableState | undefined;
  /** The stack's table. */
  readonly target: TableState | undefined;
  /** Whether the table exists that the source was restored from. */
  readonly hasOrigin: boolean;
  readonly isMaintenance: boolean;
}

/** A reason and its solution. */
export interface Rejection {
  readonly why: string;
  readonly remedy: string;
}

/** The kind of table that the source was made from, by the stack's tables; undefined where that does not say. */
export function findRestoredKind(
  { restoredFrom }: Pick<TableState, 'restoredFrom'>,
  targets: Readonly<Record<TableName, TableState | undefined>>,
): TableName | undefined {
  const names = Object.keys(targets) as TableName[];
  return restoredFrom === undefined ? undefined : names.find((name) => targets[name]?.arn === restoredFrom);
}

/** The first reason; undefined where items may be copied. */
export function rejectRestoration({
  table,
  source,
  target,
  hasOrigin,
  isMaintenance,
}: Restoration): Rejection | undefined {
  if (source === undefined || target === undefined)
    return {
      why: `There is no table ${source === undefined ? 'of this name in the account and region' : `${table} in the stack`}.`,
      remedy: 'Pass the name of the restored table with --from, and check --region.',
    };
  if (NOT_COPIED.includes(table))
    return {
      why: `The table ${table} holds only current state: an old copy would be wrong.`,
      remedy: 'Leave it as it is. Windows of limits begin at zero, and the cache fills by itself.',
    };
  if (!source.isActive || !target.isActive)
    return {
      why: `The table ${source.isActive ? target.name : source.name} is not active.`,
      remedy: 'Wait until DynamoDB has restored it, and run the command again.',
    };
  if (!hasSchema(source, TABLES[table]) || !hasSchema(target, TABLES[table]))
    return {
      why: `Its keys are not those of the table ${table}.`,
      remedy: 'Check the name of the restored table, and --as.',
    };
  if (source.restoredFrom !== undefined && source.restoredFrom !== target.arn && hasOrigin)
    return {
      why: `It was restored from ${source.restoredFrom}, which exists and is not the table ${table} of this stack.`,
      remedy: 'Choose the stack of that table with --stack.',
    };
  if (source.restoredFrom !== undefined && ownerOf(source.restoredFrom) !== ownerOf(target.arn))
    return {
      why: `It was restored from ${source.restoredFrom}, which is of another account or region.`,
      remedy: 'Restore a backup of this account and region.',
    };
  // Nobody is let in by settings or keys that the command, or an operator, still has to take out again.
  if ((table === 'config' || table === 'keys') && !isMaintenance)
    return {
      why: 'Calls are served: settings and keys would be used while they are copied.',
      remedy: 'Run `neuron maintenance on` first.',
    };
  return undefined;
}

function hasSchema({ key }: TableState, schema: TableSchema): boolean {
  return key?.partition === schema.key.partition && key.sort === schema.key.sort;
}

/** Partition, region and account of an ARN. */
function ownerOf(arn: string): string {
  const [, partition, , region, account] = arn.split(':');
  return [partition, region, account].join(':');
}

/** Tables that stages back up and protect. */
const DURABLE: readonly TableName[] = ['config', 'keys', 'logs', 'usage'];

/** Stream and expiry are those of the schema. Backups and protection are turned on where another table of the stack has them. */
export function findLackingFeatures(
  table: TableName,
  states: Readonly<Record<TableName, TableState | undefined>>,
): readonly TableFeature[] {
  const schema: TableSchema = TABLES[table];
  const isOnElsewhere = (feature: TableFeature) =>
    DURABLE.includes(table) && DURABLE.some((name) => states[name]?.features[feature] === true);
  const wanted: Readonly<Record<TableFeature, boolean>> = {
    timeToLive: schema.timeToLive !== undefined,
    stream: schema.stream === true,
    pointInTimeRecovery: isOnElsewhere('pointInTimeRecovery'),
    deletionProtection: isOnElsewhere('deletionProtection'),
  };
  return (Object.keys(wanted) as TableFeature[]).filter(
    (feature) => wanted[feature] && states[table]?.features[feature] === false,
  );
}

// `neuron restore`: puts back the lost items of a table from a restored one, and what DynamoDB does not restore with a table.
import { InvalidArgumentError } from 'commander';
import {
  findLackingFeatures,
  findRestoredKind,
  type Rejection,
  rejectRestoration,
} from '../../core/admin/restore/restored-table.ts';
import type { OutputValues } from '../../core/contract/outputs.ts';
import { TABLES, type TableName, type TableSchema } from '../../core/contract/tables.ts';
import type { TableState } from '../../core/ports/restoration.ts';
import { command, flag, option } from '../command/command.ts';
import { CommandFailure, EXIT, type ExitCode, usageFailure } from '../output/failure.ts';
import { count, type Output } from '../output/print.ts';
import { createProgress } from '../output/progress.ts';
import type { Ports } from '../session/ports.ts';
import { type CopiedTable, type CopyCounts, copyItems } from './copy-items.ts';
import { renderRestoration } from './restoration-view.ts';

const NAMES = Object.keys(TABLES) as TableName[];
type States = Readonly<Record<TableName, TableState | undefined>>;

export const restore = command({
  name: 'restore',
  options: {
    from: option('--from <table>', 'name of the restored table', parseTableName, { required: true }),
    as: option('--as <kind>', 'which table it is (default: the one that it was restored from)', NAMES),
    includeDeleted: flag('--include-deleted', 'also organizations and neurons that a command deleted'),
    check: flag('--check', 'only say what would be done'),
  },
  help: 'Needs the rights of an administrator. Conditions, and what to do afterwards: docs/operations.md, "Restore".',
  async run({ from, as, includeDeleted, check: isCheck }, session): Promise<ExitCode> {
    const ports = await session.connect();
    const states = await describeTables(ports);
    const run: Restoring = { ports, states, from, isCheck, out: session.out };
    const own = NAMES.find((name) => nameOf(ports.stack.outputs, name) === from);
    if (own === undefined) {
      const table = await decideKind(as, run);
      return finish(table, await copy(table, includeDeleted, run), run);
    }
    if (as !== undefined && as !== own)
      throw usageFailure(`${from} is the table ${own} of this stack, not ${as}.`, 'Omit --as.');
    return finish(own, undefined, run);
  },
});

/** A run of the command. */
interface Restoring {
  readonly ports: Ports;
  readonly states: States;
  /** Name of the restored table. */
  readonly from: string;
  readonly isCheck: boolean;
  readonly out: Output;
}

async function copy(
  table: CopiedTable,
  includeDeleted: boolean,
  { ports, from, isCheck, out }: Restoring,
): Promise<CopyCounts> {
  const { outputs } = ports.stack;
  const into = nameOf(outputs, table);
  if (!isCheck) await out.confirm(`Put the lost items of ${from} into ${into}?`);
  const reportProgress = createProgress(ports.clock, out);
  const onPage = (read: number) => reportProgress(() => `${count(read, 'item')} so far`);
  const request = { table, from, into, usageTable: outputs.usageTable, includeDeleted, isCheck, onPage };
  const make = () => copyItems(request, ports);
  return isCheck
    ? make()
    : ports.recordChange(describeChange({ from, into }), make, ({ restored }) => restored > 0);
}

/** A name, not an ARN, which could be of another account (API_DescribeTable). */
function parseTableName(text: string): string {
  if (/^[A-Za-z0-9_.-]{3,255}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be the name of a table of this account and region.');
}

function nameOf(outputs: OutputValues, table: TableName): string {
  return outputs[`${table}Table`];
}

async function describeTables({ stack, tables }: Pick<Ports, 'stack' | 'tables'>): Promise<States> {
  const described = await Promise.all(
    NAMES.map(async (name) => [name, await tables.describe(nameOf(stack.outputs, name))] as const),
  );
  return Object.fromEntries(described) as Record<TableName, TableState | undefined>;
}

/** Throws `CommandFailure` where the table must not be copied. */
async function decideKind(
  as: TableName | undefined,
  { ports, states, from }: Restoring,
): Promise<CopiedTable> {
  const { tables, store } = ports;
  const source = await tables.describe(from);
  if (source === undefined)
    throw rejected(from, {
      why: 'There is no table of this name in the account and region.',
      remedy: 'Pass the name of the restored table with --from, and check --region.',
    });
  const found = findRestoredKind(source, states);
  const table = as ?? found;
  if (table === undefined)
    throw usageFailure(
      `DynamoDB does not say from which table of this stack ${from} was restored.`,
      `Pass --as ${NAMES.join('|')}.`,
    );
  if (found !== undefined && found !== table)
    throw usageFailure(`${from} was restored from the table ${found}, not ${table}.`, 'Omit --as.');
  const rejection = rejectRestoration({
    table,
    source,
    target: states[table],
    hasOrigin: await hasOrigin(source, tables),
    isMaintenance: (await store.readMaintenance()) !== undefined,
  });
  if (rejection !== undefined) throw rejected(from, rejection);
  // Counters and cache were rejected.
  return table as CopiedTable;
}

async function hasOrigin({ restoredFrom }: TableState, tables: Ports['tables']): Promise<boolean> {
  const origin = restoredFrom?.split('/').at(-1);
  return origin !== undefined && (await tables.describe(origin)) !== undefined;
}

function rejected(from: string, { why, remedy }: Rejection): CommandFailure {
  return new CommandFailure({ what: `The table ${from} was not restored.`, why, remedy });
}

function describeChange(after: object) {
  return { actions: ['restore_table'] as const, before: undefined, after };
}

/** Turns on whatever the stack's table lacks, and prints the result. */
async function finish(table: TableName, counts: CopyCounts | undefined, run: Restoring): Promise<ExitCode> {
  const { ports, states, from, isCheck, out } = run;
  const into = nameOf(ports.stack.outputs, table);
  const turnedOn = findLackingFeatures(table, states);
  const schema: TableSchema = TABLES[table];
  if (!isCheck && turnedOn.length > 0)
    await ports.recordChange(describeChange({ table: into, turnedOn }), () =>
      ports.tables.turnOn(into, turnedOn, schema.timeToLive),
    );
  const hasNewStream = !isCheck && turnedOn.includes('stream');
  const stream = hasNewStream ? (await ports.tables.describe(into))?.streamArn : undefined;
  const value = { table, from, into, check: isCheck, ...counts, turnedOn };
  out.value(
    stream === undefined ? value : { ...value, stream },
    renderRestoration(table, counts, turnedOn, run),
  );
  if (stream !== undefined)
    out.warn(
      `The stream is a new one. Make an event source mapping for each function that reads the log:\n  aws lambda create-event-source-mapping --event-source-arn ${stream} …`,
    );
  if (counts?.skipped.restarted !== undefined)
    out.warn(
      `Some chains of seals began anew after the loss, so ${count(counts.skipped.restarted, 'item')} of them stayed out. Keep ${from} as the evidence of that time.`,
    );
  return EXIT.done;
}

// `neuron logs`: the audit trail, as a list or one entry in full.
import { type Command, InvalidArgumentError } from 'commander';
import type { LogQuery } from '../../core/ports/log-reader.ts';
import { CommandFailure, usageFailure } from '../failure.ts';
import { findNeuron, findOrganization } from '../find-stored.ts';
import { LOG_COLUMNS, renderEntry, toLogJson } from '../log-view.ts';
import type { Ports } from '../ports.ts';
import type { Output } from '../print.ts';
import type { Bind } from '../session.ts';
import { checkTarget, readDuration, renderTarget, type Target, toTarget } from '../target.ts';

/** More rows than anybody reads; `--json` has no bound. */
const MAX_ROWS = 1_000;
const HOUR_MS = 3_600_000;

interface LogOptions {
  readonly since?: number;
  readonly from?: number;
  readonly to?: number;
  readonly id?: string;
}

/** Whose entries, and when; times in milliseconds since the Unix epoch. */
export interface LogArguments {
  readonly target: Target;
  readonly sinceMs: number | undefined;
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
}

interface Given<Arguments> {
  readonly args: Arguments;
  readonly ports: Pick<Ports, 'store' | 'logReader' | 'clock'>;
  readonly out: Output;
}

export function registerLogs(program: Command, bind: Bind): Command {
  return program
    .command('logs')
    .description('Shows what was called, refused and answered, newest first.')
    .argument('<organization[/neuron]>', 'whose entries', checkTarget)
    .option('--since <duration>', 'how far back (default: 1h)', readDuration)
    .option('--from <time>', 'from this time on, such as 2026-11-21T08:00:00Z', readTime)
    .option('--to <time>', 'up to this time', readTime)
    .option('--id <execution id>', 'one entry in full, with its trace')
    .action(
      bind<LogOptions>(async (session, { args: [text], options }) => {
        const target = toTarget(text);
        const ports = await session.connect();
        if (options.id !== undefined) {
          await showEntry({ args: { target, executionId: options.id }, ports, out: session.out });
          return;
        }
        if (options.since !== undefined && options.from !== undefined) {
          throw usageFailure('--since and --from were both given.', 'Give one of them.');
        }
        const args = { target, sinceMs: options.since, fromMs: options.from, toMs: options.to };
        await listEntries({ args, ports, out: session.out });
      }),
    );
}

/** Lists entries: a table of the newest thousand, or every one as a line of JSON. */
export async function listEntries({ args, ports, out }: Given<LogArguments>): Promise<void> {
  const toMs = args.toMs ?? ports.clock.now() + 1;
  const fromMs = args.fromMs ?? toMs - (args.sinceMs ?? HOUR_MS);
  if (fromMs >= toMs) throw usageFailure('The time to begin with is not before the time to end with.');
  const entries = ports.logReader.list(await queryFor(args.target, ports, fromMs, toMs));
  if (out.json) {
    for await (const entry of entries) out.value(toLogJson(entry), '');
    return;
  }
  const rows = [];
  let more = false;
  for await (const entry of entries) {
    more = rows.length === MAX_ROWS;
    if (more) break;
    rows.push(entry);
  }
  const period = `between ${new Date(fromMs).toISOString()} and ${new Date(toMs).toISOString()}`;
  out.list(
    rows,
    LOG_COLUMNS,
    `No entries of ${renderTarget(args.target)} ${period}. --since 1d looks back further.`,
  );
  if (more)
    out.message(`These are the newest ${MAX_ROWS}. Narrow the time with --from and --to, or say --json.`);
}

/** Shows one entry in full. */
export async function showEntry({
  args,
  ports,
  out,
}: Given<{ readonly target: Target; readonly executionId: string }>): Promise<void> {
  const { target, executionId } = args;
  const query = await queryFor(target, ports, 0, 1);
  const entry = await ports.logReader.find(executionId);
  const isMeant =
    entry !== undefined &&
    entry.organizationId === query.organizationId &&
    (query.neuronId === undefined || entry.neuronId === query.neuronId);
  if (!isMeant) {
    throw new CommandFailure({
      what: `There is no entry ${executionId} of ${renderTarget(target)}.`,
      why: 'It may be older than the retention, of another organization, or not stored yet.',
      remedy: 'A call whose entry was lost with its function is brought back by `neuron logs restore`.',
    });
  }
  out.value(entry, renderEntry(entry, out.paint));
}

async function queryFor(
  target: Target,
  { store }: Pick<Ports, 'store'>,
  fromMs: number,
  toMs: number,
): Promise<LogQuery> {
  const organization = await findOrganization(store, target.organization);
  if (target.neuron === undefined) return { organizationId: organization.id, fromMs, toMs };
  const neuron = await findNeuron(store, organization, target.neuron);
  return { organizationId: organization.id, neuronId: neuron.id, fromMs, toMs };
}

/** Milliseconds of an ISO 8601 time; without an offset, UTC. */
function readTime(text: string): number {
  const match = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/.exec(text);
  const hasOffset = match?.[1] === undefined || match[4] !== undefined;
  const milliseconds = match === null ? Number.NaN : Date.parse(hasOffset ? text : `${text}Z`);
  if (Number.isNaN(milliseconds))
    throw new InvalidArgumentError('It must be a time such as 2026-11-21 or 2026-11-21T08:00:00Z.');
  return milliseconds;
}

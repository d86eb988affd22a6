// `neuron logs export`: writes any period of the log to a file, in bounded memory, and goes on where it was interrupted.
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { StoredPosition, StoredType } from '../../../core/ports/stored-entries.ts';
import { CommandFailure, usageFailure } from '../../output/failure.ts';
import { count, type Output } from '../../output/print.ts';
import type { Ports } from '../../session/ports.ts';
import type { Bind } from '../../session/session.ts';
import { checkOrganization } from '../../session/target.ts';
import { findLogged } from '../find-logged.ts';
import { type LogOptions, toPeriod } from '../log-options.ts';
import { exists, finishExport } from './finish-export.ts';
import type { ExportManifest } from './manifest.ts';
import {
  type Checkpoint,
  type ExportRequest,
  fillSpool,
  pathsOf,
  readCheckpoint,
  writeCheckpoint,
} from './spool.ts';

const FORMATS = ['jsonl', 'csv', 'parquet'] as const;
type Format = (typeof FORMATS)[number];
/** Between two progress messages. */
const PROGRESS_MS = 2_000;

interface ExportOptions {
  readonly format: Format;
  readonly out: string;
}

interface Options {
  readonly args: { readonly organization: string; readonly path: string };
  readonly options: ExportOptions & LogOptions;
  readonly ports: Pick<Ports, 'store' | 'changes' | 'storedEntries' | 'seals' | 'clock' | 'stack'>;
  readonly out: Output;
}

export function registerLogsExport(logs: Command, bind: Bind): void {
  logs
    .command('export')
    .description('Writes the calls and changes of a period to a file, with a manifest beside it.')
    .argument('<organization>', 'the organization', checkOrganization)
    .addOption(new Option('--format <format>', 'format of the file').choices(FORMATS).default('jsonl'))
    .requiredOption(
      '--out <file>',
      'the file to write; run the command again to continue an interrupted export',
    )
    .addHelpText('after', '\nThe options --since, --from, --to and --deleted of `neuron logs` apply as well.')
    .action(
      bind<ExportOptions>(async (session, { args: [organization = ''], options }) => {
        // Options of the parent command are parsed there.
        const selection = logs.opts<LogOptions>();
        checkSelection(selection);
        await exportLog({
          args: { organization, path: resolve(session.terminal.folder, options.out) },
          options: { ...options, ...selection },
          ports: await session.connect(),
          out: session.out,
        });
      }),
    );
}

/** An export is of the whole organization, so that it can be checked for what is missing. */
function checkSelection(selection: LogOptions): void {
  const input = Object.keys(selection).find((name) => !APPLICABLE.has(name));
  if (input !== undefined)
    throw usageFailure(
      `--${input} does not apply to an export, which has every call and change of its period.`,
      'Omit it, and select when you query the file.',
    );
}

const APPLICABLE: ReadonlySet<string> = new Set<keyof LogOptions>(['since', 'from', 'to', 'deleted']);

/** Begins an export or continues one. Throws `CommandFailure` where the file is there already, or another export was begun beside it. */
async function exportLog(input: Options): Promise<void> {
  const { ports, out, args } = input;
  const paths = pathsOf(args.path);
  const begun = await begin(input, paths);
  const { request, startedMs } = begun;
  const filled = begun.isComplete
    ? begun
    : await fillSpool(paths, begun, {
        entries: (after: StoredPosition | undefined) =>
          ports.storedEntries.list({ ...request, nowMs: startedMs, after }),
        onCheckpoint: createProgress(ports.clock, out),
      });
  const manifest = await finishExport(paths, filled, ports.seals);
  out.value({ ...manifest, path: paths.out }, describe(manifest, paths));
}

/** The checkpoint to go on from; a new one where nothing was begun. */
async function begin(input: Options, paths: ReturnType<typeof pathsOf>): Promise<Checkpoint> {
  const { ports, out } = input;
  const found = await readCheckpoint(paths.checkpoint);
  if (found === undefined && (await exists(paths.out)))
    throw usageFailure(`${paths.out} exists already.`, 'Pass another --out, or delete the file first.');
  const startedMs = found?.startedMs ?? ports.clock.now();
  const request = await toRequest(input, startedMs);
  if (found === undefined) {
    const counts = { call: 0, change: 0, outcome: 0 };
    const checkpoint: Checkpoint = { version: 1, request, startedMs, counts, bytes: 0, isComplete: false };
    await writeCheckpoint(paths.checkpoint, checkpoint);
    return checkpoint;
  }
  const differing = Object.entries(request).find(
    ([name, value]) => found.request[name as keyof ExportRequest] !== value,
  );
  if (differing !== undefined)
    throw new CommandFailure({
      what: `An export that was begun at ${toIso(startedMs)} and interrupted differs from this one in ${NAMES[differing[0] as keyof ExportRequest]}.`,
      remedy: `Run that command again to continue it, delete ${paths.checkpoint} and ${paths.part} to begin again, or pass another --out.`,
    });
  out.message(
    `Continuing the export begun at ${toIso(startedMs)}, with ${describeCounts(found.counts)} so far.`,
  );
  return found;
}

/** What an operator calls each part of a request. */
const NAMES: Readonly<Record<keyof ExportRequest, string>> = {
  table: 'the stack',
  organization: 'the organization',
  organizationId: 'the organization',
  format: '--format',
  fromMs: 'the time range',
  toMs: 'the time range',
};

/** Relative times are those of the moment when the export was begun, so that the same words ask for the same period. */
async function toRequest({ args, options, ports, out }: Options, startedMs: number): Promise<ExportRequest> {
  const { format, since, from, to, deleted } = options;
  if (since === undefined && from === undefined)
    throw usageFailure(
      'Neither --from nor --since was given.',
      'Pass the time to begin with, such as --from 2026-11.',
    );
  if (since !== undefined && from !== undefined)
    throw usageFailure('--since and --from were both given.', 'Pass one of them.');
  const { fromMs, toMs } = toPeriod({ since, from, to }, startedMs);
  const { organization } = args;
  const owner = await findLogged({ organization, neuron: undefined }, { deleted, fromMs }, ports, out);
  const { organizationId } = owner;
  // Later ones would come while it runs, or after an interruption.
  const endMs = Math.min(toMs, startedMs);
  return {
    table: ports.stack.outputs.logsTable,
    organization,
    organizationId,
    format,
    fromMs,
    toMs: Math.max(fromMs, endMs),
  };
}

function createProgress(clock: Ports['clock'], out: Output) {
  let reportedMs = clock.now();
  return ({ counts, position }: Checkpoint) => {
    if (clock.now() - reportedMs < PROGRESS_MS) return;
    reportedMs = clock.now();
    const at = position === undefined ? '' : `, up to ${position.sk.slice(0, 19)}`;
    out.message(`${describeCounts(counts)} so far${at}`);
  };
}

function describe(
  { entries, from, to, sha256, organization }: ExportManifest,
  paths: ReturnType<typeof pathsOf>,
): string {
  return [
    `Exported ${describeCounts(entries)} of ${organization} between ${from} and ${to} to ${paths.out}`,
    `SHA-256 ${sha256}, manifest ${paths.manifest}`,
  ].join('\n');
}

/** An outcome belongs to its change and is not counted beside it. */
function describeCounts({ call, change }: Readonly<Record<StoredType, number>>): string {
  return `${count(call, 'call')} and ${count(change, 'change')}`;
}

function toIso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

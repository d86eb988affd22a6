// `neuron logs export`: writes any period of the log to a file, in bounded memory, and goes on where it was interrupted.
import { resolve } from 'node:path';
import type { StoredPosition, StoredType } from '../../../core/ports/stored-entries.ts';
import { ORGANIZATION } from '../../command/arguments.ts';
import { command, option } from '../../command/command.ts';
import { CommandFailure, usageFailure } from '../../output/failure.ts';
import { count, type Output } from '../../output/print.ts';
import type { Ports } from '../../session/ports.ts';
import { findLogged } from '../find-logged.ts';
import { checkApplicable, LOG_OPTIONS, type LogOptions, toPeriod } from '../log-options.ts';
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
/** Between two progress messages. */
const PROGRESS_MS = 2_000;

interface ExportInput {
  readonly args: { readonly organization: string; readonly path: string; readonly format: string };
  readonly options: LogOptions;
  readonly ports: Pick<Ports, 'store' | 'changes' | 'storedEntries' | 'seals' | 'clock' | 'stack'>;
  readonly out: Output;
}

export const logsExport = command({
  name: 'export',
  description: 'Writes the calls and changes of a period to a file, with a manifest beside it.',
  arguments: { organization: ORGANIZATION },
  options: {
    format: option('--format <format>', 'format of the file', FORMATS, { default: 'jsonl' }),
    file: option(
      '--out <file>',
      'the file to write; run the command again to continue an interrupted export',
      String,
      { required: true },
    ),
  },
  inherited: LOG_OPTIONS,
  help: 'The options --since, --from, --to and --deleted of `neuron logs` apply as well.',
  async run({ organization, format, file, ...options }, { terminal, out, connect }) {
    // An export is of the whole organization, so that it can be checked for what is missing.
    checkApplicable(
      options,
      ['since', 'from', 'to', 'deleted'],
      'an export has every call and change of its period',
      'Omit it, and select when you query the file.',
    );
    const args = { organization, format, path: resolve(terminal.folder, file) };
    await exportLog({ args, options, ports: await connect(), out });
  },
});

/** Begins an export or continues one. Throws `CommandFailure` where the file is there already, or another export was begun beside it. */
async function exportLog(input: ExportInput): Promise<void> {
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
async function begin(input: ExportInput, paths: ReturnType<typeof pathsOf>): Promise<Checkpoint> {
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
async function toRequest(
  { args, options, ports, out }: ExportInput,
  startedMs: number,
): Promise<ExportRequest> {
  const { since, from, to, deleted } = options;
  if (since === undefined && from === undefined)
    throw usageFailure(
      'Neither --from nor --since was given.',
      'Pass the time to begin with, such as --from 2026-11.',
    );
  const { fromMs, toMs } = toPeriod({ since, from, to }, startedMs);
  const { organization, format } = args;
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

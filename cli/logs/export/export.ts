// `neuron logs export`: writes any period of the log to a file, in bounded memory, and continues where it was interrupted.
import { resolve } from 'node:path';
import { ORGANIZATION } from '../../command/arguments.ts';
import { command, option } from '../../command/command.ts';
import { createProgress } from '../../output/progress.ts';
import { checkApplicable, LOG_OPTIONS } from '../log-options.ts';
import { finishExport } from './finish-export.ts';
import { EXPORT_FORMATS, type ExportManifest } from './manifest.ts';
import { describeCounts, openCheckpoint } from './open-checkpoint.ts';
import { type Checkpoint, fillSpool, toExportPaths } from './spool.ts';

export const logsExport = command({
  name: 'export',
  description: 'Writes the calls and changes of a period to a file, with a manifest beside it.',
  arguments: { organization: ORGANIZATION },
  options: {
    format: option('--format <format>', 'format of the file', EXPORT_FORMATS, { default: 'jsonl' }),
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
    const ports = await connect();
    const paths = toExportPaths(resolve(terminal.folder, file));
    const checkpoint = await openCheckpoint({ organization, format, options, paths }, ports, out);
    const { request, startedMs } = checkpoint;
    const report = createProgress(ports.clock, out);
    const complete = checkpoint.isComplete
      ? checkpoint
      : await fillSpool(paths, checkpoint, {
          entries: (after) => ports.storedEntries.list({ ...request, nowMs: startedMs, after }),
          onCheckpoint: (next) => report(() => describeCheckpoint(next)),
        });
    const manifest = await finishExport(paths, complete, ports);
    out.value(
      { ...manifest, path: paths.out },
      `${describeExport(manifest, paths.out)}, manifest ${paths.manifest}`,
    );
  },
});

function describeCheckpoint({ counts, position }: Checkpoint): string {
  const time = position === undefined ? '' : `, up to ${position.sk.slice(0, 19)}`;
  return `${describeCounts(counts)} so far${time}`;
}

function describeExport({ entries, from, to, sha256, organization }: ExportManifest, path: string): string {
  return `Exported ${describeCounts(entries)} of ${organization} between ${from} and ${to} to ${path}\nSHA-256 ${sha256}`;
}

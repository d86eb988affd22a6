// `neuron logs restore`: restores entries that were lost with their function, from lines that it had printed.
import { createReadStream, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { LineReader } from '../../../core/ports/line-reader.ts';
import { argument, command } from '../../command/command.ts';
import { CommandFailure, EXIT, type ExitCode, usageFailure } from '../../output/failure.ts';
import type { Output } from '../../output/print.ts';
import { printableLine } from '../../output/printable.ts';
import { createProgress } from '../../output/progress.ts';
import type { Ports } from '../../session/ports.ts';
import type { Stack } from '../../session/stack.ts';
import { createErasedEntries } from '../../users/erased-persons.ts';
import { LOG_OPTIONS, toPeriod } from '../log-options.ts';
import { createRestorer, MAX_FAILURES_IN_A_ROW, type Restoration } from './restore-entries.ts';

const DAY_MS = 86_400_000;
const RUN_AGAIN = 'It is safe to run the command again: it keeps existing entries and retries missing ones.';

export const logsRestore = command({
  name: 'restore',
  description: 'Restores lost log entries from the output of the functions.',
  arguments: {
    files: argument(
      '[file...]',
      'files with the output of the functions (default: their log groups in CloudWatch Logs; with --local, the logs of the local run)',
    ),
  },
  inherited: LOG_OPTIONS,
  help: 'The options --since, --from and --to of `neuron logs` select the time range in CloudWatch Logs (default: 1d).',
  async run({ files, since, from, to }, { terminal, out, connect }) {
    const ports = await connect();
    const isTimed = [since, from, to].some((time) => time !== undefined);
    if (isTimed && (files.length > 0 || ports.stack.local !== undefined))
      throw usageFailure(
        '--since, --from and --to apply to CloudWatch Logs; files are read in full.',
        'Omit them.',
      );
    const range = since === undefined && from === undefined ? { since: DAY_MS, to } : { since, from, to };
    const paths = files.map((path) => resolve(terminal.folder, path));
    const sources = openSources(paths, toPeriod(range, ports.clock.now()), ports);
    return restoreEntries({ sources, ports, out });
  },
});

/**
 * Restores every missing entry that has a line. Continues after entries that fail, and lists the first of them. Idempotent. Throws
 * `CommandFailure` where a source cannot be read, and when it gives up.
 */
async function restoreEntries({
  sources,
  ports,
  out,
}: {
  readonly sources: readonly AsyncIterable<string>[];
  readonly ports: Pick<
    Ports,
    'logReader' | 'logStore' | 'recordChange' | 'changes' | 'secretReader' | 'clock' | 'stack'
  >;
  readonly out: Output;
}): Promise<ExitCode> {
  const restorer = createRestorer({
    ...ports,
    isErased: createErasedEntries(ports),
    local: ports.stack.local?.folder,
  });
  const reportProgress = createProgress(ports.clock, out);
  const onGroup = () =>
    reportProgress(() => {
      const { entries, restored, failed } = restorer.result();
      return `${entries} entries so far, ${restored} restored, ${failed} failed`;
    });
  try {
    for (const source of sources) if (!(await restorer.restore(source, onGroup))) break;
    if (!restorer.result().gaveUp) await restorer.restoreInterrupted();
  } catch (error) {
    // Report what was restored before the source failed.
    if (restorer.result().entries > 0)
      report({ sources: sources.length, complete: false }, restorer.result(), out);
    throw error;
  }
  const restoration = restorer.result();
  report({ sources: sources.length, complete: !restoration.gaveUp }, restoration, out);
  if (!restoration.gaveUp) return restoration.failed === 0 ? EXIT.done : EXIT.failed;
  throw new CommandFailure({
    what: `The last ${MAX_FAILURES_IN_A_ROW} entries failed, so the remaining ones were skipped.`,
    why: restoration.lastWhy,
    remedy: 'Run the command again when the log table can be reached and written.',
  });
}

function report(
  run: { readonly sources: number; readonly complete: boolean },
  { entries, restored, there, erased, failed, failures }: Restoration,
  out: Output,
): void {
  const others = [
    failed + erased === 0 ? 'the others already existed' : `${there} already existed`,
    ...(erased === 0 ? [] : [`${erased} of erased persons were left out`]),
    ...(failed === 0 ? [] : [`${failed} failed`]),
  ].join(', ');
  out.value(
    { ...run, entries, restored, there, erased, failed, failures },
    `Restored ${restored} of ${entries} entries; ${others}.`,
  );
  if (failed === 0) return;
  const named = failures.map(({ executionId, why }) => `  ${printableLine(executionId)}: ${why}`);
  const more = failed > failures.length ? [`  and ${failed - failures.length} more`] : [];
  out.warn(['Not restored:', ...named, ...more, RUN_AGAIN].join('\n'));
}

function openSources(
  files: readonly string[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  { stack, lines }: Pick<Ports, 'stack' | 'lines'>,
): readonly AsyncIterable<string>[] {
  if (files.length > 0) return files.map(readLines);
  if (stack.local !== undefined) return findLogFiles(stack.local).map(readLines);
  const { authorizerLogGroup, executeLogGroup } = stack.outputs;
  return [authorizerLogGroup, executeLogGroup].map((group) => readGroup(lines, group, fromMs, toMs));
}

async function* readGroup(
  lines: LineReader,
  group: string,
  fromMs: number,
  toMs: number,
): AsyncGenerator<string> {
  // CloudWatch Logs rejects an empty time range.
  if (fromMs >= toMs) return;
  try {
    yield* lines.read(group, fromMs, toMs);
  } catch (error) {
    throw new CommandFailure({
      what: `The log group ${group} cannot be read.`,
      why: (error as Error).message,
      remedy: 'Allow your credentials logs:FilterLogEvents on the log group.',
    });
  }
}

async function* readLines(file: string): AsyncGenerator<string> {
  const input = createReadStream(file, 'utf8');
  try {
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    throw new CommandFailure({ what: `${file} cannot be read.`, why: (error as Error).message });
  }
}

function findLogFiles({ logFolder }: NonNullable<Stack['local']>): readonly string[] {
  try {
    return readdirSync(logFolder)
      .filter((name) => name.endsWith('.log'))
      .sort()
      .map((name) => join(logFolder, name));
  } catch (error) {
    throw new CommandFailure({
      what: `The local run has no output in ${logFolder}.`,
      why: (error as Error).message,
    });
  }
}

// `neuron logs restore`: makes the entries that were lost with their function from the lines it printed before.
import { createReadStream, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { parseLine } from '../../core/logs/line.ts';
import type { LineReader } from '../../core/ports/line-reader.ts';
import { CommandFailure, usageFailure } from '../failure.ts';
import { type LogOptions, toPeriod } from '../log-options.ts';
import type { Ports } from '../ports.ts';
import type { Output } from '../print.ts';
import type { Bind } from '../session.ts';
import type { Stack } from '../stack.ts';

const DAY_MS = 86_400_000;
/** Between two words on how far it has come. */
const PROGRESS_MS = 2_000;
/** Lines that are looked up at once. */
const SIDE_BY_SIDE = 16;

export function registerLogsRestore(logs: Command, bind: Bind): void {
  logs
    .command('restore')
    .description('Brings lost entries back from what the functions printed.')
    .argument(
      '[file...]',
      "files with the functions' output (default: their log groups in CloudWatch Logs; with --local, all of the local run)",
    )
    .addHelpText(
      'after',
      '\n--since, --from and --to of `neuron logs` say how far back in CloudWatch Logs (default: 1d).',
    )
    .action(
      bind(async (session, { args }) => {
        const ports = await session.connect();
        const files = args.map((path) => resolve(session.terminal.folder, path));
        // They are parsed where they are declared: at the command that this one is below.
        const { since, from, to } = logs.opts<LogOptions>();
        const isTimed = [since, from, to].some((given) => given !== undefined);
        if (isTimed && (files.length > 0 || ports.stack.local !== undefined))
          throw usageFailure('Times are of CloudWatch Logs; files are read whole.', 'Leave them out.');
        const given = since === undefined && from === undefined ? { since: DAY_MS, to } : { since, from, to };
        const sources = sourcesOf(files, toPeriod(given, ports.clock.now()), ports);
        await restoreEntries({ args: { sources }, ports, out: session.out });
      }),
    );
}

/**
 * Puts every entry that a line stands for and that is not there. Running it again changes nothing. Lines that are none of ours and entries
 * past their retention are passed over.
 */
export async function restoreEntries({
  args,
  ports,
  out,
}: {
  readonly args: { readonly sources: readonly AsyncIterable<string>[] };
  readonly ports: Pick<Ports, 'logReader' | 'logStore' | 'clock'>;
  readonly out: Output;
}): Promise<void> {
  const { logReader, logStore, clock } = ports;
  const counts = { lines: 0, restored: 0 };
  let saidMs = clock.now();
  const restore = async (line: string): Promise<void> => {
    const entry = parseLine(line);
    if (entry === undefined || entry.expiresAt <= clock.now() / 1000) return;
    counts.lines += 1;
    if ((await logReader.find(entry.executionId)) !== undefined) return;
    await logStore.put(entry);
    counts.restored += 1;
  };
  for (const source of args.sources) {
    for await (const lines of inGroups(source)) {
      await Promise.all(lines.map(restore));
      if (clock.now() - saidMs < PROGRESS_MS) continue;
      saidMs = clock.now();
      out.message(`${counts.lines} lines so far, ${counts.restored} restored`);
    }
  }
  out.value(
    { sources: args.sources.length, ...counts },
    `Restored ${counts.restored} of ${counts.lines} entries; the others were there.`,
  );
}

async function* inGroups(source: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let lines: string[] = [];
  for await (const line of source) {
    lines.push(line);
    if (lines.length < SIDE_BY_SIDE) continue;
    yield lines;
    lines = [];
  }
  yield lines;
}

function sourcesOf(
  files: readonly string[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  { stack, lines }: Pick<Ports, 'stack' | 'lines'>,
): readonly AsyncIterable<string>[] {
  if (files.length > 0) return files.map(linesOf);
  if (stack.local !== undefined) return findLogFiles(stack.local).map(linesOf);
  const { authorizerLogGroup, executeLogGroup } = stack.outputs;
  return [authorizerLogGroup, executeLogGroup].map((group) => readGroup(lines, group, fromMs, toMs));
}

async function* readGroup(
  lines: LineReader,
  group: string,
  fromMs: number,
  toMs: number,
): AsyncGenerator<string> {
  try {
    yield* lines.read(group, fromMs, toMs);
  } catch (error) {
    throw new CommandFailure({
      what: `The log group ${group} cannot be read.`,
      why: (error as Error).message,
      remedy: 'It takes the right logs:FilterLogEvents on the group.',
    });
  }
}

async function* linesOf(file: string): AsyncGenerator<string> {
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

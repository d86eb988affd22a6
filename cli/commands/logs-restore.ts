// `neuron logs restore`: makes the entries that were lost with their function from the lines it printed before.
import { createReadStream, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { parseLine } from '../../core/logs/line.ts';
import { CommandFailure, usageFailure } from '../failure.ts';
import type { Ports } from '../ports.ts';
import type { Output } from '../print.ts';
import type { Bind } from '../session.ts';
import type { Stack } from '../stack.ts';

export function registerLogsRestore(logs: Command, bind: Bind): void {
  logs
    .command('restore')
    .description('Brings lost entries back from what the functions printed.')
    .argument('[file...]', "files with the functions' output (default with --local: all of the local run)")
    .action(
      bind(async (session, { args }) => {
        const ports = await session.connect();
        const files =
          args.length > 0
            ? args.map((path) => resolve(session.terminal.folder, path))
            : findLogFiles(ports.stack);
        await restoreEntries({ args: { files }, ports, out: session.out });
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
  readonly args: { readonly files: readonly string[] };
  readonly ports: Pick<Ports, 'logReader' | 'logStore' | 'clock'>;
  readonly out: Output;
}): Promise<void> {
  const counts = { lines: 0, restored: 0 };
  const nowSeconds = ports.clock.now() / 1000;
  for (const file of args.files) {
    for await (const line of linesOf(file)) {
      const entry = parseLine(line);
      if (entry === undefined || entry.expiresAt <= nowSeconds) continue;
      counts.lines += 1;
      if ((await ports.logReader.find(entry.executionId)) !== undefined) continue;
      await ports.logStore.put(entry);
      counts.restored += 1;
    }
  }
  const { lines, restored } = counts;
  out.value(
    { files: args.files.length, lines, restored },
    `Restored ${restored} of ${lines} entries; the others were there.`,
  );
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const input = createReadStream(file, 'utf8');
  try {
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    throw new CommandFailure({ what: `${file} cannot be read.`, why: (error as Error).message });
  }
}

function findLogFiles({ local, outputs, region }: Stack): readonly string[] {
  if (local === undefined) {
    const { authorizerLogGroup, executeLogGroup } = outputs;
    const tail = (group: string) => `aws logs tail '${group}' --since 1d --format short --region ${region}`;
    throw usageFailure(
      'Name the files with the output of the functions.',
      `Get them with\n${tail(executeLogGroup)} > execute.log\n${tail(authorizerLogGroup)} > authorizer.log`,
    );
  }
  try {
    return readdirSync(local.logFolder)
      .filter((name) => name.endsWith('.log'))
      .sort()
      .map((name) => join(local.logFolder, name));
  } catch (error) {
    throw new CommandFailure({
      what: `The local run has no output in ${local.logFolder}.`,
      why: (error as Error).message,
    });
  }
}

// Reads what a local run wrote down about itself.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CommandFailure } from '../output/failure.ts';
import { chooseStack, type Stack } from './stack.ts';

/** Written by `npm start` into its data folder when it is ready, and removed when it stops. */
const FILE = 'outputs.json';

/** What this command reads of it. */
interface OutputsFile {
  readonly format: 1;
  readonly pid: number;
  readonly region: string;
  /** Outputs by output name, by stack name. */
  readonly stacks: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly endpoints: {
    readonly dynamodb: string;
    readonly secretsmanager: string;
    readonly url: string;
  };
  readonly logFolder: string;
}

/** The stack of a local run with this data folder. Throws `CommandFailure` when nothing runs there. */
export function findLocalStack(given: string, name: string | undefined, workingFolder: string): Stack {
  const folder = resolve(workingFolder, given);
  const { stacks, endpoints, region, logFolder } = readOutputs(join(folder, FILE), given);
  const found = Object.entries(stacks).map(([stack, outputs]) => ({ name: stack, outputs }));
  const { url, dynamodb, secretsmanager } = endpoints;
  return {
    ...chooseStack(found, name, `the local run in ${given}`),
    url: url.replace(/\/+$/, ''),
    region,
    profile: undefined,
    local: { folder, dynamodb, secretsmanager, logFolder },
  };
}

function readOutputs(path: string, given: string): OutputsFile {
  let file: OutputsFile;
  try {
    file = JSON.parse(readFileSync(path, 'utf8')) as OutputsFile;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw nothingRuns(given, isMissing ? undefined : (error as Error).message);
  }
  if (file.format !== 1) throw nothingRuns(given, `${path} was written by another release.`);
  if (!isAlive(file.pid)) throw nothingRuns(given, 'The last run was ended before it could stop.');
  return file;
}

function nothingRuns(given: string, why: string | undefined): CommandFailure {
  return new CommandFailure({
    what: `Nothing runs with the data folder ${given}.`,
    why,
    remedy: 'Start it with `npm start`, or name its folder with --local=DIR.',
  });
}

function isAlive(pid: number): boolean {
  try {
    // Signal 0 asks for the process and sends nothing (kill(2)).
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

// Reads what a local run wrote down about itself.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CommandFailure } from './failure.ts';
import { chooseStack, type Stack } from './stack.ts';

/** The file in the data folder that `npm start` writes when it is ready. */
const FILE = 'outputs.json';

interface OutputsFile {
  /** Outputs by output name, by stack name. */
  readonly stacks: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly endpoints: {
    readonly dynamodb: string;
    readonly secretsmanager: string;
    readonly url: string;
  };
}

/** The stack of a local run with this data folder. Throws `CommandFailure` when nothing ran there. */
export function findLocalStack(given: string, name: string | undefined, folder: string): Stack {
  const dataFolder = resolve(folder, given);
  const { stacks, endpoints } = readOutputs(dataFolder, given);
  const found = Object.entries(stacks).map(([stack, outputs]) => ({ name: stack, outputs }));
  const { url, dynamodb, secretsmanager } = endpoints;
  return {
    ...chooseStack(found, name, `the local run in ${given}`),
    url: url.replace(/\/+$/, ''),
    region: undefined,
    profile: undefined,
    local: { folder: dataFolder, dynamodb, secretsmanager, logFolder: join(dataFolder, 'logs') },
  };
}

function readOutputs(dataFolder: string, given: string): OutputsFile {
  try {
    const value = JSON.parse(readFileSync(join(dataFolder, FILE), 'utf8')) as Partial<OutputsFile>;
    const { stacks, endpoints } = value;
    if (stacks !== undefined && endpoints?.url !== undefined) return { stacks, endpoints };
    throw new Error(`${FILE} is not what this release writes.`);
  } catch (error) {
    throw new CommandFailure({
      what: `Nothing runs with the data folder ${given}.`,
      why: (error as Error).message,
      remedy: 'Start it with `npm start`, or name its folder with --local=DIR.',
    });
  }
}

// Finds a stack in CloudFormation, or in the outputs file of a local run.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isLoopbackHost } from '../../core/settings/address-policy.ts';
import { CommandFailure, noLocalRun } from '../output/failure.ts';
import type { GlobalOptions } from './options.ts';
import { chooseStack, type FoundStack, type Stack } from './stack.ts';

/** Throws `CommandFailure`, or an error of the AWS client. */
export async function findStack(options: GlobalOptions, folder: string): Promise<Stack> {
  if (options.local !== undefined) return findLocalStack(options.local, options.stack, folder);
  const { region, profile } = options;
  // A local run needs neither.
  const { CloudFormationClient, paginateDescribeStacks } = await import('@aws-sdk/client-cloudformation');
  const { clientConfig } = await import('./aws-client-config.ts');
  const client = new CloudFormationClient(clientConfig({ region, profile, local: undefined }));
  const found: FoundStack[] = [];
  // Reads all stacks even if one is named, because the error for a wrong name lists them.
  for await (const page of paginateDescribeStacks({ client }, {})) {
    for (const { StackName: name = '', StackStatus: status, Outputs: outputs = [] } of page.Stacks ?? []) {
      found.push({
        name,
        status,
        outputs: Object.fromEntries(outputs.map((one) => [one.OutputKey ?? '', one.OutputValue ?? ''])),
      });
    }
  }
  const used = region ?? (await client.config.region());
  const chosen = chooseStack(found, options.stack, used);
  return {
    ...chosen,
    url: chosen.outputs.apiUrl.replace(/\/+$/, ''),
    region: used,
    profile,
    local: undefined,
  };
}

/** Written by `npm start` into its data folder when it is ready, and removed when it stops. */
const FILE = 'outputs.json';

/** Its members that this command reads. */
interface OutputsFile {
  readonly format: 1;
  readonly pid: number;
  readonly region: string;
  /** Outputs by stack and output name. */
  readonly stacks: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly endpoints: {
    readonly dynamodb: string;
    readonly secretsmanager: string;
    readonly url: string;
  };
  readonly logFolder: string;
}

/** The stack of a local run with this data folder. Throws `CommandFailure` when nothing runs there. */
export function findLocalStack(dataFolder: string, name: string | undefined, workingFolder: string): Stack {
  const folder = resolve(workingFolder, dataFolder);
  const { stacks, endpoints, region, logFolder } = readOutputs(join(folder, FILE), dataFolder);
  const found = Object.entries(stacks).map(([stack, outputs]) => ({ name: stack, outputs }));
  const { url, dynamodb, secretsmanager } = endpoints;
  return {
    ...chooseStack(found, name, `the local run in ${dataFolder}`),
    url: url.replace(/\/+$/, ''),
    region,
    profile: undefined,
    local: { folder, dynamodb, secretsmanager, logFolder },
  };
}

function readOutputs(path: string, dataFolder: string): OutputsFile {
  let file: OutputsFile;
  try {
    file = JSON.parse(readFileSync(path, 'utf8')) as OutputsFile;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw nothingRuns(dataFolder, isMissing ? undefined : (error as Error).message);
  }
  if (file.format !== 1) throw nothingRuns(dataFolder, `${path} was written by another release.`);
  // The file could come with a foreign repository, and keys of providers would go to its addresses.
  const foreign = Object.values(file.endpoints).find((url) => !isLoopbackUrl(url));
  if (foreign !== undefined)
    throw nothingRuns(dataFolder, `${path} names ${foreign}, which is not on this machine.`);
  if (!isAlive(file.pid)) throw nothingRuns(dataFolder, 'The last run ended without a clean stop.');
  return file;
}

function nothingRuns(dataFolder: string, why: string | undefined): CommandFailure {
  return new CommandFailure(noLocalRun(dataFolder, why));
}

function isLoopbackUrl(url: string): boolean {
  return URL.canParse(url) && isLoopbackHost(new URL(url).hostname);
}

function isAlive(pid: number): boolean {
  try {
    // Signal 0 only checks that the process exists (kill(2)).
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

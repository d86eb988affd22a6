// Tells other programs what runs: a file in the data folder, written when the stack is ready and removed when it stops.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomically } from './data-folder/write-file.ts';
import type { ResolvedStack } from './template/types.ts';

export interface Endpoints {
  /** The REST API, for example `http://127.0.0.1:3000`, without a path and without a slash at the end. */
  readonly url: string;
  readonly dynamodb: string;
  readonly secretsmanager: string;
}

/**
 * The content of `outputs.json` in the data folder, for example:
 *
 * ```json
 * {
 *   "format": 1,
 *   "pid": 4711,
 *   "region": "us-east-1",
 *   "stacks": { "Shop": { "ApiUrl": "http://127.0.0.1:3000/", "OrdersTable": "Shop-OrdersTable" } },
 *   "endpoints": {
 *     "url": "http://127.0.0.1:3000",
 *     "dynamodb": "http://127.0.0.1:40123/0c5e…",
 *     "secretsmanager": "http://127.0.0.1:40124/9f21…"
 *   },
 *   "logFolder": "/home/me/shop/.local/logs"
 * }
 * ```
 *
 * A run that was killed leaves the file behind: then no process has the `pid`, and nothing listens at the endpoints. The file is
 * replaced as a whole, so that no reader sees a part of it.
 */
export interface OutputsFile {
  readonly format: 1;
  readonly pid: number;
  /** The region that calls to the endpoints are signed for. */
  readonly region: string;
  /** Addresses of the API are local ones. */
  readonly stacks: StackOutputs;
  readonly endpoints: Endpoints;
  /** Absolute; holds `FUNCTION.log` per function, with its standard output and error. */
  readonly logFolder: string;
}

/** Output values by output logical id, by stack name. */
export type StackOutputs = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The outputs of all stacks. The address that a REST API would have on AWS, stage included, becomes the local one. */
export function renderOutputs(stacks: readonly ResolvedStack[], url: string): StackOutputs {
  const apiUrls = stacks
    .flatMap(({ resources }) => resources)
    .filter(({ type }) => type === 'AWS::ApiGateway::RestApi')
    .map(({ physicalId }) => `https?://${physicalId}\\.execute-api\\.[a-z0-9.-]+(?:/[A-Za-z0-9_-]+)?`);
  const toLocal = (value: string) =>
    apiUrls.reduce((text, pattern) => text.replaceAll(new RegExp(pattern, 'g'), url), value);
  return Object.fromEntries(
    stacks.map(({ name, outputs }) => [
      name,
      Object.fromEntries(Object.entries(outputs).map(([id, value]) => [id, toLocal(value)])),
    ]),
  );
}

export function writeOutputs(dataFolder: string, outputs: OutputsFile): void {
  writeFileAtomically(join(dataFolder, 'outputs.json'), `${JSON.stringify(outputs, null, 2)}\n`);
}

/** Removes the file, also one that a killed run has left. */
export function removeOutputs(dataFolder: string): void {
  rmSync(join(dataFolder, 'outputs.json'), { force: true });
}

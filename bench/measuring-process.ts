// Starts a process that loads the bundles with the environment of the template.
import { spawn } from 'node:child_process';
import type { Bundle } from './assembly.ts';

/** A process and its task. */
interface MeasuringProcess {
  readonly program: string;
  /** The first argument, as JSON. */
  readonly input: unknown;
  readonly bundles: readonly Bundle[];
  /** DynamoDB's. */
  readonly endpoint: string;
  /** Added to that of the template. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Options of Node. */
  readonly options?: readonly string[];
}

/** Passes on every message and resolves with the last one. Rejects when the process fails or sends none. */
export function runMeasuringProcess<T>(
  { program, input, bundles, endpoint, environment, options = [] }: MeasuringProcess,
  onMessage: (message: T) => void = () => undefined,
): Promise<T> {
  const child = spawn(process.execPath, [...options, program, JSON.stringify(input)], {
    env: {
      ...Object.assign({}, ...bundles.map((bundle) => bundle.environment)),
      PATH: process.env['PATH'],
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return new Promise<T>((resolve, reject) => {
    let last: T | undefined;
    child.on('message', (message) => {
      last = message as T;
      onMessage(last);
    });
    child.once('close', (code) => {
      if (code === 0 && last !== undefined) resolve(last);
      else reject(new Error(`the measuring process ended with ${code}`));
    });
  });
}

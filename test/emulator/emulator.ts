// The emulator as a process of this run: MiniStack on a random port of 127.0.0.1, with TLS and IAM enforced.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { runProgram } from '../e2e/support/command.ts';
import { makeCertificate } from './install.ts';

/** AWS's own example account. */
export const ACCOUNT = '111122223333';
export const REGION = 'eu-central-1';

const START_MS = 60_000;

/** In the world's folder: each action that a deployment was allowed or denied, a line each. */
export const CALLS_FILE = 'deployment-calls.txt';

/** A running emulator. */
export interface Emulator {
  /** Where all of AWS is. */
  readonly endpoint: string;
  /** Variables with which every AWS client uses it, without credentials. */
  readonly environment: Readonly<Record<string, string>>;
  /** One call of AWS's client for Python. Throws what the service answers as an error. */
  aws(
    service: string,
    operation: string,
    parameters?: object,
    credentials?: Credentials,
  ): Promise<Readonly<Record<string, unknown>>>;
  stop(): Promise<void>;
}

/** Variables of an IAM principal. */
export type Credentials = Readonly<Record<string, string>>;

/** Who owns the account; IAM refuses it nothing. Used to make principals, and for what nobody should be able to do. */
export const ROOT_CREDENTIALS: Credentials = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };

/** Starts it. `installed` is its venv; `folder` takes its state, and must be empty. */
export async function startEmulator(installed: string, folder: string): Promise<Emulator> {
  const { certificate, key } = await makeCertificate(folder, `*.execute-api.${REGION}.amazonaws.com`);
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(certificate, 'utf8')]);
  const port = await freePort();
  const python = join(installed, 'bin/python');
  const child = spawn(python, [join(import.meta.dirname, 'server.py')], {
    env: { ...process.env, ...serverEnvironment(folder, port, { certificate, key }) },
    stdio: ['ignore', openSync(join(folder, 'server.log'), 'a'), openSync(join(folder, 'server.log'), 'a')],
  });
  // However this run ends, nothing of it goes on; the emulator ends the processes of its functions.
  process.once('exit', () => child.kill('SIGTERM'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const endpoint = `https://localhost:${port}`;
  await untilReady(child, endpoint);
  const environment = {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_CA_BUNDLE: certificate,
    NODE_EXTRA_CA_CERTS: certificate,
  };
  return {
    endpoint,
    environment,
    async aws(service, operation, parameters = {}, credentials = ROOT_CREDENTIALS) {
      const script = join(import.meta.dirname, 'aws.py');
      const words = [script, service, operation, JSON.stringify(parameters)];
      const answer = JSON.parse(
        await runProgram(python, words, { environment: { ...environment, ...credentials } }),
      );
      if (answer.Error !== undefined)
        throw new Error(`${service} ${operation}: ${answer.Error.Code}: ${answer.Error.Message}`);
      return answer;
    },
    stop: () => stop(child),
  };
}

function serverEnvironment(
  folder: string,
  port: number,
  { certificate, key }: { readonly certificate: string; readonly key: string },
): Record<string, string> {
  mkdirSync(join(folder, 'state'));
  mkdirSync(join(folder, 'tmp'));
  return {
    // Functions run as its child processes with the first Node on PATH.
    PATH: `${join(process.execPath, '..')}:${process.env['PATH']}`,
    TMPDIR: join(folder, 'tmp'),
    BIND_HOST: '127.0.0.1',
    GATEWAY_PORT: String(port),
    // Calls carry the host that the stack's output names.
    MINISTACK_HOST: `${REGION}.amazonaws.com`,
    MINISTACK_REGION: REGION,
    MINISTACK_ACCOUNT_ID: ACCOUNT,
    AUTH: 'true',
    NEURON_DEPLOYMENT_CALLS: join(folder, CALLS_FILE),
    USE_SSL: '1',
    MINISTACK_SSL_CERT: certificate,
    MINISTACK_SSL_KEY: key,
    STATE_DIR: join(folder, 'state'),
    S3_DATA_DIR: join(folder, 'state/s3'),
    ...ROOT_CREDENTIALS,
    AWS_ENDPOINT_URL: `https://localhost:${port}`,
    NODE_EXTRA_CA_CERTS: certificate,
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

async function untilReady(child: ChildProcess, endpoint: string): Promise<void> {
  const until = Date.now() + START_MS;
  while (Date.now() < until && child.exitCode === null) {
    const answer = await fetch(`${endpoint}/_ministack/health`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(200);
  }
  child.kill();
  throw new Error('the emulator did not start; its server.log says why');
}

/** Ends the emulator, which ends the processes of its functions. */
function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

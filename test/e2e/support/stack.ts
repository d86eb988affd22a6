// The stack that scenarios run against: one that is started here and stopped without a trace, or a deployed one.
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { COMPILE_CACHE } from '../../../bin/start/synthesize.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type Answer, type CallOptions, callUrl } from './call.ts';
import { type CommandOptions, type CommandResult, ROOT, runNeuron } from './command.ts';
import { descendantsOf, type Process, stillRunning } from './processes.ts';

export type TransferMode = 'STREAM' | 'BUFFERED';

/** `NEURON_E2E_URL`: the same scenarios run against a deployment; the `neuron` command finds it by `NEURON_E2E_STACK`. */
const DEPLOYED_URL = process.env['NEURON_E2E_URL'];
/** True where the stack is started here: some scenarios need its processes, its files or a provider on loopback. */
export const isLocal = DEPLOYED_URL === undefined;
/** `NEURON_E2E_ENGINE=dynalite` runs everything on the other embedded database. */
export const ENGINE = process.env['NEURON_E2E_ENGINE'] === 'dynalite' ? 'dynalite' : 'dynoxide';
/** `NEURON_E2E_STAGE=prod` runs the scenarios that `npm start` serves on that stage's template; its waiting times are longer. */
const STAGE = process.env['NEURON_E2E_STAGE'];
/** `NEURON_E2E_COMPUTE=shared` runs many calls in each process, as on Lambda Managed Instances. */
export const COMPUTE = process.env['NEURON_E2E_COMPUTE'] === 'shared' ? 'shared' : undefined;
/** Both modes here; that of the deployment there. */
export const TRANSFER_MODES: readonly TransferMode[] = isLocal
  ? ['STREAM', 'BUFFERED']
  : [process.env['NEURON_E2E_TRANSFER_MODE'] === 'BUFFERED' ? 'BUFFERED' : 'STREAM'];

/** For what does not depend on how answers are handed on: all modes in .ci/deep, which sets the variable, and else the one that stages have. */
export const SOME_MODES: readonly TransferMode[] =
  process.env['NEURON_E2E_LONG'] === undefined ? TRANSFER_MODES.slice(0, 1) : TRANSFER_MODES;

/** What `npm start` is told: nothing where it is the mode of the stages, whose assembly would be made twice. */
export function transferModeOption(transferMode: TransferMode = 'STREAM'): readonly TransferMode[] {
  return transferMode === 'STREAM' ? [] : [transferMode];
}

/** How to start a stack. */
export interface StackOptions {
  readonly transferMode?: TransferMode;
  /** Settings to apply, as YAML; none where absent. */
  readonly settings?: string;
  /** Kept after the stop; absent: one of its own, removed with the stop, and tables in memory. */
  readonly dataFolder?: string;
  /** A changed assembly instead of the one that `npm start` makes; `settings` are not applied to it. */
  readonly assembly?: string;
  /** With `assembly`: stand-ins for the services that the functions are told of. */
  readonly functionEndpoints?: { readonly dynamodb?: string; readonly secretsmanager?: string };
  readonly concurrency?: number;
  /** The caller's address is what X-Forwarded-For says last. */
  readonly trustForwardedFor?: boolean;
  readonly port?: number;
  /** Certificates that the functions trust besides the usual ones. */
  readonly ca?: string;
  /** False: functions may not connect to loopback, as when deployed. */
  readonly loopback?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A stack that answers. */
export interface Stack {
  readonly url: string;
  readonly dataFolder: string;
  /** The runner's; undefined for a deployment. */
  readonly pid: number;
  /** All that the runner printed, and what the command said that applied `settings`. */
  readonly output: () => string;
  call(path: string, options?: CallOptions): Promise<Answer>;
  /** Runs `neuron WORDS…` against this stack. */
  neuron(words: readonly string[], options?: CommandOptions): Promise<CommandResult>;
  /** Runs `neuron WORDS…` and throws what it said when it fails. */
  operate(words: readonly string[], options?: CommandOptions): Promise<string>;
  /** Ends it, and throws when it did not end well or left a process behind. Again: does nothing. */
  stop(signal?: 'SIGTERM' | 'SIGINT'): Promise<void>;
  /** Resolves when the runner has ended, by whatever. */
  readonly ended: Promise<number | string>;
}

/** Starts a stack, or takes the deployed one and applies the settings to it. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  if (DEPLOYED_URL !== undefined) return useDeployed(DEPLOYED_URL, options);
  const runner = spawnRunner(options);
  const { url, dataFolder } = await runner.ready;
  const stack = bind(url, dataFolder, [`--local=${dataFolder}`]);
  const stop: Stack['stop'] = (signal = 'SIGTERM') => stopRunner(runner, signal);
  const { settings, assembly } = options;
  const applied =
    settings === undefined || assembly !== undefined
      ? ''
      : await applyTo(stack, settings).catch(async (error: unknown) => {
          await stop();
          throw error;
        });
  return {
    ...stack,
    pid: runner.child.pid ?? 0,
    output: () => runner.output() + applied,
    ended: runner.ended,
    stop,
  };
}

/** By the command as the tests have it: `npm start` would run it from its sources, which takes half a second of CPU more. Gives what it said. */
async function applyTo(stack: Pick<Stack, 'neuron'>, settings: string): Promise<string> {
  const file = join(temporaryFolder(), 'settings.yaml');
  writeFileSync(file, settings);
  const { exitCode, stdout, stderr } = await stack.neuron(['apply', file, '--quiet']);
  if (exitCode !== 0) throw new Error(`the settings were not applied (${exitCode}):\n${stdout}${stderr}`);
  return stdout + stderr;
}

interface Runner {
  readonly child: ChildProcess;
  readonly ready: Promise<{ readonly url: string; readonly dataFolder: string }>;
  readonly ended: Promise<number | string>;
  readonly output: () => string;
}

function spawnRunner(options: StackOptions): Runner {
  const { assembly, dataFolder, transferMode, concurrency = 2, port = 0, environment } = options;
  const words =
    assembly === undefined
      ? [
          'bin/start.js',
          dataFolder === undefined ? '--ephemeral' : `--data=${dataFolder}`,
          `--port=${port}`,
          '--apply=none',
          `--concurrency=${concurrency}`,
          `--engine=${ENGINE}`,
          ...(STAGE === undefined ? [] : [`--stage=${STAGE}`]),
          ...(COMPUTE === undefined ? [] : [`--compute=${COMPUTE}`]),
          ...transferModeOption(transferMode).map((mode) => `--transfer-mode=${mode}`),
          ...(options.trustForwardedFor === true ? ['--trust-forwarded-for'] : []),
          ...(options.ca === undefined ? [] : [`--ca=${options.ca}`]),
          ...(options.loopback === false ? ['--no-loopback'] : []),
        ]
      : ['test/e2e/support/run-assembly.ts', JSON.stringify(localOptions(options))];
  const child = spawn(process.execPath, words, {
    cwd: ROOT,
    env: { ...process.env, NO_COLOR: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A test run that is killed must leave no stack behind.
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  let output = '';
  const ended = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => {
      process.removeListener('exit', kill);
      resolve(signal ?? code ?? 0);
    });
  });
  const ready = new Promise<Awaited<Runner['ready']>>((resolve, reject) => {
    const read = (text: string) => {
      output += text;
      const url = /^ready (http:\S+)$/m.exec(output)?.[1];
      if (url === undefined) return;
      const folder = dataFolder ?? /^Data in (\S+), function logs/m.exec(output)?.[1];
      if (folder === undefined) reject(new Error(`the stack did not say where its data is:\n${output}`));
      else resolve({ url, dataFolder: folder });
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    void ended.then((how) => reject(new Error(`the stack ended (${how}) before it was ready:\n${output}`)));
  });
  return { child, ready, ended, output: () => output };
}

function localOptions(options: StackOptions): object {
  const { assembly, concurrency, port, ca, functionEndpoints, trustForwardedFor, dataFolder } = options;
  const same = { loopbackSymbol: 'neuron.loopback', engine: ENGINE, functionEndpoints, trustForwardedFor };
  const data = dataFolder === undefined ? { data: '', ephemeral: true } : { data: dataFolder };
  const compileCacheFolder = join(assembly ?? '', COMPILE_CACHE);
  return {
    ...same,
    ...data,
    assembly,
    compileCacheFolder,
    ca,
    port: port ?? 0,
    concurrency: concurrency ?? 2,
  };
}

async function stopRunner({ child, ended, output }: Runner, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const below = descendantsOf(child.pid ?? 0);
  child.kill(signal);
  const how = await ended;
  if (how !== 0) throw new Error(`the stack ended with ${how}:\n${output()}`);
  const left = await settle(below);
  if (left.length > 0) throw new Error(`left behind:\n${left.map(({ command }) => command).join('\n')}`);
}

/** What of the processes is still there once those that are on their way out have had a moment for it. */
async function settle(processes: readonly Process[]): Promise<readonly Process[]> {
  for (let waits = 0; waits < 20 && stillRunning(processes).length > 0; waits += 1) await sleep(100);
  return stillRunning(processes);
}

async function useDeployed(url: string, { settings }: StackOptions): Promise<Stack> {
  const name = process.env['NEURON_E2E_STACK'];
  const stack = bind(url, '', name === undefined ? [] : [`--stack=${name}`]);
  if (settings !== undefined) await applyTo(stack, settings);
  return {
    ...stack,
    pid: 0,
    output: () => '',
    ended: new Promise(() => undefined),
    stop: async () => undefined,
  };
}

function bind(url: string, dataFolder: string, where: readonly string[]) {
  const neuron: Stack['neuron'] = (words, options) => runNeuron([...words, ...where, '--yes'], options);
  return {
    url,
    dataFolder,
    call: (path: string, options?: CallOptions) => callUrl(url, path, options),
    neuron,
    async operate(words: readonly string[], options?: CommandOptions) {
      const { exitCode, stdout, stderr } = await neuron(words, options);
      if (exitCode !== 0)
        throw new Error(`neuron ${words.join(' ')} failed (${exitCode}):\n${stdout}${stderr}`);
      return stdout;
    },
  };
}

// `npm start`: synthesizes the app, runs its template on this machine, applies the examples, prints calls to try.
import { join } from 'node:path';
import { type Local, startLocal } from 'run-template-locally';
import { watchNpm } from '../adapters/platform/parent-process.ts';
import { applySettings } from './start/apply-settings.ts';
import { EXAMPLES, parseStartOptions, type StartOptions } from './start/options.ts';
import { renderReady } from './start/ready.ts';
import { COMPILE_CACHE, SynthesisError, synthesize } from './start/synthesize.ts';
import { watch } from './start/watch.ts';

const ROOT = join(import.meta.dirname, '..');

/** Names the symbol that allows loopback addresses in a function's process. No bundle registers it. */
const LOOPBACK_SYMBOL = 'neuron.loopback';

/** Runs until SIGTERM or SIGINT, and under npm until npm ends. */
export async function startService(args: readonly string[]): Promise<void> {
  const options = parseStartOptions(args);
  const stop = new AbortController();
  // A full disk, or a reader that has ended, must not end the runner.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort());
  watchNpm(() => stop.abort());
  try {
    await run(options, stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return;
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  }
}

async function run(options: StartOptions, signal: AbortSignal): Promise<void> {
  const { stage, transferMode, compute, engine } = options;
  const folder = join(ROOT, '.local', 'cdk', [stage, transferMode ?? [], compute ?? []].flat().join('-'));
  const synthesis = { root: ROOT, folder, stage, transferMode, compute, signal };
  await synthesize(synthesis);
  signal.throwIfAborted();
  const stack = await start(options, folder);
  stopOn(signal, stack);
  const apply = () => applySettings(options.apply, stack.dataFolder, `${stage} ${engine}`, signal);
  const outcome = await apply().catch(async (error: unknown) => {
    await stack.stop();
    throw error;
  });
  if (outcome === 'failed' && !options.watch) {
    await stack.stop();
    throw new Error(
      `The settings in ${options.apply.join(', ')} were not applied, so the stack was stopped. Correct them, or start with --apply none.`,
    );
  }
  if (options.watch) watch({ synthesis, settings: options.apply, apply, stack });
  const facts = { url: stack.url, dataFolder: options.ephemeral ? stack.dataFolder : options.data };
  process.stdout.write(
    renderReady({
      ...facts,
      dynamodbUrl: stack.endpoints.dynamodb,
      applied: outcome === 'none' ? 'nothing' : options.apply.includes(EXAMPLES) ? 'examples' : 'settings',
    }),
  );
  process.stdout.write(`ready ${stack.url}\n`);
}

function start(options: StartOptions, assembly: string): Promise<Local> {
  return startLocal({
    assembly,
    // A start with an empty data folder compiles nothing again either.
    compileCacheFolder: join(assembly, COMPILE_CACHE),
    data: options.data,
    ephemeral: options.ephemeral,
    port: options.port,
    concurrency: options.concurrency,
    engine: options.engine,
    verbose: options.verbose,
    ca: options.ca,
    loopbackSymbol: options.loopback ? LOOPBACK_SYMBOL : undefined,
    trustForwardedFor: options.trustForwardedFor,
    log: (line: string) => process.stderr.write(`${line}\n`),
  });
}

function stopOn(signal: AbortSignal, stack: Local): void {
  const stop = (): void => {
    stack.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${messageOf(error)}\n`);
        process.exit(1);
      },
    );
  };
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
}

function messageOf(error: unknown): string {
  if (error instanceof SynthesisError)
    return `${error.output}\nThe app could not be synthesized. The reason is above.`;
  return error instanceof Error ? error.message : String(error);
}

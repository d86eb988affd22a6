// `npm start`: synthesizes the app, runs its template on this machine, applies the examples, prints calls to try.
import { join } from 'node:path';
import { type Local, startLocal } from '../local/index.ts';
import { applySettings } from './start/apply-settings.ts';
import { parseStartOptions, type StartOptions } from './start/options.ts';
import { renderReady } from './start/print-calls.ts';
import { SynthesisFailed, synthesize } from './start/synthesize.ts';
import { watch } from './start/watch.ts';

/** The repository's root. */
const ROOT = join(import.meta.dirname, '..');

/** The name under which a function's process is told that it may call loopback addresses; nothing in a bundle registers it. */
const LOOPBACK_SYMBOL = 'neuron.loopback';

/** Runs until SIGTERM or SIGINT. */
export async function main(args: readonly string[]): Promise<void> {
  const options = parseStartOptions(args);
  try {
    await run(options);
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  }
}

async function run(options: StartOptions): Promise<void> {
  const assembly = join(ROOT, '.local', 'cdk', [options.stage, options.transferMode ?? []].flat().join('-'));
  const synthesis = {
    root: ROOT,
    folder: assembly,
    stage: options.stage,
    transferMode: options.transferMode,
  };
  await synthesize(synthesis);
  const stack = await start(options, assembly);
  stopOnSignals(stack);
  const outcome = await applySettings(options.apply, stack.dataFolder);
  if (outcome === 'failed' && !options.watch) {
    await stack.stop();
    throw new Error(
      `The settings in ${options.apply} were not applied, so the stack was stopped. Mend them, or start with --apply none.`,
    );
  }
  if (options.watch) watch({ synthesis, apply: options.apply, stack });
  const facts = { url: stack.url, dataFolder: options.ephemeral ? stack.dataFolder : options.data };
  process.stdout.write(
    renderReady({ ...facts, dynamodbUrl: stack.endpoints.dynamodb, applied: outcome !== 'none' }),
  );
  process.stdout.write(`ready ${stack.url}\n`);
}

function start(options: StartOptions, assembly: string): Promise<Local> {
  return startLocal({
    assembly,
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

function stopOnSignals(stack: Local): void {
  const stop = (): void => {
    process.off('SIGTERM', stop).off('SIGINT', stop);
    stack.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${messageOf(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
}

function messageOf(error: unknown): string {
  if (error instanceof SynthesisFailed)
    return `${error.output}\nThe app could not be synthesized; the reason is above.`;
  return error instanceof Error ? error.message : String(error);
}

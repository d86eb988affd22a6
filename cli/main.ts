// Runs one command line and returns its exit code.
import { CommanderError } from 'commander';
import type { Execute } from './command/command.ts';
import { keepTarget } from './output/command-line.ts';
import { EXIT, type ExitCode, toCommandFailure } from './output/failure.ts';
import { createPaint } from './output/paint.ts';
import { renderFailure } from './output/print.ts';
import type { Terminal } from './output/terminal.ts';
import { loadProgram } from './program.ts';
import { type GlobalOptions, normalizeArguments, readGlobalOptions } from './session/options.ts';
import type { OpenSession } from './session/session.ts';

/** `words`: the command line without the program. */
export async function main(
  words: readonly string[],
  terminal: Terminal,
  openSession: OpenSession,
): Promise<ExitCode> {
  let exitCode: ExitCode | undefined;
  let options: GlobalOptions | undefined;
  const execute: Execute = async (parsed, body) => {
    options = readGlobalOptions(parsed, terminal.environment);
    exitCode = await body(openSession(options, terminal));
  };
  try {
    const line = normalizeArguments(words);
    await (await loadProgram(terminal, execute, line)).parseAsync(line, { from: 'user' });
    return exitCode ?? EXIT.done;
  } catch (error) {
    // Commander has printed its message; its own exit code for wrong usage is 1.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    const { detail } = toCommandFailure(error, options?.local);
    const paint = createPaint((options?.color ?? false) && terminal.stderr.isTerminal);
    terminal.stderr.write(keepTarget(renderFailure(detail, paint), options ?? {}));
    return detail.exitCode ?? EXIT.failed;
  }
}

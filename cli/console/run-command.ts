// Runs a command of `neuron` within this process and collects what it prints. The console has no other way to the service.
import { CommanderError } from 'commander';
import type { BuildProgram, Execute } from '../command/command.ts';
import { keepTarget, quote } from '../output/command-line.ts';
import { CommandFailure, EXIT, type ExitCode, toCommandFailure, usageFailure } from '../output/failure.ts';
import type { Output } from '../output/print.ts';
import type { Terminal } from '../output/terminal.ts';
import type { Ports } from '../session/ports.ts';
import type { Session } from '../session/session.ts';
import type { CommandResult } from './api.ts';

/** How to run a command line. */
export interface RunOptions {
  /** `json`: values as with `--json`. `text`: as a file would get it. */
  readonly form?: 'json' | 'text';
  /** Values after which reading ends. */
  readonly most?: number | undefined;
  /** Gets each value instead of the result. */
  readonly onValue?: (value: unknown) => void;
  /** Ends a command that waits. */
  readonly signal?: AbortSignal;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs words of a command line without the global options, which are those of the console. Throws `CommandFailure`. */
export type RunCommand = (words: readonly string[], options?: RunOptions) => Promise<CommandResult>;

/** Thrown through a command that has printed enough. A class, to tell it from the command's own failures. */
class EnoughValues extends Error {}

/** Runs commands in the session of `neuron console`: the stack is found once. */
export function createRunCommand(session: Session, buildProgram: BuildProgram): RunCommand {
  return async (words, options = {}) => {
    const collected = collect(session, options);
    const said = { usage: '' };
    const terminal = createSilentTerminal(session.terminal, said, options.environment);
    const inner: Session = {
      options: { ...session.options, json: options.form !== 'text', quiet: false, yes: true, color: false },
      terminal,
      out: collected.out,
      findStack: session.findStack,
      connect: async () => endWith(await session.connect(), options.signal),
    };
    let exitCode: ExitCode = EXIT.done;
    const execute: Execute = async (_parsed, body) => {
      exitCode = (await body(inner)) ?? EXIT.done;
    };
    let more = false;
    try {
      await buildProgram(terminal, execute).parseAsync([...words], { from: 'user' });
    } catch (error) {
      if (!(error instanceof EnoughValues) && !options.signal?.aborted)
        throw toFailure(error, said.usage, session);
      more = true;
    }
    return { ...collected.result(), more, exitCode, command: renderWords(words, session) };
  };
}

function collect(session: Session, { form = 'json', most, onValue, signal }: RunOptions) {
  const values: unknown[] = [];
  const messages: string[] = [];
  const warnings: string[] = [];
  const push = (value: unknown) => {
    if (signal?.aborted || (most !== undefined && values.length >= most)) throw new EnoughValues();
    if (onValue === undefined) values.push(value);
    else onValue(value);
  };
  const message = (text: string) => void messages.push(keepTarget(text, session.options));
  const plain: Output['paint'] = (_format, text) => text;
  const out: Output = {
    json: form === 'json',
    paint: plain,
    width: undefined,
    value: (value, text) => push(form === 'json' ? value : text),
    list: (items, _columns, none) => {
      if (items.length === 0) message(none);
      for (const item of items) push(item);
    },
    raw: (text) => push(text),
    message: (text) => message(typeof text === 'string' ? text : text(plain)),
    warn: (text) => void warnings.push(keepTarget(text, session.options)),
    // The page asks before it sends a change.
    confirm: async () => undefined,
  };
  return { out, result: () => ({ values, messages, warnings }) };
}

/** Usage errors of the parser are caught; nothing may be read from the terminal of `neuron console`. */
function createSilentTerminal(
  { folder }: Terminal,
  said: { usage: string },
  environment: Readonly<Record<string, string>> = {},
): Terminal {
  const sink = { isTerminal: false, write: () => undefined };
  const errors = {
    isTerminal: false,
    write: (text: string) => {
      said.usage += text;
    },
  };
  return {
    stdin: { isTerminal: false, readAll: async () => '', readLine: async () => undefined },
    stdout: sink,
    stderr: errors,
    environment,
    folder,
  };
}

/** A command that waits ends at once. */
function endWith(ports: Ports, signal: AbortSignal | undefined): Ports {
  if (signal === undefined) return ports;
  const sleep: Ports['clock']['sleep'] = (milliseconds, own) =>
    ports.clock.sleep(milliseconds, own === undefined ? signal : AbortSignal.any([own, signal]));
  return { ...ports, clock: { ...ports.clock, sleep } };
}

function toFailure(error: unknown, usage: string, { options }: Session): CommandFailure {
  if (error instanceof CommanderError) {
    const [what, ...remedy] = usage
      .trim()
      .replace(/^error: /, '')
      .split('\n');
    return usageFailure(what || error.message, remedy.join('\n').trim() || undefined);
  }
  const { detail } = toCommandFailure(error, options.local);
  const keep = (text: string | undefined) => text && keepTarget(text, options);
  return new CommandFailure(
    { ...detail, what: keepTarget(detail.what, options), why: keep(detail.why), remedy: keep(detail.remedy) },
    { cause: error },
  );
}

function renderWords(words: readonly string[], { options }: Session): string {
  return keepTarget(`\`neuron ${words.map(quote).join(' ')}\``, options).slice(1, -1);
}

// Runs a command of `neuron` in this process and collects its output. The console uses nothing else to reach the service.
import { type Command, CommanderError } from 'commander';
import type { Execute, LoadProgram } from '../command/command.ts';
import { keepTarget, quote } from '../output/command-line.ts';
import { CommandFailure, EXIT, type ExitCode, toCommandFailure, usageFailure } from '../output/failure.ts';
import type { Output } from '../output/print.ts';
import type { Terminal } from '../output/terminal.ts';
import type { Ports } from '../session/ports.ts';
import type { Session } from '../session/session.ts';
import type { CommandResult } from './api.ts';

export interface RunOptions {
  /** The command that may run, such as `logs list`; words that mean another one are rejected. */
  readonly command: string;
  /** `json`: values as with `--json`. `text`: as redirected to a file. */
  readonly form?: 'json' | 'text';
  /** Reading ends after this many values. */
  readonly maxValues?: number | undefined;
  /** Gets the values in place of the result. */
  readonly onValue?: (value: unknown) => void;
  /** Ends a waiting command. */
  readonly signal?: AbortSignal;
  readonly environment?: Readonly<Record<string, string>>;
  /** Standard input of the command. */
  readonly stdin?: string | undefined;
}

/** Runs a command line with the global options of the console. Throws `CommandFailure`. */
export type RunCommand = (words: readonly string[], options: RunOptions) => Promise<CommandResult>;

/** Ends a command that has printed enough. A class, to distinguish it from failures of the command. */
class ValueLimitReached extends Error {}

export function createRunCommand(session: Session, loadProgram: LoadProgram): RunCommand {
  return async (words, options) => {
    const collected = collect(session, options);
    const errors = { text: '' };
    const terminal = createSilentTerminal(session.terminal, errors, options);
    const inner: Session = {
      options: { ...session.options, json: options.form !== 'text', quiet: false, yes: true, color: false },
      terminal,
      out: collected.out,
      findStack: session.findStack,
      connect: async () => endWith(await session.connect(), options.signal),
    };
    let exitCode: ExitCode = EXIT.done;
    const execute: Execute = async (parsed, body) => {
      if (renderName(parsed) !== options.command)
        throw usageFailure(`The console runs \`${options.command}\` here, and no other command.`);
      exitCode = (await body(inner)) ?? EXIT.done;
    };
    let more = false;
    try {
      const program = await loadProgram(terminal, execute, words);
      await program.parseAsync([...words], { from: 'user' });
    } catch (error) {
      if (!(error instanceof ValueLimitReached) && !options.signal?.aborted)
        throw toFailure(error, errors.text, session);
      more = true;
    }
    return { ...collected.result(), more, exitCode, command: renderWords(words, session) };
  };
}

function collect(session: Session, { form = 'json', maxValues, onValue, signal }: RunOptions) {
  const values: unknown[] = [];
  const messages: string[] = [];
  const warnings: string[] = [];
  const push = (value: unknown) => {
    if (signal?.aborted || (maxValues !== undefined && values.length >= maxValues))
      throw new ValueLimitReached();
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
    // Progress: the page gets the notes of a command when it has ended.
    progress: () => undefined,
    warn: (text) => void warnings.push(keepTarget(text, session.options)),
    // The page has asked already.
    confirm: async () => undefined,
  };
  return { out, result: () => ({ values, messages, warnings }) };
}

/** Captures usage errors of the parser. Nothing may be read from the terminal of `neuron console`. */
function createSilentTerminal(
  { folder }: Terminal,
  errors: { text: string },
  { environment = {}, stdin = '' }: Pick<RunOptions, 'environment' | 'stdin'>,
): Terminal {
  const append = (text: string) => {
    errors.text += text;
  };
  return {
    stdin: { isTerminal: false, readAll: async () => stdin, readLine: async () => undefined },
    stdout: { isTerminal: false, write: () => undefined },
    stderr: { isTerminal: false, write: append },
    environment,
    folder,
  };
}

/** The signal ends waits of the command at once. */
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

/** `logs list`: the names of a command below `neuron`. */
function renderName(parsed: Command): string {
  const above = parsed.parent;
  return above?.parent ? `${renderName(above)} ${parsed.name()}` : parsed.name();
}

function renderWords(words: readonly string[], { options }: Session): string {
  return keepTarget(`\`neuron ${words.map(quote).join(' ')}\``, options).slice(1, -1);
}

// Prints results to standard output, and everything else to standard error.
import { keepTarget, type TargetOptions } from './command-line.ts';
import { CommandFailure, EXIT, type FailureDetail, usageFailure } from './failure.ts';
import { createPaint, type Paint } from './paint.ts';
import { printableJson, printableText } from './printable.ts';
import { type Column, renderTable } from './table.ts';
import type { Terminal } from './terminal.ts';

export interface Output {
  readonly json: boolean;
  readonly paint: Paint;
  /** Columns of the terminal; undefined where results do not go to one. */
  readonly width: number | undefined;
  /** Prints one result: with `--json` the value, else the text. */
  value(value: unknown, text: string): void;
  /** Prints a list: with `--json` one object a line, else a table, or `none` on standard error. */
  list<T extends object>(items: readonly T[], columns: readonly Column<T>[], none: string): void;
  /** Prints a text without an added line end. On a terminal, control characters are escaped. */
  raw(text: string): void;
  /** Prints a note, which `--quiet` suppresses. A function gets the colours and must escape its own text. */
  message(text: string | ((paint: Paint) => string)): void;
  /** Prints how far a long command is, as a note. */
  progress(text: string): void;
  /** Prints a warning, which `--quiet` does not suppress. */
  warn(text: string): void;
  /**
   * Asks before a change unless `--yes` was passed; with `--local` only before a destructive one. Without a terminal, a change goes ahead,
   * but a destructive one is refused.
   * Throws `CommandFailure`.
   */
  confirm(question: string, detail?: { readonly destroys?: boolean }): Promise<void>;
}

/** The options that decide how a command prints. */
export interface PrintOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly yes: boolean;
  readonly color: boolean;
}

export function createOutput(terminal: Terminal, options: PrintOptions & Partial<TargetOptions>): Output {
  const { stdin, stdout, stderr } = terminal;
  const paint = createPaint(options.color && stdout.isTerminal);
  const paintMessage = createPaint(options.color && stderr.isTerminal);
  const message: Output['message'] = (text) => {
    if (options.quiet) return;
    const shown = typeof text === 'string' ? printableText(keepTarget(text, options)) : text(paintMessage);
    stderr.write(`${shown}\n`);
  };
  return {
    json: options.json,
    paint,
    width: stdout.isTerminal ? stdout.columns : undefined,
    progress: message,
    value: (value, text) => stdout.write(`${options.json ? printableJson(value) : text}\n`),
    list: (items, columns, none) => {
      if (options.json) for (const item of items) stdout.write(`${printableJson(item)}\n`);
      else if (items.length === 0) message(none);
      else {
        const available = stdout.isTerminal ? stdout.columns : undefined;
        const { text, dropped } = renderTable(items, columns, { paint, available });
        stdout.write(`${text}\n`);
        if (dropped.length > 0) message(describeDropped(dropped));
      }
    },
    raw: (text) => stdout.write(stdout.isTerminal ? printableText(text) : text),
    message,
    warn: (text) =>
      stderr.write(`${paintMessage('yellow', 'warning:')} ${printableText(keepTarget(text, options))}\n`),
    confirm: async (question, detail) => {
      // A local run serves no one else, and a question would swallow the next of several pasted lines.
      const isLocal = options.local !== undefined;
      if (options.yes || (isLocal && detail?.destroys !== true)) return;
      if (!stdin.isTerminal || !stderr.isTerminal) {
        if (detail?.destroys !== true) return;
        throw usageFailure(
          'This command asks before it deletes, and there is no terminal to ask on.',
          'Pass --yes to confirm.',
        );
      }
      const answer = await stdin.readLine(`${printableText(question)} [y/N] `);
      if (/^y(es)?$/i.test(answer?.trim() ?? '')) return;
      throw new CommandFailure({ what: 'Nothing was changed.', exitCode: EXIT.failed });
    },
  };
}

export function describeDropped(heads: readonly string[]): string {
  return `No room for ${heads.join(', ')}: widen the terminal, or pass --json.`;
}

export function renderFailure(detail: FailureDetail, paint: Paint): string {
  const lines = [`${paint('red', 'error:')} ${printableText(detail.what)}`];
  if (detail.why !== undefined) lines.push(indent(detail.why));
  if (detail.remedy !== undefined) lines.push(indent(detail.remedy));
  return `${lines.join('\n')}\n`;
}

function indent(text: string): string {
  return printableText(text)
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}

/** `1 neuron`, `2 neurons`: for nouns that take an s. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

// Prints: results to standard output, everything else to standard error.
import { styleText } from 'node:util';
import Table from 'cli-table3';
import type { GlobalOptions } from '../session/options.ts';
import type { Terminal } from '../session/terminal.ts';
import { CommandFailure, EXIT, type FailureDetail, usageFailure } from './failure.ts';
import { printableJson, printableLine, printableText } from './printable.ts';

/** Colours a text, or leaves it. */
export type Paint = (format: 'bold' | 'dim' | 'red' | 'green' | 'yellow', text: string) => string;

/** A column of a table. */
export interface Column<T> {
  readonly head: string;
  readonly cell: (item: T) => string | number | undefined;
  readonly align?: 'right';
}

/** What commands print with. */
export interface Output {
  /** True where results are JSON. */
  readonly json: boolean;
  readonly paint: Paint;
  /** One result: with `--json` the value, else the text. */
  value(value: unknown, text: string): void;
  /** A list: with `--json` one object a line, else a table, or `none` on standard error. */
  list<T extends object>(items: readonly T[], columns: readonly Column<T>[], none: string): void;
  /** A text unchanged and without an added line end; on a terminal, control characters are escaped. */
  raw(text: string): void;
  /** Progress and notes for the operator, which `--quiet` suppresses. A function gets the colours and must escape its own text. */
  message(text: string | ((paint: Paint) => string)): void;
  /** A warning, which `--quiet` does not suppress. */
  warn(text: string): void;
  /**
   * Asks before a change unless `--yes` was passed; with `--local` only before a destructive one. Without a terminal, a change goes ahead,
   * but a destructive one is refused.
   * Throws `CommandFailure`.
   */
  confirm(question: string, detail?: { readonly destroys?: boolean }): Promise<void>;
}

type PrintOptions = Pick<GlobalOptions, 'json' | 'quiet' | 'yes' | 'color'> &
  Partial<Pick<GlobalOptions, 'local'>>;

/** An output on a terminal. */
export function createOutput(terminal: Terminal, options: PrintOptions): Output {
  const { stdin, stdout, stderr } = terminal;
  const paint = createPaint(options.color && stdout.isTerminal);
  const paintMessage = createPaint(options.color && stderr.isTerminal);
  return {
    json: options.json,
    paint,
    value: (value, text) => stdout.write(`${options.json ? printableJson(value) : text}\n`),
    list: (items, columns, none) => {
      if (options.json) for (const item of items) stdout.write(`${printableJson(item)}\n`);
      else if (items.length > 0) stdout.write(`${renderTable(items, columns, paint)}\n`);
      else if (!options.quiet) stderr.write(`${none}\n`);
    },
    raw: (text) => stdout.write(stdout.isTerminal ? printableText(text) : text),
    message: (text) => {
      if (options.quiet) return;
      stderr.write(`${typeof text === 'string' ? printableText(text) : text(paintMessage)}\n`);
    },
    warn: (text) => stderr.write(`${paintMessage('yellow', 'warning:')} ${printableText(text)}\n`),
    confirm: async (question, detail) => {
      // Nobody depends on a local run, and a question would swallow the next of several pasted lines.
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

/** A failure as text. */
export function renderFailure(detail: FailureDetail, paint: Paint): string {
  const lines = [`${paint('red', 'error:')} ${printableText(detail.what)}`];
  if (detail.why !== undefined) lines.push(indent(detail.why));
  if (detail.remedy !== undefined) lines.push(indent(detail.remedy));
  return `${lines.join('\n')}\n`;
}

/** Colours where `active`. */
export function createPaint(active: boolean): Paint {
  // The caller decides whether to use colours, since it knows --no-color.
  return (format, text) => (active ? styleText(format, text, { validateStream: false }) : text);
}

function indent(text: string): string {
  return printableText(text)
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}

const NO_BORDERS = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: '  ' },
};

/** A table without borders; every cell is one line with control characters escaped. */
export function renderTable<T>(items: readonly T[], columns: readonly Column<T>[], paint: Paint): string {
  const table = new Table({
    head: columns.map(({ head }) => paint('bold', head)),
    colAligns: columns.map(({ align }) => align ?? 'left'),
    chars: NO_BORDERS,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  for (const item of items) table.push(columns.map(({ cell }) => printableLine(String(cell(item) ?? '-'))));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** `1 neuron`, `2 neurons`; for nouns that take an s. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

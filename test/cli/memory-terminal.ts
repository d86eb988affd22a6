// A terminal under a test's hand: what is typed, what was printed.
import type { Terminal } from '../../cli/output/terminal.ts';

/** What stands around a command. */
export interface Surroundings {
  /** Standard input as a pipe. */
  readonly piped?: string;
  /** Lines typed; with it all three streams are terminals. */
  readonly typed?: readonly string[];
  /** Of the terminal, with `typed`. */
  readonly columns?: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly folder?: string;
}

/** A terminal that keeps what it prints. */
export interface MemoryTerminal extends Terminal {
  readonly printed: { stdout: string; stderr: string };
  /** Prompts that hid what was typed. */
  readonly hidden: readonly string[];
}

export function createMemoryTerminal(around: Surroundings = {}): MemoryTerminal {
  const printed = { stdout: '', stderr: '' };
  const hidden: string[] = [];
  const typed = [...(around.typed ?? [])];
  const append = (stream: keyof typeof printed) => (text: string) => {
    printed[stream] += text;
  };
  const isTerminal = around.typed !== undefined;
  return {
    printed,
    hidden,
    stdin: {
      isTerminal,
      readAll: async () => around.piped ?? '',
      readLine: async (prompt, detail) => {
        printed.stderr += prompt;
        if (detail?.hidden) hidden.push(prompt);
        return typed.shift();
      },
    },
    stdout: { isTerminal, columns: around.columns, write: append('stdout') },
    stderr: { isTerminal, write: append('stderr') },
    environment: around.environment ?? {},
    folder: around.folder ?? '/nowhere',
  };
}

// The session of a running command: its options, its output and, on demand, a stack and its ports.
import type { Output } from '../output/print.ts';
import type { Terminal } from '../output/terminal.ts';
import type { GlobalOptions } from './options.ts';
import type { Ports } from './ports.ts';
import type { Stack } from './stack.ts';

/** Nothing is looked up before it is needed. */
export interface Session {
  readonly options: GlobalOptions;
  readonly out: Output;
  readonly terminal: Terminal;
  /** Finds the deployed stack, or that of the local run. */
  findStack(): Promise<Stack>;
  /** Finds the stack and opens its stores. */
  connect(): Promise<Ports>;
}

export type OpenSession = (options: GlobalOptions, terminal: Terminal) => Session;

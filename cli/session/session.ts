// What a running command has: its options, its output and, on demand, a stack and the ports to it.
import type { Output } from '../output/print.ts';
import type { Terminal } from '../output/terminal.ts';
import type { GlobalOptions } from './options.ts';
import type { Ports } from './ports.ts';
import type { Stack } from './stack.ts';

/** One run of the command. Nothing is looked up before it is asked for. */
export interface Session {
  readonly options: GlobalOptions;
  readonly out: Output;
  readonly terminal: Terminal;
  /** Finds the stack: the local run's, or the one deployed. */
  findStack(): Promise<Stack>;
  /** Finds the stack and opens its stores. */
  connect(): Promise<Ports>;
}

/** Opens a session; tests open one with ports in memory. */
export type OpenSession = (options: GlobalOptions, terminal: Terminal) => Session;

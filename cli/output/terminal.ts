// The process around a command: three streams, the environment and the working folder.

/** A stream that text goes to. */
export interface Sink {
  readonly isTerminal: boolean;
  /** How many columns a line has now; undefined where nobody knows. */
  readonly columns?: number | undefined;
  write(text: string): void;
}

/** Where answers and values come from. */
export interface Source {
  readonly isTerminal: boolean;
  /** Everything up to the end, as UTF-8. */
  readAll(): Promise<string>;
  /** One line typed on the terminal, without its end. `hidden` shows nothing of it. Undefined when the operator ends the input. */
  readLine(prompt: string, detail?: { readonly hidden?: boolean }): Promise<string | undefined>;
}

/** The surroundings of a command; tests give their own. */
export interface Terminal {
  readonly stdin: Source;
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
}

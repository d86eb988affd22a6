// The process that runs a command: three streams, the environment and the working folder.

export interface Sink {
  readonly isTerminal: boolean;
  /** Present width in columns, if it is known. */
  readonly columns?: number | undefined;
  write(text: string): void;
}

export interface Source {
  readonly isTerminal: boolean;
  /** Reads up to the end, as UTF-8. */
  readAll(): Promise<string>;
  /** Reads a typed line, without its end; `hidden` does not show it. Undefined when the operator ends the input. */
  readLine(prompt: string, detail?: { readonly hidden?: boolean }): Promise<string | undefined>;
}

export interface Terminal {
  readonly stdin: Source;
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
}

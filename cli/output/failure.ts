// How a command fails: what happened, why, and how to solve it.

/** The exit codes of the command: done, failed, used wrongly. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/** One of the exit codes. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What an operator is told. No field holds a secret or a token. */
export interface FailureDetail {
  readonly what: string;
  readonly why?: string | undefined;
  readonly remedy?: string | undefined;
  /** @default EXIT.failed */
  readonly exitCode?: ExitCode;
}

/** Thrown by commands. A class so that what an operator can solve is told from a defect, which shows its stack. */
export class CommandFailure extends Error {
  readonly detail: FailureDetail;

  constructor(detail: FailureDetail, options?: ErrorOptions) {
    super(detail.what, options);
    this.name = 'CommandFailure';
    this.detail = detail;
  }
}

/** A failure because the command was used wrongly. */
export function usageFailure(what: string, remedy?: string): CommandFailure {
  return new CommandFailure({ what, remedy, exitCode: EXIT.usage });
}

// Failures of a command: what happened, why, and how to solve it.
import { ChangeRecordingError } from '../../core/admin/record-change.ts';
import { NameConflict, SecretError, WriteConflict } from '../../core/ports/administration.ts';
import { explainAws, isUnreachable } from './aws-failures.ts';

export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** No field may contain a secret or a token. */
export interface FailureDetail {
  readonly what: string;
  readonly why?: string | undefined;
  readonly remedy?: string | undefined;
  /** @default EXIT.failed */
  readonly exitCode?: ExitCode;
}

/** A failure that an operator can solve. A class, to distinguish it from a defect, which is shown with its stack. */
export class CommandFailure extends Error {
  readonly detail: FailureDetail;

  constructor(detail: FailureDetail, options?: ErrorOptions) {
    super(detail.what, options);
    this.name = 'CommandFailure';
    this.detail = detail;
  }
}

export function usageFailure(what: string, remedy?: string): CommandFailure {
  return new CommandFailure({ what, remedy, exitCode: EXIT.usage });
}

/** `local`: data folder of the local run, if the command works on one. */
export function toCommandFailure(thrown: unknown, local: string | undefined): CommandFailure {
  const known = explainKnown(thrown, local);
  if (known !== undefined) return known;
  if (!(thrown instanceof Error)) return new CommandFailure({ what: String(thrown) });
  return new CommandFailure(
    {
      what: `${thrown.name}: ${thrown.message}`,
      why: thrown.stack
        ?.split('\n')
        .slice(1, 6)
        .map((line) => line.trim())
        .join('\n'),
      remedy: 'This is a defect. Please report it with the lines above.',
    },
    { cause: thrown },
  );
}

/** Undefined for a defect. */
export function explainKnown(thrown: unknown, local: string | undefined): CommandFailure | undefined {
  if (thrown instanceof CommandFailure) return thrown;
  if (thrown instanceof WriteConflict) return conflict(thrown);
  if (!(thrown instanceof Error)) return undefined;
  if (thrown instanceof SecretError)
    return new CommandFailure({ what: thrown.message, remedy: thrown.remedy }, { cause: thrown });
  if (thrown instanceof ChangeRecordingError)
    return new CommandFailure(explainUnrecorded(thrown), { cause: thrown });
  const detail = explainAws(thrown);
  if (detail === undefined) return undefined;
  const shown = local !== undefined && isUnreachable(thrown) ? noLocalRun(local, thrown.message) : detail;
  return new CommandFailure(shown, { cause: thrown });
}

function conflict(thrown: WriteConflict): CommandFailure {
  if (thrown instanceof NameConflict) {
    return new CommandFailure({
      what: `${thrown.message}. Changes made before that remain.`,
      remedy: `Take the name out of \`models\` here, or out of those of ${thrown.owner} first. A slug is a name, too.`,
    });
  }
  return new CommandFailure({
    what: `${thrown.what} was changed by someone else in the meantime. Changes made before that remain.`,
    remedy: 'Run the command again. It starts from the current state.',
  });
}

function explainUnrecorded({ message, cause }: ChangeRecordingError): FailureDetail {
  return {
    what: message,
    why: cause instanceof Error ? cause.message : String(cause),
    remedy: 'Check the log table and your permission to write to it, then run the command again.',
  };
}

export function noLocalRun(folder: string, why: string | undefined): FailureDetail {
  return {
    what: `No local run uses the data folder ${folder}.`,
    why,
    remedy: 'Start one with `npm start`, or pass its data folder with --local=DIR.',
  };
}

// How a command fails: what happened, why, and how to solve it.
import { WriteConflict } from '../../core/ports/administration.ts';

/** The exit codes of the command: done, failed, used wrongly. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/** One of the exit codes. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What the operator reads. No field may contain a secret or a token. */
export interface FailureDetail {
  readonly what: string;
  readonly why?: string | undefined;
  readonly remedy?: string | undefined;
  /** @default EXIT.failed */
  readonly exitCode?: ExitCode;
}

/** Thrown by commands. A class, to tell what an operator can solve from a defect, which is shown with its stack. */
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

interface Known {
  readonly names: RegExp;
  readonly explain: (message: string) => FailureDetail;
}

/** What AWS clients throw, by name (AWS SDK for JavaScript v3; "Common errors" of each service's API reference). */
const KNOWN: readonly Known[] = [
  {
    names: /^(?:CredentialsProviderError|TokenProviderError)$/,
    explain: (message) => ({
      what: 'No AWS credentials were found.',
      why: message,
      remedy:
        'Sign in with `aws sso login`, set AWS_PROFILE, or pass --profile. For a local run, pass --local.',
    }),
  },
  {
    names:
      /^(?:ExpiredToken|ExpiredTokenException|InvalidClientTokenId|UnrecognizedClientException|InvalidSignatureException|SignatureDoesNotMatch|RequestExpired)$/,
    explain: (message) => ({
      what: 'AWS rejected these credentials.',
      why: message,
      remedy: 'Sign in again, and check the clock of this machine.',
    }),
  },
  {
    names: /^(?:AccessDenied|AccessDeniedException|UnauthorizedOperation)$/,
    explain: (message) => ({
      what: 'These credentials lack a permission for this command.',
      why: message,
      remedy: 'Use a profile with the permissions of an operator.',
    }),
  },
  {
    names: /^ResourceNotFoundException$/,
    explain: (message) => ({
      what: 'A resource named in the stack outputs was not found.',
      why: message,
      remedy:
        'Check --stack and --region, or deploy the stack again. Run `neuron doctor` to see what is missing.',
    }),
  },
];

const UNREACHABLE = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ECONNRESET|ETIMEDOUT|TimeoutError|EHOSTUNREACH)$/;

/** Everything thrown as a failure. `local` is the data folder where the command works on a local run. */
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

/** The failure, if it is one that an operator can solve. */
export function explainKnown(thrown: unknown, local: string | undefined): CommandFailure | undefined {
  if (thrown instanceof CommandFailure) return thrown;
  if (thrown instanceof WriteConflict) return conflict(thrown);
  if (!(thrown instanceof Error)) return undefined;
  const known = KNOWN.find(({ names }) => names.test(thrown.name));
  if (known !== undefined) return new CommandFailure(known.explain(thrown.message), { cause: thrown });
  if (/Region is missing/.test(thrown.message)) {
    return new CommandFailure({
      what: 'No AWS region is set.',
      remedy: 'Pass --region, or set AWS_REGION. For a local run, pass --local.',
    });
  }
  const isUnreachable = UNREACHABLE.test(thrown.name) || UNREACHABLE.test(codeOf(thrown));
  return isUnreachable ? unreachable(thrown, local) : undefined;
}

function conflict(thrown: WriteConflict): CommandFailure {
  return new CommandFailure({
    what: `${thrown.what} was changed by someone else in the meantime. Changes made before that remain.`,
    remedy: 'Run the command again. It starts from the current state.',
  });
}

function unreachable(thrown: Error, local: string | undefined): CommandFailure {
  return new CommandFailure(
    local === undefined
      ? {
          what: 'AWS could not be reached.',
          why: thrown.message,
          remedy: 'Check the network, the proxy settings and --region.',
        }
      : {
          what: `No local run uses the data folder ${local}.`,
          why: thrown.message,
          remedy: 'Start one with `npm start`, or pass its data folder with --local=DIR.',
        },
    { cause: thrown },
  );
}

/** Node wraps refused connections of several addresses in one `AggregateError` with the code on it. */
function codeOf(thrown: Error): string {
  const { code } = thrown as NodeJS.ErrnoException;
  const inner = thrown.cause instanceof Error ? (thrown.cause as NodeJS.ErrnoException).code : undefined;
  return String(code ?? inner ?? '');
}

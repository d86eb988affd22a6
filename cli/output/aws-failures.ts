// Explains errors of AWS clients, and errors that they caused, to an operator.

interface Explanation {
  readonly what: string;
  readonly why?: string;
  readonly remedy: string;
}

interface KnownError {
  /** Names of errors, or codes of errors of Node. */
  readonly names: RegExp;
  readonly what: string;
  readonly remedy: string;
}

const SIGN_IN = 'Sign in again, and check the clock of this machine.';
const LACKS_PERMISSION = 'These credentials lack a permission for this command.';
const RETRY = 'Wait a little, and run the command again. It starts from the current state.';

/** By name (AWS SDK for JavaScript v3; "Common errors" of each service's API reference) or by code (Node.js, "Errors"; OpenSSL). */
const KNOWN: readonly KnownError[] = [
  {
    names: /^(?:CredentialsProviderError|TokenProviderError)$/,
    what: 'No AWS credentials were found.',
    remedy:
      'Sign in with `aws sso login`, set AWS_PROFILE, or pass --profile. For a local run, pass --local.',
  },
  {
    names:
      /^(?:ExpiredToken|ExpiredTokenException|InvalidClientTokenId|UnrecognizedClientException|InvalidSignatureException|SignatureDoesNotMatch|RequestExpired|IncompleteSignature|MissingAuthenticationToken|UnauthorizedException)$/,
    what: 'AWS rejected these credentials.',
    remedy: SIGN_IN,
  },
  {
    names: /^(?:AccessDenied|AccessDeniedException|UnauthorizedOperation|ForbiddenException|OptInRequired)$/,
    what: LACKS_PERMISSION,
    remedy: 'Use a profile with the permissions of an operator.',
  },
  {
    names: /^ResourceNotFoundException$/,
    what: 'A resource named in the stack outputs was not found.',
    remedy:
      'Check --stack and --region, or deploy the stack again. Run `neuron doctor` to see what is missing.',
  },
  {
    names:
      /^(?:Throttling|ThrottlingException|ThrottledException|ProvisionedThroughputExceededException|RequestLimitExceeded|TooManyRequestsException|SlowDown)$/,
    what: 'AWS throttled this command.',
    remedy: RETRY,
  },
  {
    names:
      /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ECONNRESET|EPIPE|ETIMEDOUT|TimeoutError|EHOSTUNREACH|ENETUNREACH|UND_ERR_[A-Z_]+)$/,
    what: 'AWS could not be reached.',
    remedy: 'Check the network, the proxy settings and --region.',
  },
  {
    names:
      /^(?:CERT_[A-Z_]+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_[A-Z_]+|ERR_TLS_CERT_ALTNAME_INVALID)$/,
    what: 'The connection to AWS is not trusted.',
    remedy: 'A proxy may replace certificates: name its certificate authority in NODE_EXTRA_CA_CERTS.',
  },
];

/** Max. number of causes that are looked at. Chains are shorter in practice. */
const MAX_CHAIN_LENGTH = 10;

/** Undefined for errors that have nothing to do with AWS or the connection to it. */
export function explainAws(thrown: Error): Explanation | undefined {
  const chain = toCauseChain(thrown);
  for (const error of chain) {
    const known = KNOWN.find(({ names }) => names.test(error.name) || names.test(codeOf(error)));
    if (known !== undefined) return { what: known.what, why: error.message, remedy: known.remedy };
    const region = explainRegion(error.message);
    if (region !== undefined) return region;
  }
  const answered = chain.find((error) => '$metadata' in error);
  return answered === undefined ? undefined : explainAnswer(answered);
}

/** True where AWS cannot be reached, or a local run that has ended. */
export function isUnreachable(thrown: Error): boolean {
  return explainAws(thrown)?.what === 'AWS could not be reached.';
}

/** True where IAM denies the call: these credentials have a narrower role. */
export function isDenied(thrown: unknown): boolean {
  return thrown instanceof Error && explainAws(thrown)?.what === LACKS_PERMISSION;
}

/** Errors of credentials and connection: with them no call can succeed, whatever its permissions. */
const BLOCKING: ReadonlySet<string> = new Set([
  'No AWS credentials were found.',
  'AWS rejected these credentials.',
  'AWS could not be reached.',
  'The connection to AWS is not trusted.',
  'No AWS region is set.',
]);

/** An error that keeps every call from succeeding, with its reason in parentheses; undefined for an error of one call. */
export function explainBlockingError(thrown: Error): string | undefined {
  const explanation = explainAws(thrown);
  if (explanation === undefined || !BLOCKING.has(explanation.what)) return undefined;
  const { what, why } = explanation;
  return why === undefined ? what : `${what} (${why})`;
}

function toCauseChain(thrown: Error): readonly Error[] {
  const chain: Error[] = [];
  for (let at: unknown = thrown; at instanceof Error && chain.length < MAX_CHAIN_LENGTH; at = at.cause)
    chain.push(at);
  return chain;
}

/** Node wraps refused connections of several addresses in one `AggregateError`, which has the code. */
function codeOf(error: Error): string {
  return String((error as NodeJS.ErrnoException).code ?? '');
}

function explainRegion(message: string): Explanation | undefined {
  if (/Region is missing/.test(message)) {
    return {
      what: 'No AWS region is set.',
      remedy: 'Pass --region, or set AWS_REGION. For a local run, pass --local.',
    };
  }
  const region = /^Region not accepted: region="(.*?)"/.exec(message)?.[1];
  return region === undefined
    ? undefined
    : { what: `${region} is no AWS region.`, remedy: 'Pass --region, such as --region=eu-central-1.' };
}

/** An error without a rule: the message of AWS, and the id of the request. */
function explainAnswer(error: Error): Explanation {
  const { $metadata: metadata } = error as Error & {
    readonly $metadata?: { readonly httpStatusCode?: number; readonly requestId?: string };
  };
  const isServers = (metadata?.httpStatusCode ?? 0) >= 500;
  const id = metadata?.requestId === undefined ? '' : ` (request ${metadata.requestId})`;
  return isServers
    ? { what: 'AWS failed to answer.', why: `${error.name}: ${error.message}${id}`, remedy: RETRY }
    : {
        what: `AWS answered ${error.name}.`,
        why: `${error.message}${id}`,
        remedy: 'Run `neuron doctor`, and look the error up in the API reference of the service.',
      };
}

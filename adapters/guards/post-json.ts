// Sends JSON to a service that judges, and reads its answer: everything that is no JSON in a 200 is a failure of the closed set.
import { ServiceError } from '../../core/contract/service-error.ts';
import { GuardFailure, type GuardFailureKind } from '../../core/ports/guards.ts';
import { HttpFailure, type HttpFailureKind } from '../http/failure.ts';
import type { Http, HttpAnswer } from '../http/message.ts';
import { parseJson } from '../providers/post-json.ts';

interface VerdictRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly text: string;
  readonly signal: AbortSignal;
}

/** Verdicts are small: places of finds, names of categories. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;

const KINDS = {
  unreachable: 'connection',
  cut: 'connection',
  aborted: 'timeout',
  too_large: 'unreadable',
  malformed: 'unreadable',
} as const satisfies Record<Exclude<HttpFailureKind, 'refused'>, GuardFailureKind>;

/** The JSON of a 200. Throws `GuardFailure`; `ServiceError` `configuration` where the address may not be connected to. */
export async function postForVerdict(http: Http, request: VerdictRequest): Promise<unknown> {
  const { status, body } = await send(http, request);
  if (status !== 200) throw new GuardFailure(kindOfStatus(status), status);
  const json = parseJson(body);
  if (json === undefined) throw new GuardFailure('unreadable', status);
  return json;
}

async function send(http: Http, { url, headers, text, signal }: VerdictRequest): Promise<HttpAnswer> {
  try {
    return await http({
      method: 'POST',
      url,
      headers: { ...headers, accept: 'application/json', 'content-type': 'application/json' },
      body: text,
      maxBytes: MAX_ANSWER_BYTES,
      // Any other status says enough: what comes after it cannot make a timeout of a rejection, which settings may let pass.
      reads: (status) => status === 200,
      signal,
    });
  } catch (thrown) {
    if (!(thrown instanceof HttpFailure)) throw thrown;
    const { kind, message } = thrown;
    if (kind === 'refused') throw new ServiceError('configuration', { reason: `a guard: ${message}` });
    throw new GuardFailure(KINDS[kind]);
  }
}

/** A redirect is never followed: the address in settings is wrong, as for any 4xx. */
export function kindOfStatus(status: number): GuardFailureKind {
  if (status === 429) return 'rate_limited';
  if (status >= 500) return 'server_error';
  return status >= 200 && status < 300 ? 'unreadable' : 'rejected';
}

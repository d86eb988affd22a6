// Sends a request for a stream, and tells a stream from a whole answer.
import { ProviderFailure } from '../../../core/ports/providers.ts';
import { HttpFailure } from '../../http/failure.ts';
import type { OpenAnswer, OpenHttp } from '../../http/message.ts';
import { readWhole } from '../../http/read-whole.ts';
import { type JsonAnswer, MAX_ANSWER_BYTES, parseJson, toProviderFailure } from '../post-json.ts';

interface StreamRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly text: string;
  readonly signal: AbortSignal;
}

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i;

/**
 * The open answer where it may be a stream (status 200), for `readAnswer`. A `JsonAnswer` for every other status, and for JSON in place
 * of a stream. Throws `ProviderFailure` without an answer, `ServiceError` `configuration` when the address may not be connected to.
 */
export async function openStream(
  openHttp: OpenHttp,
  { url, headers, text, signal }: StreamRequest,
): Promise<OpenAnswer | JsonAnswer> {
  let status: number | undefined;
  try {
    const answer = await openHttp({ method: 'POST', url, headers, body: text, signal });
    status = answer.status;
    if (status === 200 && !JSON_TYPE.test(answer.headers['content-type'] ?? '')) return answer;
    const body = await readWhole(answer, MAX_ANSWER_BYTES, new URL(url).hostname);
    return { status, headers: answer.headers, json: parseJson(body) };
  } catch (thrown) {
    if (!(thrown instanceof HttpFailure)) throw thrown;
    if (status !== 200 || thrown.kind === 'aborted') throw toProviderFailure(thrown);
    throw new ProviderFailure('truncated', { status, cause: thrown });
  }
}

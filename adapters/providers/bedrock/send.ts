// Sends one signed call to a model and gives its answer, whatever the status.
import type { Clock } from '../../../core/time/clock.ts';
import type { Http } from '../../http/message.ts';
import { type JsonAnswer, postText } from '../post-json.ts';
import { type ModelOperation, toModelUrl } from './request.ts';
import { signRequest } from './sign.ts';

/** What the provider reaches the outside through; credentials are those of the function's role. */
export interface BedrockPorts {
  readonly http: Http;
  readonly clock: Pick<Clock, 'now'>;
}

/** One call. */
interface ModelInvocation {
  readonly region: string;
  readonly model: string;
  readonly operation: ModelOperation;
  readonly body: unknown;
  /** Beside those of the protocol, and not signed: what passes on a trace may change them. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const HEADERS = { accept: 'application/json', 'content-type': 'application/json' };

/** What to send for a call. Throws where the function has no credentials. */
export async function signInvocation(
  { region, model, operation, body, headers: input }: Omit<ModelInvocation, 'signal'>,
  clock: Pick<Clock, 'now'>,
): Promise<{ readonly url: string; readonly headers: Record<string, string>; readonly text: string }> {
  const url = toModelUrl(region, model, operation, process.env);
  const text = JSON.stringify(body);
  const accept = operation === 'converse-stream' ? { accept: 'application/vnd.amazon.eventstream' } : {};
  const named = { ...HEADERS, ...accept };
  const headers = await signRequest({ url, headers: named, body: text, region, nowMs: clock.now() });
  return { url, headers: { ...headers, ...input }, text };
}

/** Throws `ProviderFailure` when no answer came back. */
export async function sendToModel(
  { signal, ...invocation }: ModelInvocation,
  { http, clock }: BedrockPorts,
): Promise<JsonAnswer> {
  return postText(http, { ...(await signInvocation(invocation, clock)), signal });
}

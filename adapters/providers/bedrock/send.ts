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
  readonly signal: AbortSignal;
}

const HEADERS = { accept: 'application/json', 'content-type': 'application/json' };

/** Throws `ProviderFailure` when no answer came back. */
export async function sendToModel(
  { region, model, operation, body, signal }: ModelInvocation,
  { http, clock }: BedrockPorts,
): Promise<JsonAnswer> {
  const url = toModelUrl(region, model, operation, process.env);
  const text = JSON.stringify(body);
  const headers = await signRequest({ url, headers: HEADERS, body: text, region, nowMs: clock.now() });
  return postText(http, { url, headers, text, signal });
}

// Calls Responses of OpenAI, and of servers that have it, for a whole answer.
import type { ModelRequest, ModelResult } from '../../../../core/ports/providers.ts';
import type { ProviderPorts } from '../../ports.ts';
import { type JsonAnswer, postJson } from '../../post-json.ts';
import { isFilteredPrompt, toOpenaiFailure } from '../errors.ts';
import { FILTERED } from '../response.ts';
import { buildResponsesRequest } from './request.ts';
import { toModelResult } from './response.ts';

/** Address and headers of a call, its key included. */
export interface ResponsesCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Throws `ProviderFailure`. */
export async function generateResponse(
  { url, headers }: ResponsesCall,
  { http, clock }: Pick<ProviderPorts, 'http' | 'clock'>,
  request: ModelRequest,
): Promise<ModelResult> {
  const body = buildResponsesRequest(request);
  const answer = await postJson(http, { url, headers, body, signal: request.signal });
  if (answer.status === 200) return toModelResult(answer.json, answer.status);
  return resultOfError(answer, clock.now());
}

/** A prompt that was filtered is a result. Throws `ProviderFailure` for every other error. */
export function resultOfError(answer: JsonAnswer, nowMs: number): ModelResult {
  if (isFilteredPrompt(answer)) return FILTERED;
  throw toOpenaiFailure(answer, nowMs);
}

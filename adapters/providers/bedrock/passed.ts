// Sends requests for messages that are passed on to Bedrock's own Messages endpoint (bedrock/latest/userguide/inference-messages-api.html).
import type { ModelEvent, ModelRequest, ModelResult } from '../../../core/ports/providers.ts';
import { type PassedOn, passedHeaders } from '../anthropic/passed.ts';
import { readOpened } from '../anthropic/read-opened.ts';
import { readMessage } from '../anthropic/response.ts';
import type { ProviderPorts } from '../ports.ts';
import { postText } from '../post-json.ts';
import { openStream } from '../streams/open-stream.ts';
import { traceHeaders } from '../trace-headers.ts';
import { toBedrockFailure } from './errors.ts';
import { forBedrock } from './passed-request.ts';
import { toMessagesUrl } from './request.ts';
import { signRequest } from './send.ts';

type PassedModelRequest = ModelRequest & PassedOn;

/** One call. Throws `ProviderFailure`. */
export async function generatePassed(
  region: string,
  { http, clock }: Pick<ProviderPorts, 'http' | 'clock'>,
  request: PassedModelRequest,
): Promise<ModelResult> {
  const signed = await sign(region, request, clock, false);
  const answer = await postText(http, { ...signed, signal: request.signal });
  if (answer.status === 200) return readMessage(request, answer);
  throw toBedrockFailure(answer, clock.now());
}

/** The events of a stream, or of the answer in its place. Throws `ProviderFailure` as `ModelProvider.stream` does. */
export async function openPassed(
  region: string,
  { openHttp, clock }: Pick<ProviderPorts, 'openHttp' | 'clock'>,
  request: PassedModelRequest,
): Promise<AsyncIterable<ModelEvent> | Iterable<ModelEvent>> {
  const signed = await sign(region, request, clock, true);
  const opened = await openStream(openHttp, { ...signed, signal: request.signal });
  return readOpened(opened, request, (answer) => toBedrockFailure(answer, clock.now()));
}

function sign(
  region: string,
  request: PassedModelRequest,
  clock: Pick<ProviderPorts['clock'], 'now'>,
  stream: boolean,
) {
  const { betas, body } = forBedrock(request);
  const accept = stream ? 'text/event-stream' : 'application/json';
  const headers = { ...passedHeaders({ version: API_VERSION, betas }), ...traceHeaders(request) };
  const text = JSON.stringify({ ...body, ...(stream ? { stream } : {}) });
  return signRequest({ region, url: toMessagesUrl(region, process.env), accept, text, headers }, clock);
}

/** The only one that AWS names. */
const API_VERSION = '2023-06-01';

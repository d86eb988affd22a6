// Calls Converse and reads its answer.
import type { ModelRequest, ModelResult } from '../../../core/ports/providers.ts';
import type { ProviderPorts } from '../ports.ts';
import { withFewerCalls } from '../single-call.ts';
import { traceHeaders } from '../trace-headers.ts';
import { toBedrockFailure } from './errors.ts';
import { buildConverseRequest } from './request.ts';
import { toModelResult } from './response.ts';
import { sendToModel } from './send.ts';

/** One call. Throws `ProviderFailure`. */
export async function generateConverse(
  region: string,
  ports: Pick<ProviderPorts, 'http' | 'clock'>,
  request: ModelRequest,
): Promise<ModelResult> {
  const { model, signal } = request;
  const body = buildConverseRequest(request);
  const answer = await sendToModel(
    { region, model, operation: 'converse', body, signal, headers: traceHeaders(request) },
    ports,
  );
  if (answer.status === 200) return withFewerCalls(toModelResult(answer.json, answer.status), request);
  throw toBedrockFailure(answer, ports.clock.now());
}

// Answers what a client of the Model Context Protocol asks, but for a call of a tool, which goes on as the call of a neuron.
import type { ExecutionRequest } from '../../../adapters/apigateway/proxy-event.ts';
import { toCallBody } from '../../../core/surfaces/mcp/index.ts';
import {
  ACCEPTED,
  type RpcError,
  readMessage,
  renderResult,
  renderRpcError,
} from '../../../core/surfaces/mcp/message.ts';
import { readRequest } from '../../../core/surfaces/mcp/protocol.ts';
import type { Answer, ProtocolHeaders } from '../../../core/surfaces/surface.ts';
import type { ExecutionPorts, Outcome, Run } from '../run.ts';
import { describeTools } from './describe-tools.ts';
import { listAllowed } from './models.ts';

const NO_HEADERS: ProtocolHeaders = { versions: [], methods: [], names: [], origins: [] };

/** Undefined for a call of a tool, whose request then names a neuron, and for a caller without a live key. Throws as `listAllowed` does. */
export async function answerProtocol(
  run: Run,
  ports: Pick<ExecutionPorts, 'neuronLists' | 'versions'>,
): Promise<Outcome | undefined> {
  const { request } = run;
  if (request.authorizerContext?.outcome !== 'key') return undefined;
  const { protocol = NO_HEADERS, body } = request.unparsed;
  if (protocol.origins.some((origin) => !isOwnOrigin(origin, request)))
    return reject(undefined, FOREIGN_ORIGIN);
  const message = readMessage(body);
  if ('status' in message) return reject(undefined, message);
  const asked = readRequest(message, protocol);
  switch (asked.kind) {
    case 'notification':
      return answer(ACCEPTED);
    case 'result':
      return answer(renderResult(message.id, asked.result));
    case 'error':
      return reject(message.id, asked.error);
    case 'list': {
      const tools = await describeTools(await listAllowed(request, ports), request, ports);
      return answer(renderResult(message.id, asked.toResult(tools)));
    }
    case 'call': {
      const call = toCallBody({ id: message.id, era: asked.era }, asked.name, asked.arguments);
      run.request = { ...request, unparsed: { ...request.unparsed, body: call } };
      return undefined;
    }
  }
}

const FOREIGN_ORIGIN: RpcError = {
  status: 403,
  code: -32_600,
  message: 'Pages of other origins may not call tools here.',
};

/** A page may call its own host. On this machine every name of it is the same host. */
function isOwnOrigin(origin: string, { host = '' }: ExecutionRequest): boolean {
  if (!URL.canParse(origin)) return false;
  const [own, other] = [host.replace(/:\d+$/, ''), new URL(origin).hostname];
  return LOOPBACK.test(own) ? LOOPBACK.test(other) : own !== '' && own === other;
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

function reject(id: Parameters<typeof renderRpcError>[0], error: RpcError): Outcome {
  return answer(renderRpcError(id, error));
}

function answer(rendered: Answer): Outcome {
  return { kind: 'models', answer: () => rendered };
}

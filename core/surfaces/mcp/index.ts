// Calls of neurons as tools of the Model Context Protocol. Its other methods ask no neuron: `protocol.ts`.
import { carriesRetryAfter, ERROR_CODES, type ErrorCode, statusOf } from '../../contract/error-codes.ts';
import { RESPONSE_HEADERS } from '../../contract/headers.ts';
import { ServiceError } from '../../contract/service-error.ts';
import { inputOf } from '../../conversation/conversation.ts';
import { parseConversation } from '../../conversation/parse-conversation.ts';
import { invalidAt } from '../../conversation/reader.ts';
import { isJsonObject, type JsonObject } from '../../text/json.ts';
import { cacheHeader, errorHeaders, leftOutHeader, receiptHeaders, retryAfterSeconds } from '../headers.ts';
import { parseBody } from '../parse.ts';
import type {
  AddressedNeuron,
  Answer,
  ErrorDetail,
  Invocation,
  RunResult,
  Surface,
  UnparsedInvocation,
} from '../surface.ts';
import { idInBody, type MessageId, RPC_CODES, renderResult, renderRpcError } from './message.ts';
import { type Era, structuredContent, toResult } from './protocol.ts';

interface McpInvocation extends Invocation, CallHead {}

/** A call as the step before it writes it into the body: its head first, with the tool as its `model`. */
export function toCallBody({ id, era }: CallHead, name: string, args: unknown): string {
  return JSON.stringify({ id, era, model: name, arguments: args });
}

interface CallHead {
  readonly id: MessageId | undefined;
  readonly era: Era;
}

const HEAD = /^\{"id":("(?:[^"\\]|\\.)*"|-?\d+),"era":"(stateless|initialized)",/;

/** The head of a call, which is found without its arguments; of another body, the id where that is short. */
function headOf(body = ''): CallHead {
  const [, id, era] = HEAD.exec(body) ?? [];
  if (id === undefined) return { id: idInBody(body), era: 'initialized' };
  return { id: JSON.parse(id) as MessageId, era: era === 'stateless' ? era : 'initialized' };
}

/** Throws `invalid_input` with the path of the first mistake, and `input_too_large`. */
function parse({ body }: UnparsedInvocation, { maxInputBytes }: AddressedNeuron): McpInvocation {
  const call = parseBody(body);
  const args = call['arguments'];
  if (!isJsonObject(args)) throw invalidAt('arguments', 'must be an object such as {"input":"text"}');
  const { input: sentInput, ...value } = args;
  const isAlone = (sentInput === undefined || sentInput === null) && Object.keys(value).length > 0;
  const input = isAlone ? '' : sentInput;
  if (typeof input !== 'string') throw invalidAt('arguments.input', 'must be a text');
  const conversation = parseConversation({ input }, maxInputBytes);
  return {
    input: inputOf(conversation),
    conversation,
    sentVariables: { path: 'arguments', value, ...(isAlone ? { isAlone } : {}) },
    bypassCache: false,
    stream: false,
    ...headOf(body),
  };
}

/** A run that was stopped is an error of the tool, so that the model knows that there is no answer. */
function renderCall(result: RunResult, era: Era): JsonObject {
  const text = result.output ?? '';
  return toResult(era, {
    content: [{ type: 'text', text }],
    ...(result.isStructured === true ? structuredContent(text) : {}),
    isError: result.executionStopped,
  });
}

/** Limits and mistakes of the input, on which a model can act, are results of the tool. Access and failures are errors of the request. */
function isToolError(code: ErrorCode): boolean {
  const status = statusOf(code);
  return status === 429 || status === 422 || status === 409;
}

const UNKNOWN_TOOL =
  'The tool does not exist, or this API key may not call it. Ask for tools/list for those that it may call.';

function renderError(code: ErrorCode, detail: ErrorDetail<McpInvocation>): Answer {
  const { id, era } = detail.invocation ?? headOf(detail.unparsed?.body);
  const status = statusOf(code);
  const retryAfter = carriesRetryAfter(code) ? retryAfterSeconds(detail.retryAfterMs) : undefined;
  const text = code === 'model_not_found' ? UNKNOWN_TOOL : (detail.text ?? ERROR_CODES[code].text);
  // An answer of status 200 is not to be tried again by a client: the text says when a model may.
  const headers = isToolError(code)
    ? errorHeaders(200, undefined, detail)
    : errorHeaders(status, retryAfter, detail);
  if (isToolError(code)) {
    const wait = retryAfter === undefined ? '' : ` Retry-After: ${retryAfter} s.`;
    const result = { content: [{ type: 'text', text: `${text}${wait}` }], isError: true };
    return { ...renderResult(id, toResult(era, result)), headers };
  }
  const rpc =
    status === 404 ? RPC_CODES.invalidParams : status < 500 ? RPC_CODES.invalidRequest : RPC_CODES.internal;
  const data = { code, ...(retryAfter === undefined ? {} : { retryAfter }) };
  return { ...renderRpcError(id, { status, code: rpc, message: text, data }), headers };
}

export const MCP: Surface<McpInvocation> = {
  parse,
  acceptsStream: () => false,
  takesArgumentText: true,
  renderAnswer: (result, { invocation: { id, era }, executionId, leftOut, receipt }) => {
    const { headers, ...answer } = renderResult(id, renderCall(result, era));
    const own = {
      [RESPONSE_HEADERS.executionId]: executionId,
      ...cacheHeader(result.cache, receipt !== undefined),
      ...receiptHeaders(receipt),
      ...leftOutHeader(leftOut),
    };
    return { ...answer, headers: { ...headers, ...own } };
  },
  statusOf: (code) => (isToolError(code) ? 200 : statusOf(code)),
  renderError,
  renderStreamHead: rejectStream,
  createEncoder: rejectStream,
};

/** No request asks for one. */
function rejectStream(): never {
  throw new ServiceError('internal', { reason: 'results of tools are not streamed' });
}

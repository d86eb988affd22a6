// The three protocols side by side, for what must hold in each of them: a recording, and streams made for a test.
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { createAnthropicProvider } from '../../../../adapters/providers/anthropic/index.ts';
import { createMessageReader } from '../../../../adapters/providers/anthropic/read-events.ts';
import { createFrameDecoder } from '../../../../adapters/providers/bedrock/frame-decoder.ts';
import { createBedrockProvider } from '../../../../adapters/providers/bedrock/index.ts';
import { createConverseReader } from '../../../../adapters/providers/bedrock/read-frames.ts';
import { createOpenaiProvider } from '../../../../adapters/providers/openai/index.ts';
import { createCompletionReader } from '../../../../adapters/providers/openai/read-chunks.ts';
import { createResponseReader } from '../../../../adapters/providers/openai/responses/read-events.ts';
import type { ProviderPorts } from '../../../../adapters/providers/ports.ts';
import { readAnswer } from '../../../../adapters/providers/streams/read-answer.ts';
import { createSseDecoder } from '../../../../adapters/providers/streams/sse-decoder.ts';
import { userMessage } from '../../../../core/conversation/conversation.ts';
import type { ModelEvent, ModelProvider } from '../../../../core/ports/providers.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';
import { createMemorySecretReader } from '../../../support/memory/secrets.ts';
import { createStreamHttp, type Outcome, type StreamedAnswer, take } from '../stream-http.ts';

/** A protocol under test. */
export interface Protocol {
  readonly name: 'openai' | 'openai-responses' | 'anthropic' | 'bedrock';
  /** A real answer, and the text that it is of. */
  readonly recorded: Buffer;
  readonly recordedText: string;
  readonly contentType: string;
  /** A whole answer with these deltas. */
  encode(deltas: readonly string[]): Buffer;
  /** An error as the provider sends it within a stream. */
  readonly error: Buffer;
  /** An error as the provider answers it in place of a stream. */
  readonly jsonError: string;
}

function readRecording(name: string): { readonly contentType: string; readonly recorded: Buffer } {
  const path = new URL(`../${name}/fixtures/stream.json`, import.meta.url);
  const { headers, stream, encoding } = JSON.parse(readFileSync(path, 'utf8'));
  return { contentType: headers['content-type'], recorded: Buffer.from(stream, encoding) };
}

/** A server-sent event. */
export function sse(data: unknown, event?: string): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`;
}

/** An event of Anthropic, whose name is its type. */
export const named = (event: { readonly type: string }): string => sse(event, event.type);

/** A frame of an event stream; all headers are texts. */
export function frame(headers: Readonly<Record<string, string>>, payload: unknown): Buffer {
  const written = Object.entries(headers).flatMap(([name, value]) => [
    Buffer.from([name.length, ...Buffer.from(name), 7, value.length >> 8, value.length & 0xff]),
    Buffer.from(value),
  ]);
  const [head, body] = [Buffer.concat(written), Buffer.from(JSON.stringify(payload))];
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(head.length + body.length + 16, 0);
  prelude.writeUInt32BE(head.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const unsigned = Buffer.concat([prelude, head, body]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(unsigned));
  return Buffer.concat([unsigned, checksum]);
}

/** An event of Bedrock. */
export function bedrockEvent(type: string, payload: unknown): Buffer {
  return frame(
    { ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' },
    payload,
  );
}

const openai: Protocol = {
  name: 'openai',
  ...readRecording('openai'),
  recordedText: 'This is a test.',
  encode: (deltas) =>
    Buffer.from(
      [
        ...deltas.map((content) => sse({ choices: [{ index: 0, delta: { content } }] })),
        sse({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
        sse('[DONE]'),
      ].join(''),
    ),
  error: Buffer.from(sse({ error: { message: 'Overloaded.', type: 'server_error', code: 'overloaded' } })),
  jsonError: JSON.stringify({ error: { message: 'Overloaded.', type: 'server_error', code: 'overloaded' } }),
};

const responses: Protocol = {
  name: 'openai-responses',
  ...readRecording('responses'),
  recordedText: 'This is a test.',
  encode: (deltas) =>
    Buffer.from(
      [
        { type: 'response.created', response: { object: 'response', status: 'in_progress' } },
        ...deltas.map((delta) => ({ type: 'response.output_text.delta', output_index: 0, delta })),
        {
          type: 'response.output_item.done',
          output_index: 0,
          item: { type: 'message', content: [{ type: 'output_text', text: deltas.join('') }] },
        },
        {
          type: 'response.completed',
          response: { object: 'response', status: 'completed', usage: { input_tokens: 3, output_tokens: 5 } },
        },
      ]
        .map(named)
        .join(''),
    ),
  error: Buffer.from(
    named({
      type: 'response.failed',
      ...{ response: { error: { code: 'server_error', message: 'Overloaded.' } } },
    }),
  ),
  jsonError: JSON.stringify({ error: { message: 'Overloaded.', type: 'server_error', code: 'overloaded' } }),
};

const anthropicError = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
const anthropic: Protocol = {
  name: 'anthropic',
  ...readRecording('anthropic'),
  recordedText: 'Hello!',
  encode: (deltas) =>
    Buffer.from(
      [
        { type: 'message_start', message: { model: 'm', usage: { input_tokens: 3, output_tokens: 1 } } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        ...deltas.map((text) => ({
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'text_delta', text },
        })),
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
        { type: 'message_stop' },
      ]
        .map(named)
        .join(''),
    ),
  error: Buffer.from(named(anthropicError)),
  jsonError: JSON.stringify(anthropicError),
};

const bedrock: Protocol = {
  name: 'bedrock',
  ...readRecording('bedrock'),
  recordedText: "Hi! I'm an AI language",
  encode: (deltas) =>
    Buffer.concat([
      bedrockEvent('messageStart', { role: 'assistant' }),
      ...deltas.map((text) => bedrockEvent('contentBlockDelta', { contentBlockIndex: 0, delta: { text } })),
      bedrockEvent('contentBlockStop', { contentBlockIndex: 0 }),
      bedrockEvent('messageStop', { stopReason: 'end_turn' }),
      bedrockEvent('metadata', { usage: { inputTokens: 3, outputTokens: 5, totalTokens: 8 } }),
    ]),
  error: frame(
    { ':exception-type': 'throttlingException', ':message-type': 'exception' },
    { message: 'Too many requests' },
  ),
  jsonError: JSON.stringify({ message: 'Too many requests' }),
};

/** All of them. */
export const PROTOCOLS: readonly Protocol[] = [openai, responses, anthropic, bedrock];

const secrets = createMemorySecretReader(new Map([['org-1/providers/key', 'sk-one']]));

function createProvider(name: Protocol['name'], openHttp: ProviderPorts['openHttp']): ModelProvider {
  const http = () => Promise.reject(new Error('no answer is read whole'));
  const ports = { organizationId: 'org-1', secrets, http, openHttp, clock: createMemoryClock(0) };
  const apiKey = { secret: 'key' };
  const baseUrl = 'https://api.example.com/v1';
  if (name === 'openai') return createOpenaiProvider({ type: 'openai', baseUrl, apiKey }, ports);
  if (name === 'openai-responses') {
    return createOpenaiProvider({ type: 'openai', api: 'responses', baseUrl, apiKey }, ports);
  }
  if (name === 'anthropic') {
    return createAnthropicProvider({ type: 'anthropic', baseUrl: 'https://api.example.com', apiKey }, ports);
  }
  return createBedrockProvider({ type: 'bedrock', region: 'us-east-1' }, ports);
}

const READERS = {
  openai: () => [createSseDecoder(), createCompletionReader()] as const,
  'openai-responses': () => [createSseDecoder(), createResponseReader()] as const,
  anthropic: () => [createSseDecoder(), createMessageReader()] as const,
  bedrock: () => [createFrameDecoder(), createConverseReader()] as const,
};

/** The body of an answer read by the protocol alone, without a request: for tests of thousands of streams. */
export async function readBody(
  { name }: Pick<Protocol, 'name'>,
  answer: StreamedAnswer,
  signal: AbortSignal = never,
): Promise<Outcome> {
  const { openHttp } = createStreamHttp(answer);
  const opened = await openHttp({ method: 'POST', url: 'https://api.example.com/', signal });
  if (name === 'bedrock') return take(readAnswer(opened, ...READERS.bedrock()));
  return take(readAnswer(opened, ...READERS[name]()));
}

const never = new AbortController().signal;

/** A stream of the provider that is answered so, with the content type of its protocol. */
export function open(
  { name, contentType }: Pick<Protocol, 'name' | 'contentType'>,
  answer: StreamedAnswer,
  signal: AbortSignal = never,
) {
  const http = createStreamHttp({ headers: { 'content-type': contentType }, ...answer });
  const provider = createProvider(name, http.openHttp);
  const request = { model: 'm', system: [], messages: [userMessage('Hello')], maxTokens: 5, signal };
  const stream = (): AsyncIterable<ModelEvent> => provider.stream?.(request) ?? missing();
  return { ...http, stream };
}

function missing(): never {
  throw new Error('the provider has no streams');
}

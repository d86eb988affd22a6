// A function whose neuron passes requests for messages on, with what its provider was sent and what was kept of it.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { LogEntry } from '../../../../core/contract/log-entry.ts';
import { serve } from '../../../../lambdas/execute/serve.ts';
import { createStreamHttp, type StreamedAnswer } from '../../../adapters/providers/stream-http.ts';
import { named } from '../../../adapters/providers/streams/protocols.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';
import { createMemoryCounters } from '../../../support/memory/counters.ts';
import { createMemoryIdempotency } from '../../../support/memory/idempotency.ts';
import { createMemoryResponseCache } from '../../../support/memory/response-cache.ts';
import { eventOf, portsOf } from '../memory-ports.ts';
import { finish } from '../served.ts';

export const JSON_TYPE = { 'content-type': 'application/json' };
export const EVENTS_TYPE = { 'content-type': 'text/event-stream' };

export type Json = Readonly<Record<string, unknown>>;

const TOOLS = [{ name: 'bash', type: 'bash_20250124' }];

const USAGE = { input_tokens: 5, output_tokens: 7, cache_read_input_tokens: 0, service_tier: 'standard' };

/** A message with what no translation has: citations, a search among tools, and a member that nobody knows yet. */
export const MESSAGE: Json = {
  ...{ id: 'msg_vendor', type: 'message', role: 'assistant', model: 'claude-sonnet-4-6', novelty: [1] },
  content: [
    { type: 'server_tool_use', id: 's', name: 'tool_search_tool_regex', input: { pattern: 'a' } },
    { type: 'tool_search_tool_result', tool_use_id: 's', content: { tool_references: [] } },
    { type: 'text', text: 'Hi \ud83d\ude00', citations: [{ type: 'char_location', cited_text: 'Hi' }] },
    { type: 'tool_use', id: 'toolu_1', name: 'bash', input: { command: 'ls' } },
  ],
  ...{ stop_reason: 'tool_use', stop_sequence: null, usage: USAGE },
};

/** The same as its events, in small pieces. */
export const EVENTS: readonly (Json & { readonly type: string })[] = [
  { type: 'message_start', message: { ...MESSAGE, content: [], stop_reason: null } },
  { type: 'ping' },
  ...(MESSAGE['content'] as readonly Json[]).flatMap((block, index) => [
    ...piecesOf(block).map((piece) => ({ ...piece, index })),
    { type: 'content_block_stop', index },
  ]),
  {
    type: 'message_delta',
    ...{ delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: USAGE },
    context_management: { applied_edits: [] },
  },
  { type: 'message_stop' },
];

function piecesOf(block: Json): readonly (Json & { readonly type: string })[] {
  const start = (content_block: Json) => ({ type: 'content_block_start', content_block });
  const delta = (one: Json) => ({ type: 'content_block_delta', delta: one });
  const { type, text, input, citations } = block;
  if (type === 'text') {
    const pieces = [...String(text)].map((piece) => delta({ type: 'text_delta', text: piece }));
    const cited = (citations as readonly Json[]).map((citation) =>
      delta({ type: 'citations_delta', citation }),
    );
    return [start({ ...block, text: '', citations: [] }), ...pieces, ...cited];
  }
  if (input === undefined) return [start(block)];
  const pieces = [...JSON.stringify(input)].map((partial_json) =>
    delta({ type: 'input_json_delta', partial_json }),
  );
  return [start({ ...block, input: {} }), ...pieces];
}

interface Wanted {
  readonly flow?: readonly object[];
  readonly callModel?: object;
  readonly settings?: object;
  /** Further settings of the organization. */
  readonly organization?: object;
  /** In place of `MESSAGE`, whole or streamed as it was asked for. */
  readonly answer?: StreamedAnswer;
  readonly transferMode?: 'STREAM' | 'BUFFERED';
}

/** What was sent, with its body parsed. */
interface Sent {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

export function openNeuron({
  flow,
  callModel,
  settings,
  organization = {},
  answer,
  transferMode = 'STREAM',
}: Wanted = {}) {
  const clock = createMemoryClock(Date.UTC(2026, 10, 22, 12));
  const entries: LogEntry[] = [];
  const lines: string[] = [];
  const sent: Sent[] = [];
  const CALL = { provider: 'claude', model: 'claude-sonnet-4-6', retries: 0, accepts: ['passThrough'] };
  const memory = portsOf(
    {
      providers: {
        claude: { type: 'anthropic', baseUrl: 'https://api.example.com', apiKey: { secret: 'key' } },
        beta: {
          type: 'anthropic',
          baseUrl: 'https://api.example.com',
          apiKey: { secret: 'key' },
          headers: { 'Anthropic-Beta': 'context-1m-2025-08-07' },
        },
        aws: { type: 'bedrock', region: 'us-east-1' },
        openai: { type: 'openai', baseUrl: 'https://api.example.com/v1' },
      },
      more: organization,
      neurons: {
        coder: {
          settings: { maxInputBytes: 1_000_000, logging: { bodies: 'full' }, ...settings },
          flow: flow ?? [{ callModel: { ...CALL, ...callModel } }],
        },
      },
    },
    createMemoryCounters(),
    {
      clock,
      responses: createMemoryResponseCache(),
      logs: { put: async (entry) => entries.push(entry) > 0 },
      openHttp: (request) => {
        const body = JSON.parse(request.body ?? '{}');
        sent.push({ url: request.url, headers: request.headers ?? {}, body });
        const usual =
          body.stream === true
            ? { headers: EVENTS_TYPE, pieces: EVENTS.map(named) }
            : { headers: JSON_TYPE, pieces: [JSON.stringify(MESSAGE)] };
        return createStreamHttp(answer ?? usual).openHttp(request);
      },
    },
  );
  const stored = createMemoryIdempotency();
  const openIdempotency = async () => stored;
  const ports = {
    ...memory,
    transferMode,
    openIdempotency,
    lines: { write: (line: string) => void lines.push(line) },
  };
  let asked = 0;
  return {
    sent,
    entries,
    kept: () => JSON.stringify([entries, lines]),
    async ask(json: object, headers: Readonly<Record<string, readonly string[]>> = {}) {
      asked += 1;
      const request = {
        model: 'coder',
        max_tokens: 500,
        messages: [{ role: 'user', content: 'Hi' }],
        tools: TOOLS,
        ...json,
      };
      const usual = eventOf(
        'coder',
        request,
        { stream: false, surface: 'anthropic' },
        `call-${asked}`,
        clock,
      );
      const event = { ...usual, multiValueHeaders: { ...usual.multiValueHeaders, ...headers } };
      const served = await serve(event as APIGatewayProxyEvent, new AbortController().signal, ports);
      return { headers: served.answer().headers, ...(await finish(served)) };
    },
  };
}

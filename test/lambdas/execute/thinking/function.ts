// The execution function in front of models that sign their thoughts, with everything that it has kept and sent.
import type { Readable } from 'node:stream';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { LogEntry } from '../../../../core/contract/log-entry.ts';
import { serve } from '../../../../lambdas/execute/serve.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';
import { createMemoryCounters } from '../../../support/memory/counters.ts';
import { createMemoryResponseCache } from '../../../support/memory/response-cache.ts';
import { eventOf, portsOf } from '../memory-ports.ts';
import { createSigningModels } from './signing-model.ts';

const CLAUDE = { provider: 'claude', model: 'claude-sonnet-4-6' };
const AWS = { provider: 'aws', model: 'us.anthropic.claude-sonnet-4-6' };

/** A function whose models are those that sign, and everything that it has kept and sent. */
export function openFunction() {
  const clock = createMemoryClock(Date.UTC(2026, 10, 22, 12));
  const { openHttp, received } = createSigningModels();
  const entries: LogEntry[] = [];
  const lines: string[] = [];
  const cache = createMemoryResponseCache();
  const stored: unknown[] = [];
  const settings = {
    caching: { exact: true },
    logging: { bodies: 'full' },
    maxInputBytes: 1_000_000,
  };
  const neuron = (target: object, more: object = {}) => ({
    settings,
    flow: [{ callModel: { ...target, maxTokens: 8_000, retries: 0, accepts: 'all', ...more } }],
  });
  const memory = portsOf(
    {
      providers: {
        claude: { type: 'anthropic', baseUrl: 'https://api.example.com', apiKey: { secret: 'key' } },
        other: { type: 'anthropic', baseUrl: 'https://other.example.com', apiKey: { secret: 'key' } },
        aws: { type: 'bedrock', region: 'us-east-1' },
        openai: { type: 'openai', api: 'responses', baseUrl: 'https://api.example.com/v1' },
      },
      neurons: {
        claude: neuron(CLAUDE),
        aws: neuron(AWS),
        gpt: neuron({ provider: 'openai', model: 'gpt-5.4' }),
        'other-gpt': neuron({ provider: 'openai', model: 'gpt-5.6' }),
        twin: neuron(CLAUDE),
        newer: neuron({ provider: 'claude', model: 'claude-opus-4-7' }),
        other: neuron({ ...CLAUDE, provider: 'other' }),
        passed: neuron(CLAUDE, { accepts: ['passThrough'] }),
        'passed-aws': neuron(AWS, { accepts: ['passThrough'] }),
        quiet: neuron(CLAUDE, { accepts: ['history', 'system', 'tools', 'parameters'] }),
      },
    },
    createMemoryCounters(),
    {
      clock,
      openHttp,
      responses: {
        ...cache,
        write: async (scope, hash, answer) => {
          stored.push(answer);
          await cache.write(scope, hash, answer);
        },
      },
      logs: {
        put: async (entry) => {
          entries.push(entry);
          return true;
        },
      },
    },
  );
  const ports = { ...memory, lines: { write: (line: string) => void lines.push(line) } };
  let calls = 0;
  const call = async (surface: 'anthropic' | 'responses' | 'openai', slug: string, json: object) => {
    calls += 1;
    const event = eventOf(slug, { model: slug, ...json }, { stream: false, surface }, `call-${calls}`, clock);
    const served = await serve(event as APIGatewayProxyEvent, new AbortController().signal, ports);
    const { status, body, headers } = served.answer();
    const text = typeof body === 'string' ? body : await readAll(body);
    await served.finish();
    return { status, text, leftOut: headers['X-Neuron-Left-Out'] ?? '' };
  };
  return { call, received, kept: () => JSON.stringify([entries, lines, stored]), entries, stored };
}

async function readAll(body: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

/** A block of a message, or an item of a response. */
export type Block = Readonly<Record<string, unknown>> & { readonly type: string };

export const typesOf = (content: readonly Block[]) => content.map(({ type }) => type);

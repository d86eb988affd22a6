// A model that repeats what it was asked in its own time and says whose key it was asked with, vectors, and a guard by a service.
import { createHmac } from 'node:crypto';
import { setImmediate as later } from 'node:timers/promises';
import type { OpenHttp } from '../../../../adapters/http/message.ts';
import { createStreamHttp } from '../../../adapters/providers/stream-http.ts';
import { sse } from '../../../adapters/providers/streams/protocols.ts';
import { ORGANIZATIONS, secretsOf } from './organizations.ts';

/** Each model call takes as many. */
export const USED = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

/** A request that arrived: whose secret it was made with, and what it says. */
export interface Asked {
  readonly kind: 'chat' | 'embeddings' | 'guard';
  readonly organization: string | undefined;
  readonly host: string;
  readonly traceparent: string | undefined;
  readonly body: string;
}

export function openUpstream() {
  const asked: Asked[] = [];
  const openHttp: OpenHttp = async (request) => {
    const body = String(request.body);
    const headers = Object.fromEntries(
      Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const { host, pathname } = new URL(request.url);
    const kind = host.startsWith('guard.')
      ? 'guard'
      : pathname.endsWith('embeddings')
        ? 'embeddings'
        : 'chat';
    const organization = kind === 'guard' ? signerOf(headers, body) : holderOf(headers['authorization']);
    asked.push({ kind, organization, host, traceparent: headers['traceparent'], body });
    // Calls overtake each other.
    for (let turns = body.length % 7; turns > 0; turns -= 1) await later();
    return createStreamHttp(answerOf(kind, body, organization)).openHttp(request);
  };
  return { asked, openHttp };
}

function holderOf(authorization: string | undefined): string | undefined {
  return ORGANIZATIONS.find((one) => authorization === `Bearer ${secretsOf(one).key}`);
}

function signerOf(headers: Readonly<Record<string, string>>, body: string): string | undefined {
  const signed = `${headers['x-neuron-timestamp']}.${body}`;
  return ORGANIZATIONS.find((one) => {
    const signature = createHmac('sha256', secretsOf(one)['guard-hmac']).update(signed).digest('hex');
    return headers['x-neuron-signature'] === `v1=${signature}`;
  });
}

const whole = (json: object) => ({
  headers: { 'content-type': 'application/json' },
  pieces: [JSON.stringify(json)],
});

function answerOf(kind: Asked['kind'], body: string, organization: string | undefined) {
  if (kind === 'guard') return whole({ verdict: body.includes(' and bad') ? 'block' : 'pass' });
  const json = JSON.parse(body) as {
    input?: string;
    messages?: readonly { content: string | readonly { text: string }[] }[];
    stream?: boolean;
  };
  if (kind === 'embeddings') {
    const embedding = [Number(/mark(\d+)end/.exec(String(json.input))?.[1]), 0.5];
    return whole({ data: [{ index: 0, embedding }], usage: { prompt_tokens: USED.prompt_tokens } });
  }
  const content = json.messages?.at(-1)?.content ?? '';
  const said = typeof content === 'string' ? content : content.map((part) => part.text).join('');
  const text = `${said} by-${organization} `;
  if (json.stream === true)
    return { headers: { 'content-type': 'text/event-stream' }, pieces: piecesOf(text) };
  const message = { role: 'assistant', content: text };
  return whole({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage: USED });
}

async function* piecesOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += 5) {
    await later();
    yield sse({ choices: [{ index: 0, delta: { content: text.slice(at, at + 5) } }] });
  }
  yield sse({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  yield sse({ choices: [], usage: USED });
  yield sse('[DONE]');
}

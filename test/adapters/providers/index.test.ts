// The providers of an organization, looked up by name, and one call through all layers to a real socket.

import { beforeAll, describe, expect, it } from 'vitest';
import type { Http, OpenHttp } from '../../../adapters/http/message.ts';
import { systemClock } from '../../../adapters/platform/clock.ts';
import { createProviders } from '../../../adapters/providers/index.ts';
import { userMessage } from '../../../core/conversation/conversation.ts';
import type { ModelEvent, ModelRequest } from '../../../core/ports/providers.ts';
import { organizationSchema } from '../../../core/settings/organization-schema.ts';
import { createMemorySecretReader } from '../../support/memory/secrets.ts';
import { startRawServer } from '../http/raw-server.ts';
import { readOpenaiFixture } from './fake-http.ts';

let http: Http;
let openHttp: OpenHttp;
beforeAll(async () => {
  Object.assign(globalThis, { [Symbol.for('neuron.loopback')]: true });
  const { createHttp, createOpenHttp } = await import('../../../adapters/http/request.ts');
  http = createHttp();
  openHttp = createOpenHttp();
});

function find(providers: object) {
  const secrets = createMemorySecretReader(new Map([['org-1/providers/key', 'sk-one']]));
  const parsed = organizationSchema.parse({ organization: 'acme', providers });
  return createProviders({ secrets, http, openHttp, clock: systemClock })('org-1', parsed.providers);
}

const request: ModelRequest = {
  model: 'm',
  system: [],
  messages: [userMessage('Hello')],
  maxTokens: 9,
  signal: new AbortController().signal,
};

describe('the providers of an organization', () => {
  it('are found by name, with their timeout', async () => {
    const found = find({ demo: { type: 'echo', timeout: '5s' }, other: { type: 'echo' } });
    expect(found('demo')?.timeoutMs).toBe(5_000);
    expect(found('other')?.timeoutMs).toBeUndefined();
    expect((await found('demo')?.provider.generate(request))?.text).toBe('You said: Hello');
  });

  it('stream in pieces where their type does', async () => {
    const found = find({ demo: { type: 'echo' } })('demo')?.provider;
    const pieces: ModelEvent[] = [];
    for await (const piece of found?.stream?.(request) ?? []) pieces.push(piece);
    expect(pieces).toMatchObject([
      { type: 'opened' },
      { type: 'text', text: 'You' },
      { type: 'text', text: ' said:' },
      { type: 'text', text: ' Hello' },
      { type: 'end', finish: 'stop' },
    ]);
  });

  it('are not what every object has by birth', () => {
    const found = find({});
    expect(found('demo')).toBeUndefined();
    expect(found('constructor')).toBeUndefined();
    expect(found('__proto__')).toBeUndefined();
  });

  it('that makes no text ends a call for one as configuration', async () => {
    const found = find({ words: { type: 'lexical' } });
    await expect(found('words')?.provider.generate(request)).rejects.toMatchObject({
      code: 'configuration',
      reason: 'a provider of type lexical makes no text',
    });
  });

  it('call an OpenAI-compatible endpoint over a real connection', async () => {
    const body = JSON.stringify(readOpenaiFixture('invented-ollama-chat-completion').body);
    const server = await startRawServer((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
    );
    const found = find({ local: { type: 'openai', baseUrl: server.url, apiKey: { secret: 'key' } } });
    expect((await found('local')?.provider.generate(request))?.text).toBe('Hello!');
    expect(server.received[0]).toMatch(
      /^POST \/v1\/chat\/completions HTTP\/1\.1\r\nauthorization: Bearer sk-one\r\n/,
    );
    expect(server.received[0]).toContain('"max_tokens":9');
  });

  it('that do not answer fail when the attempt is over', async () => {
    const server = await startRawServer(() => undefined);
    const found = find({ local: { type: 'openai', baseUrl: server.url } });
    const signal = AbortSignal.timeout(50);
    await expect(found('local')?.provider.generate({ ...request, signal })).rejects.toMatchObject({
      name: 'ProviderFailure',
      kind: 'timeout',
    });
  });
});

// The client as applications use it: what it sends, what it returns, what it throws.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { NeuronClient, NeuronError } from '../../client/src/index.ts';

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

/** A `fetch` that answers with what it is given and keeps what it was asked. */
function scripted(answer: () => Response): { readonly sent: Sent[]; readonly fetch: typeof fetch } {
  const sent: Sent[] = [];
  return {
    sent,
    fetch: async (url, init = {}) => {
      sent.push({ url: String(url), init });
      return answer();
    },
  };
}

const SUCCESS = '{"output":"Hi","fromCache":false,"executionStopped":false}';
const ok = () => new Response(SUCCESS, { headers: { 'Content-Type': 'application/json' } });
const headersOf = (sent: Sent | undefined) => new Headers(sent?.init.headers);

async function thrownBy(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.unreachable('the call should have failed'),
    (error: unknown) => error,
  );
}

describe('what is sent', () => {
  it('is a POST of the input as JSON to the slugs below the base URL', async () => {
    const { sent, fetch } = scripted(ok);
    const client = new NeuronClient({ baseURL: 'https://api.example.com/prod', fetch });
    await client.callNeuron('acme', 'hello', { input: 'Hello' });
    expect(sent[0]?.url).toBe('https://api.example.com/prod/acme/hello');
    expect(sent[0]?.init.method).toBe('POST');
    expect(sent[0]?.init.body).toBe('{"input":"Hello"}');
    expect(headersOf(sent[0]).get('content-type')).toBe('application/json');
    expect(headersOf(sent[0]).has('authorization')).toBe(false);
  });

  it('is an empty input when none is given', async () => {
    const { sent, fetch } = scripted(ok);
    await new NeuronClient({ fetch }).callNeuron('acme', 'hello');
    expect(sent[0]?.init.body).toBe('{"input":""}');
  });

  it('goes to the local run by default, and accepts a base URL that ends with slashes', async () => {
    const { sent, fetch } = scripted(ok);
    await new NeuronClient({ fetch }).callNeuron('acme', 'hello');
    await new NeuronClient({ fetch, baseURL: 'http://localhost:1234//' }).callNeuron('acme', 'hello');
    expect(sent.map(({ url }) => url)).toEqual([
      'http://127.0.0.1:3000/acme/hello',
      'http://localhost:1234/acme/hello',
    ]);
  });

  it('has the query parameters that are true and no others', async () => {
    const { sent, fetch } = scripted(() => new Response(SUCCESS));
    const client = new NeuronClient({ fetch });
    await client.callNeuron('acme', 'hello', { bypassCache: true, rawOutput: true });
    await client.callNeuron('acme', 'hello', { bypassCache: false, rawOutput: false });
    expect(sent.map(({ url }) => new URL(url).search)).toEqual(['?bypassCache=true&rawOutput=true', '']);
  });

  it('has the token of the call before that of the setter before that of the constructor', async () => {
    const { sent, fetch } = scripted(ok);
    const client = new NeuronClient({ fetch, jwtOrApiKey: 'first' });
    await client.callNeuron('acme', 'hello');
    client.setJwtOrApiKey('second');
    await client.callNeuron('acme', 'hello');
    await client.callNeuron('acme', 'hello', { jwtOrApiKey: 'third' });
    await client.callNeuron('acme', 'hello');
    expect(sent.map((request) => headersOf(request).get('authorization'))).toEqual([
      'Bearer first',
      'Bearer second',
      'Bearer third',
      'Bearer second',
    ]);
  });

  it("keeps the caller's Authorization header where no token is set, and its objects always", async () => {
    const { sent, fetch } = scripted(ok);
    const headers = Object.freeze({
      authorization: 'Basic abc',
      'X-Trace': '1',
      'content-type': 'text/plain',
    });
    const options = Object.freeze({ input: 'Hello', headers });
    await new NeuronClient({ fetch }).callNeuron('acme', 'hello', options);
    await new NeuronClient({ fetch, jwtOrApiKey: 'mine' }).callNeuron('acme', 'hello', options);
    expect(sent.map((request) => headersOf(request).get('authorization'))).toEqual([
      'Basic abc',
      'Bearer mine',
    ]);
    expect(headersOf(sent[0]).get('content-type')).toBe('application/json');
    expect(headersOf(sent[0]).get('x-trace')).toBe('1');
  });

  it('is nothing for slugs that the service cannot have', async () => {
    const { sent, fetch } = scripted(ok);
    const client = new NeuronClient({ fetch });
    for (const slug of ['', 'Acme', 'a/b', '..', '-a', 'a'.repeat(64)]) {
      expect(await thrownBy(client.callNeuron(slug, 'hello'))).toBeInstanceOf(TypeError);
      expect(await thrownBy(client.callNeuron('acme', slug))).toBeInstanceOf(TypeError);
    }
    expect(sent).toEqual([]);
  });

  it('is nothing for options that are none, and an input that is no string is left to the service', async () => {
    const { sent, fetch } = scripted(ok);
    const client = new NeuronClient({ fetch });
    for (const options of ['Hello', null, 7])
      expect(await thrownBy(client.callNeuron('acme', 'hello', options as never))).toBeInstanceOf(TypeError);
    expect(sent).toEqual([]);
    await client.callNeuron('acme', 'hello', { input: null as never });
    expect(sent[0]?.init?.body).toBe('{"input":null}');
  });

  it('is nothing for a token or header that cannot be sent, and the error does not repeat it', async () => {
    const { sent, fetch } = scripted(ok);
    const client = new NeuronClient({ fetch });
    const byToken = await thrownBy(client.callNeuron('acme', 'hello', { jwtOrApiKey: 'geheim\nx' }));
    const byHeader = await thrownBy(
      client.callNeuron('acme', 'hello', { headers: { Authorization: 'geheim\u0000' } }),
    );
    for (const error of [byToken, byHeader]) {
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).toContain('Authorization');
      expect(String(error)).not.toContain('geheim');
    }
    expect(sent).toEqual([]);
  });
});

describe('the base URL', () => {
  const before = process.env['NEURON_BASE_URL'];
  afterEach(() => {
    if (before === undefined) delete process.env['NEURON_BASE_URL'];
    else process.env['NEURON_BASE_URL'] = before;
  });

  it('comes from NEURON_BASE_URL where the option is absent', async () => {
    process.env['NEURON_BASE_URL'] = 'https://neurons.example.com';
    const { sent, fetch } = scripted(ok);
    await new NeuronClient({ fetch }).callNeuron('acme', 'hello');
    expect(sent[0]?.url).toBe('https://neurons.example.com/acme/hello');
  });

  it('refuses what is not a plain http or https URL, without repeating it', () => {
    for (const baseURL of ['', 'neurons', 'ftp://a.example', 'https://me:geheim@a.example', 'https://a/?b']) {
      expect(() => new NeuronClient({ baseURL })).toThrow(TypeError);
      expect(() => new NeuronClient({ baseURL })).not.toThrow(/geheim/);
    }
  });
});

describe('what is returned', () => {
  it('is the body of a success', async () => {
    const { fetch } = scripted(ok);
    const answer = await new NeuronClient({ fetch }).callNeuron('acme', 'hello', { input: 'Hello' });
    expect(answer).toEqual({ output: 'Hi', fromCache: false, executionStopped: false });
  });

  it('is the text alone with rawOutput', async () => {
    const { fetch } = scripted(() => new Response('{"not":"parsed"}'));
    const answer = await new NeuronClient({ fetch }).callNeuron('acme', 'hello', { rawOutput: true });
    expect(answer).toBe('{"not":"parsed"}');
  });
});

describe('an error', () => {
  const limited = () =>
    new Response(
      '{"error":"Rate limit exceeded.","statusCode":429,"code":"rate_limited","retryAfter":7,"executionId":"abc="}',
      { status: 429 },
    );

  it('is a NeuronError with what the service says, in raw mode too', async () => {
    for (const rawOutput of [false, true]) {
      const { fetch } = scripted(limited);
      const client = new NeuronClient({ fetch, retry: false });
      const error = await thrownBy(client.callNeuron('acme', 'hello', { rawOutput }));
      expect(error).toBeInstanceOf(Error);
      expect(error).toBeInstanceOf(NeuronError);
      expect(error).toMatchObject({
        name: 'NeuronError',
        message: 'Rate limit exceeded.',
        error: 'Rate limit exceeded.',
        statusCode: 429,
        code: 'rate_limited',
        retryAfter: 7,
        executionId: 'abc=',
      });
    }
  });

  it('has a useful text for a response that is not JSON, with the wait and the id of its headers', async () => {
    const { fetch } = scripted(
      () =>
        new Response('<html>Bad gateway</html>', {
          status: 503,
          headers: { 'Content-Type': 'text/html', 'Retry-After': '30', 'X-Execution-Id': 'id-1' },
        }),
    );
    const error = await thrownBy(new NeuronClient({ fetch }).callNeuron('acme', 'hello'));
    expect(error).toMatchObject({
      statusCode: 503,
      code: undefined,
      retryAfter: 30,
      executionId: 'id-1',
      error:
        'The response (HTTP 503, text/html) is not from the service. Check baseURL and any proxy in between.',
    });
  });

  it('is one too when a success is not the JSON of a neuron', async () => {
    for (const body of ['', '<html></html>', '[1]', 'null', '{"message":"Welcome"}']) {
      const { fetch } = scripted(() => new Response(body, { status: 200 }));
      const error = await thrownBy(new NeuronClient({ fetch }).callNeuron('acme', 'hello'));
      expect(error).toBeInstanceOf(NeuronError);
      expect(error).toMatchObject({ statusCode: 200 });
    }
  });

  it('is none where a neuron answers with a page on purpose: the output alone is plain text', async () => {
    const page = '<!doctype html><html>Hello</html>';
    for (const type of ['text/plain; charset=utf-8', 'text/plain', 'Text/Plain ; charset=UTF-8']) {
      const { fetch } = scripted(() => new Response(page, { headers: { 'Content-Type': type } }));
      const options = { rawOutput: true } as const;
      expect(await new NeuronClient({ fetch }).callNeuron('acme', 'hello', options)).toBe(page);
    }
  });

  it('is one too when a page comes in place of the requested plain output', async () => {
    const headers = { 'Content-Type': 'text/html' };
    const { fetch } = scripted(() => new Response('<html>Sign in</html>', { headers }));
    const call = new NeuronClient({ fetch }).callNeuron('acme', 'hello', { rawOutput: true });
    expect(await thrownBy(call)).toMatchObject({
      statusCode: 200,
      error: expect.stringContaining('text/html'),
    });
  });

  it('says that the input is too large when API Gateway rejects it in its own format', async () => {
    const { fetch } = scripted(() => new Response('{"message":"Request Too Long"}', { status: 413 }));
    const error = await thrownBy(new NeuronClient({ fetch }).callNeuron('acme', 'hello'));
    expect(error).toMatchObject({
      statusCode: 413,
      error: 'The input is too large (HTTP 413). Shorten it.',
    });
  });

  it('never contains the token, even when a proxy repeats it', async () => {
    const { fetch } = scripted(
      () => new Response('{"error":"bad header Bearer geheim-123"}', { status: 400 }),
    );
    const error = await thrownBy(
      new NeuronClient({ fetch, jwtOrApiKey: 'geheim-123' }).callNeuron('acme', 'hello'),
    );
    expect(error).toMatchObject({ error: 'bad header Bearer [token]', statusCode: 400 });
  });

  it('has no statusCode when no answer came', async () => {
    const cause = new TypeError('fetch failed');
    const fetch = () => Promise.reject(cause);
    const error = await thrownBy(new NeuronClient({ fetch }).callNeuron('acme', 'hello'));
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toHaveProperty('statusCode');
    expect(error).toMatchObject({ cause, message: expect.stringContaining('127.0.0.1:3000/acme/hello') });
  });
});

describe('over real HTTP', () => {
  it('does not follow a redirect, so that neither input nor token goes elsewhere', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(307, { Location: '/elsewhere/hello' }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const error = await thrownBy(
      new NeuronClient({ baseURL, jwtOrApiKey: 'geheim' }).callNeuron('acme', 'hello'),
    );
    await new Promise((resolve) => server.close(resolve));
    expect(asked).toEqual(['/acme/hello']);
    expect(error).toMatchObject({ message: expect.stringContaining('redirect') });
    expect(error).not.toHaveProperty('statusCode');
  });
});

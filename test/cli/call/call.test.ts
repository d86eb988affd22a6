// `neuron call` as an operator uses it: input, token, what is printed where.
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { main } from '../../../cli/main.ts';
import { createOutput } from '../../../cli/output/print.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryTerminal, type Surroundings } from '../memory-terminal.ts';

interface Asked {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const folder = temporaryFolder();
let server: Server;
let asked: Asked[] = [];
let answer: { status: number; headers: Record<string, string>; body: string };

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    asked.push({
      url: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    });
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  asked = [];
  answer = {
    status: 200,
    headers: { 'X-Execution-Id': 'abc=', 'X-Cache': 'miss' },
    body: '{"output":"Hi","fromCache":false,"executionStopped":false}',
  };
});

async function run(words: readonly string[], around: Surroundings = {}) {
  const environment = {
    NEURON_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...around.environment,
  };
  const terminal = createMemoryTerminal({ folder, ...around, environment });
  const reject = () => Promise.reject(new Error('no stack in this test'));
  const exitCode = await main(words, terminal, (options) => {
    const out = createOutput(terminal, options);
    return { options, terminal, out, findStack: reject, connect: reject };
  });
  return { exitCode, ...terminal.printed };
}

describe('the input', () => {
  it('comes from --input, else from standard input', async () => {
    await run(['call', 'acme/hello', '--input', 'given']);
    await run(['call', 'acme/hello'], { piped: 'piped\n' });
    expect(asked.map(({ url, body }) => [url, body])).toEqual([
      ['/acme/hello', '{"input":"given"}'],
      ['/acme/hello', '{"input":"piped\\n"}'],
    ]);
  });

  it('may be a conversation in a file, alone or with what stands beside it', async () => {
    const messages = [{ role: 'user', content: 'Hello' }];
    const whole = { messages, tools: [{ type: 'function', function: { name: 'f' } }], toolChoice: 'auto' };
    writeFileSync(join(folder, 'list.json'), JSON.stringify(messages));
    writeFileSync(join(folder, 'whole.json'), JSON.stringify(whole));
    await run(['call', 'acme/hello', '--messages', 'list.json']);
    await run(['call', 'acme/hello', '--messages', 'whole.json']);
    await run(['call', 'acme/hello', '--messages', '-'], { piped: JSON.stringify(messages) });
    expect(asked.map(({ body }) => JSON.parse(body))).toEqual([{ messages }, whole, { messages }]);
  });

  it.each([
    ['{', 'bad.json is no JSON.'],
    ['"Hello"', 'bad.json holds no messages.'],
    ['{"input":"Hello"}', 'bad.json holds the unknown member input.'],
    ['{"tools":[]}', 'bad.json holds no messages.'],
  ])('refuses a file that holds %s', async (text, message) => {
    writeFileSync(join(folder, 'bad.json'), text);
    const { exitCode, stderr } = await run(['call', 'acme/hello', '--messages', 'bad.json']);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(asked).toEqual([]);
  });

  it('refuses a text beside a conversation, and a file that is not there', async () => {
    const both = await run(['call', 'acme/hello', '--input', 'x', '--messages', 'list.json']);
    expect([both.exitCode, both.stderr]).toEqual([2, expect.stringContaining('were both given')]);
    const none = await run(['call', 'acme/hello', '--messages', 'none.json']);
    expect([none.exitCode, none.stderr]).toEqual([1, expect.stringContaining('none.json could not be read')]);
  });

  it('may be answered by calls of tools, a line each', async () => {
    const toolCalls = [{ id: 'call_1', name: 'weather', arguments: { city: 'Bern' } }];
    const body = { output: '', toolCalls, fromCache: false, executionStopped: false };
    answer = { ...answer, body: JSON.stringify(body) };
    expect((await run(['call', 'acme/hello', '--input', 'x'])).stdout).toBe(
      'weather {"city":"Bern"} call_1\n',
    );
    expect(JSON.parse((await run(['call', 'acme/hello', '--input', 'x', '--json'])).stdout)).toEqual(body);
    answer = { ...answer, body: JSON.stringify({ ...body, output: 'Let me see.' }) };
    expect((await run(['call', 'acme/hello', '--input', 'x'])).stdout).toBe(
      'Let me see.\nweather {"city":"Bern"} call_1\n',
    );
  });

  it('refuses to wait for a terminal', async () => {
    const { exitCode, stderr } = await run(['call', 'acme/hello'], { typed: [] });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--input TEXT');
    expect(asked).toEqual([]);
  });
});

describe('the token', () => {
  it('comes from NEURON_API_KEY, NEURON_TOKEN, a file or standard input, in that order of last resort', async () => {
    writeFileSync(join(folder, 'token'), 'from-file\n');
    const call = ['call', 'acme/hello', '--input', 'x'];
    await run(call);
    await run(call, { environment: { NEURON_API_KEY: 'from-key' } });
    await run(call, { environment: { NEURON_API_KEY: 'from-key', NEURON_TOKEN: 'from-variable' } });
    await run([...call, '--token-file', 'token'], { environment: { NEURON_TOKEN: 'from-variable' } });
    await run([...call, '--token-file', '-'], { piped: 'from-stdin\n' });
    expect(asked.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      'Bearer from-key',
      'Bearer from-variable',
      'Bearer from-file',
      'Bearer from-stdin',
    ]);
  });

  it('on the command line works with a warning, and is not printed', async () => {
    const { exitCode, stdout, stderr } = await run([
      'call',
      'acme/hello',
      '--input',
      'x',
      '--token',
      'geheim',
    ]);
    expect(exitCode).toBe(0);
    expect(asked[0]?.headers.authorization).toBe('Bearer geheim');
    expect(stderr).toContain('warning: --token is visible to other users');
    expect(stdout + stderr).not.toContain('geheim');
  });

  it('refuses two sources at once, an empty one and one that cannot be read', async () => {
    writeFileSync(join(folder, 'empty'), '\n');
    const call = ['call', 'acme/hello'];
    expect((await run([...call, '--input', 'x', '--token', 'a', '--token-file', 'b'])).exitCode).toBe(2);
    expect((await run([...call, '--token-file', '-'], { piped: 'x' })).exitCode).toBe(2);
    expect((await run([...call, '--input', 'x', '--token-file', 'empty'])).exitCode).toBe(2);
    expect((await run([...call, '--input', 'x', '--token-file', 'gone'])).exitCode).toBe(1);
    expect(asked).toEqual([]);
  });
});

describe('the answer', () => {
  it('is the output on standard output and the execution on standard error', async () => {
    expect(await run(['call', 'acme/hello', '--input', 'x'])).toEqual({
      exitCode: 0,
      stdout: 'Hi\n',
      stderr: 'cache miss · execution abc=\n',
    });
  });

  it('is the body as JSON with --json', async () => {
    const { stdout } = await run(['call', 'acme/hello', '--input', 'x', '--json', '--quiet']);
    expect(stdout).toBe('{"output":"Hi","fromCache":false,"executionStopped":false}\n');
  });

  it('is exactly what came with --raw', async () => {
    answer.body = 'no line end';
    const { stdout } = await run(['call', 'acme/hello', '--input', 'x', '--raw', '--bypass-cache']);
    expect(stdout).toBe('no line end');
    expect(asked[0]?.url).toBe('/acme/hello?bypassCache=true&rawOutput=true');
  });

  const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  const inEvents = (...events: readonly string[]) => {
    answer.headers = { ...answer.headers, 'Content-Type': 'text/event-stream; charset=utf-8' };
    answer.body = events.join('');
  };

  it('is printed as it comes with --stream, and ends with a line end', async () => {
    inEvents(
      event('delta', { text: 'Hel' }),
      event('delta', { text: 'lo' }),
      event('result', { output: 'Hello', fromCache: false, executionStopped: true }),
    );
    expect(await run(['call', 'acme/hello', '--input', 'x', '--stream'])).toMatchObject({
      stdout: 'Hello\n',
      stderr: 'stopped · cache miss · execution abc=\n',
    });
  });

  it('has the calls of tools after its text with --stream', async () => {
    const call = { id: 'c1', name: 'find', arguments: { of: 'x' } };
    inEvents(
      event('delta', { text: 'Well' }),
      event('toolCall', call),
      event('result', { output: 'Well', toolCalls: [call], fromCache: false, executionStopped: false }),
    );
    const { stdout } = await run(['call', 'acme/hello', '--input', 'x', '--stream']);
    expect(stdout).toBe('Well\nfind {"of":"x"} c1\n');
  });

  it('is one event a line with --stream --json', async () => {
    const result = { output: 'Hi', fromCache: false, executionStopped: false };
    inEvents(event('delta', { text: 'Hi' }), event('result', result));
    const { stdout } = await run(['call', 'acme/hello', '--input', 'x', '--stream', '--json']);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { type: 'delta', text: 'Hi' },
      { type: 'result', result },
    ]);
  });

  it('that is cut says so and exits with 1, whatever came before', async () => {
    inEvents(event('delta', { text: 'Hel' }));
    const { exitCode, stdout, stderr } = await run(['call', 'acme/hello', '--input', 'x', '--stream']);
    expect([exitCode, stdout]).toEqual([1, 'Hel\n']);
    expect(stderr).toContain('The stream was cut: it ended without a result.');
  });

  it('cannot be both raw and a stream', async () => {
    const { exitCode, stderr } = await run(['call', 'acme/hello', '--input', 'x', '--raw', '--stream']);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--raw and --stream were both given.')]);
  });

  it('of a stopped run says so', async () => {
    answer.headers = { ...answer.headers, 'X-Execution-Stopped': 'true' };
    answer.body = '{"fromCache":false,"executionStopped":true}';
    expect(await run(['call', 'acme/hello', '--input', 'x'])).toMatchObject({
      stdout: '',
      stderr: 'stopped · cache miss · execution abc=\n',
    });
  });

  it('that is an error exits with 1, with code, text, wait and the command to see the log', async () => {
    answer = {
      status: 429,
      headers: {},
      body: '{"error":"Rate limit exceeded.","statusCode":429,"code":"rate_limited","retryAfter":7,"executionId":"abc="}',
    };
    expect(await run(['call', 'acme/hello', '--input', 'x'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr:
        "error: acme/hello answered 429 rate_limited.\n  Rate limit exceeded.\n  Try again in 7 s.\n  See `neuron logs acme --id 'abc='`.\n",
    });
  });

  it('that never comes leaves an error with the address and the reason', async () => {
    const { exitCode, stderr } = await run(['call', 'acme/hello', '--input', 'x'], {
      environment: { NEURON_BASE_URL: 'http://127.0.0.1:1' },
    });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('error: No response from http://127.0.0.1:1/acme/hello.');
  });
});

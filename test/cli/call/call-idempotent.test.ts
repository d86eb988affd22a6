// `neuron call --idempotency-key`: what is sent, and what is said of an answer that came before.
import { afterEach, expect, it, vi } from 'vitest';
import { main } from '../../../cli/main.ts';
import { createOutput } from '../../../cli/output/print.ts';
import { createMemoryTerminal } from '../memory-terminal.ts';

const BODY = { output: 'Hi', fromCache: false, executionStopped: false };
const EVENTS = `event: delta\ndata: {"text":"Hi"}\n\nevent: result\ndata: ${JSON.stringify(BODY)}\n\n`;

afterEach(() => vi.unstubAllGlobals());

/** Calls a service that answers so, and that gave the answer before. */
async function run(words: readonly string[], type = 'application/json', body = JSON.stringify(BODY)) {
  const keys: (string | null)[] = [];
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    keys.push(new Headers(init.headers).get('idempotency-key'));
    const headers = { 'Content-Type': type, 'X-Cache': 'miss', 'Idempotency-Replayed': 'true' };
    return new Response(body, { headers });
  });
  const terminal = createMemoryTerminal({ environment: { NEURON_BASE_URL: 'http://127.0.0.1:9' } });
  const reject = () => Promise.reject(new Error('no stack in this test'));
  const exitCode = await main(['call', 'acme/hello', '--input', 'x', ...words], terminal, (options) => {
    const out = createOutput(terminal, options);
    return { options, terminal, out, findStack: reject, connect: reject };
  });
  return { exitCode, keys, ...terminal.printed };
}

it('sends the key and says that the answer came before, however it is asked for', async () => {
  const key = ['--idempotency-key', 'order-7'];
  const said = { exitCode: 0, keys: ['order-7'], stderr: expect.stringContaining('replayed · cache miss') };
  expect(await run(key)).toMatchObject({ ...said, stdout: 'Hi\n' });
  expect(await run([...key, '--raw'], 'text/plain', 'Hi')).toMatchObject({ ...said, stdout: 'Hi' });
  expect(await run([...key, '--stream'], 'text/event-stream', EVENTS)).toMatchObject({
    ...said,
    stdout: 'Hi\n',
  });
  const json = await run([...key, '--json']);
  expect([json.exitCode, JSON.parse(json.stdout)]).toEqual([0, { ...BODY, replayed: true }]);
});

it('refuses a key that the service would refuse, and calls nothing', async () => {
  for (const key of ['', 'a b', 'ä', 'x'.repeat(256)]) {
    expect(await run(['--idempotency-key', key])).toMatchObject({
      ...{ exitCode: 2, keys: [] },
      stderr: expect.stringContaining('1 to 255 visible ASCII characters'),
    });
  }
});

// `neuron call --openai`, `--responses` and `--messages`: a line for a shell, which says all that was asked for or is refused.
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { main } from '../../../cli/main.ts';
import { createOutput } from '../../../cli/output/print.ts';
import { createMemoryTerminal } from '../memory-terminal.ts';

const run = (...words: readonly string[]) => runCall('--openai', ...words);

async function runCall(...words: readonly string[]) {
  const terminal = createMemoryTerminal({ environment: { NEURON_BASE_URL: 'https://neurons.example.com/' } });
  const reject = () => Promise.reject(new Error('no stack in this test'));
  const exitCode = await main(['call', 'acme/hello', ...words], terminal, (options) => {
    const out = createOutput(terminal, options);
    return { options, terminal, out, findStack: reject, connect: reject };
  });
  return { exitCode, ...terminal.printed };
}

/** The words that a shell gives to curl, where a person pastes the line. */
function curlWords(line: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${line}`;
  const env = { PATH: process.env['PATH'], NEURON_API_KEY: 'a-key' };
  return execFileSync('sh', ['-c', script], { encoding: 'utf8', env }).split('\0').slice(0, -1);
}

describe('the line of --openai', () => {
  it('is a whole call, whatever the input holds, with the key from the environment', async () => {
    const input = `It's $HOME "and" \`more\``;
    const { exitCode, stdout } = await run('--input', input);
    expect(exitCode).toBe(0);
    expect(stdout).not.toContain('a-key');
    expect(curlWords(stdout)).toEqual([
      '-s',
      'https://neurons.example.com/v1/acme/hello/chat/completions',
      ...['-H', 'authorization: Bearer a-key'],
      ...['-H', 'content-type: application/json'],
      ...['-d', JSON.stringify({ model: 'acme/hello', messages: [{ role: 'user', content: input }] })],
    ]);
  });

  it('says Hello where nothing is given', async () => {
    const { stdout } = await run();
    expect(JSON.parse(curlWords(stdout).at(-1) ?? '')).toMatchObject({ messages: [{ content: 'Hello' }] });
  });

  it('streams, and has the idempotency key, where it is asked to', async () => {
    const { stdout } = await run('--stream', '--idempotency-key', `o'7`);
    const words = curlWords(stdout);
    expect(words[0]).toBe('-sN');
    expect(words).toContain(`idempotency-key: o'7`);
    expect(JSON.parse(words.at(-1) ?? '')).toMatchObject({ stream: true });
  });

  it.each([
    ['--messages', '-'],
    ['--bypass-cache'],
    ['--raw'],
    ['--revision', 'v2'],
    ['--token', 'a'],
    ['--token-file', '-'],
  ])('is refused beside %s, which it could not hold', async (...words) => {
    const { exitCode, stdout, stderr } = await run(...words);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(`--openai and ${words[0]} were both given.`);
  });
});

describe('the line of another surface', () => {
  it('is that of Responses', async () => {
    const { exitCode, stdout } = await runCall('--responses', '--input', 'Hi', '--stream');
    expect(exitCode).toBe(0);
    expect(curlWords(stdout)).toEqual([
      '-sN',
      'https://neurons.example.com/v1/acme/hello/responses',
      ...['-H', 'authorization: Bearer a-key'],
      ...['-H', 'content-type: application/json'],
      ...['-d', JSON.stringify({ model: 'acme/hello', input: 'Hi', stream: true })],
    ]);
  });

  it('is that of Messages, where no file follows', async () => {
    const { exitCode, stdout } = await runCall('--messages', '--input', 'Hi', '--idempotency-key', 'order-7');
    expect(exitCode).toBe(0);
    const messages = [{ role: 'user', content: 'Hi' }];
    expect(curlWords(stdout)).toEqual([
      '-s',
      'https://neurons.example.com/v1/acme/hello/v1/messages',
      ...['-H', 'authorization: Bearer a-key'],
      ...['-H', 'content-type: application/json'],
      ...['-H', 'anthropic-version: 2023-06-01'],
      ...['-H', 'idempotency-key: order-7'],
      ...['-d', JSON.stringify({ model: 'acme/hello', max_tokens: 1024, messages })],
    ]);
  });

  it.each([
    ['--responses', '--messages'],
    ['--openai', '--responses'],
    ['--openai', '--messages'],
    ['--responses', '--raw'],
    ['--messages', '--bypass-cache'],
    ['--responses', '--token-file', '-'],
  ])('is refused: %s beside %s', async (...words) => {
    const { exitCode, stdout, stderr } = await runCall(...words);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(`${words[0]} and ${words[1]} were both given.`);
  });

  it('is no line for a file of messages, which an input excludes', async () => {
    const { exitCode, stderr } = await runCall('--messages', 'talk.json', '--input', 'Hi');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--input and --messages were both given.');
  });
});

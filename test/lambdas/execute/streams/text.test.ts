// The text of a stream through the whole function and the client is what the model wrote, byte for byte, wherever anything was cut.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { NeuronClient } from '../../../../client/src/index.ts';
import { TEXT } from '../../../adapters/providers/streams/breaks.ts';
import { PROTOCOLS, type Protocol } from '../../../adapters/providers/streams/protocols.ts';
import { createMemoryCounters } from '../../../support/memory/counters.ts';
import { type Execution, loadExecution } from './execution.ts';

const PROVIDERS = {
  openai: { type: 'openai', baseUrl: 'https://api.example.com/v1' },
  'openai-responses': {
    type: 'openai',
    api: 'responses',
    baseUrl: 'https://api.example.com/v1',
    apiKey: { secret: 'key' },
  },
  anthropic: { type: 'anthropic', baseUrl: 'https://api.example.com', apiKey: { secret: 'key' } },
  bedrock: { type: 'bedrock', region: 'us-east-1' },
};
const LINE_ENDS = ['\n', '\r\n', '\r'];

let execution: Execution;
beforeAll(async () => {
  const neuron = (provider: string) => ({ flow: [{ callModel: { provider, model: 'm', retries: 0 } }] });
  const neurons = Object.fromEntries(Object.keys(PROVIDERS).map((name) => [name, neuron(name)]));
  execution = await loadExecution({ providers: PROVIDERS, neurons }, createMemoryCounters());
});
afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

/** In pieces of so many bytes. */
function* piecesOf(bytes: Uint8Array<ArrayBuffer>, size: number): Generator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

/** What the client gives of an answer whose body comes in such pieces. */
async function readByClient(body: Buffer, size: number) {
  const fetch = async () =>
    new Response(ReadableStream.from(piecesOf(new Uint8Array(body), size)), {
      headers: { 'Content-Type': 'text/event-stream; charset=utf-8' },
    });
  const client = new NeuronClient({ baseURL: 'https://api.example.com', fetch });
  const deltas: string[] = [];
  let output: string | undefined;
  for await (const event of client.stream('acme', 'hello')) {
    if (event.type === 'delta') deltas.push(event.text);
    if (event.type === 'result') output = event.result.output;
  }
  return { deltas, output };
}

/** A model that answers these deltas, whose network and whose lines are cut so. */
function answerWith(protocol: Protocol, deltas: readonly string[], size: number, lineEnd = '\n'): void {
  const encoded = protocol.encode(deltas);
  const body =
    protocol.name === 'bedrock' ? encoded : Buffer.from(encoded.toString().replaceAll('\n', lineEnd));
  execution.answerWith(() => ({
    headers: { 'content-type': protocol.contentType },
    pieces: piecesOf(new Uint8Array(body), size),
  }));
}

describe.each(PROTOCOLS)('a text that $name streams', (protocol) => {
  const ask = async (deltas: readonly string[], size: number, lineEnd?: string) => {
    answerWith(protocol, deltas, size, lineEnd);
    return execution.call(protocol.name, { input: 'Hello' });
  };

  it.each(protocol.name === 'bedrock' ? ['\n'] : LINE_ENDS)(
    'is whole with deltas cut at every position, and lines that end with %j',
    async (lineEnd) => {
      const different: number[] = [];
      for (let at = 0; at <= TEXT.length; at += 1) {
        const deltas = [TEXT.slice(0, at), TEXT.slice(at)];
        const size = (at % 7) + 1;
        const { body } = await ask(deltas, size, lineEnd);
        const read = await readByClient(body, size);
        const isWellFormed = read.deltas.every((text) => text !== '' && text.isWellFormed());
        if (read.deltas.join('') !== TEXT || read.output !== TEXT || !isWellFormed) different.push(at);
      }
      expect(different).toEqual([]);
    },
  );

  it('is whole, byte for byte, with a delta for each code unit and with one for all', async () => {
    const units = Array.from({ length: TEXT.length }, (_, at) => TEXT[at] ?? '');
    for (const deltas of [units, [TEXT]]) {
      const read = await readByClient((await ask(deltas, 5)).body, 3);
      expect(Buffer.from(read.deltas.join(''))).toEqual(Buffer.from(TEXT));
      expect(read.output).toBe(TEXT);
    }
  });

  it('may have more than a megabyte', { timeout: 60_000 }, async () => {
    const megabyte = '漢字😀 e\u0301\r\n'.repeat(70_000);
    expect(Buffer.byteLength(megabyte)).toBeGreaterThan(1_048_576);
    const deltas = Array.from({ length: Math.ceil(megabyte.length / 101) }, (_, at) =>
      megabyte.slice(at * 101, (at + 1) * 101),
    );
    const read = await readByClient((await ask(deltas, 1_460)).body, 16_381);
    expect(read.deltas.join('') === megabyte).toBe(true);
    expect(read.output === megabyte).toBe(true);
  });
});

// A collector that others wrote reads what the traces function sends: its headers, its spans, and how it says no.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { toLogItem } from '../../adapters/dynamodb/log-items.ts';
import type { Http } from '../../adapters/http/message.ts';
import { freePort } from '../../bench/free-port.ts';
import { exportSpans } from '../../lambdas/traces/export-spans.ts';
import { installCollector } from '../clients/install.ts';
import { entryOf, FACTS, NOON_MS } from '../core/logs/entries.ts';
import { createMemoryLines } from '../support/memory/lines.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let program: string | undefined;
let child: ChildProcess | undefined;
let url = '';
let printed = '';

beforeAll(async () => {
  program = await installCollector();
  if (program === undefined) return;
  const folder = temporaryFolder();
  const [http, grpc] = [await freePort(), await freePort()];
  const words = [
    ...['start', '--exporter', 'blackhole', '--debug-log', 'traces', '--debug-log-verbosity', 'detailed'],
    ...['--otlp-http-endpoint', `127.0.0.1:${http}`, '--otlp-grpc-endpoint', `127.0.0.1:${grpc}`],
    ...['--pid-file', join(folder, 'pid'), '--log-file', join(folder, 'log')],
  ];
  child = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  url = `http://127.0.0.1:${http}/v1/traces`;
  await vi.waitFor(async () => expect((await post('{"resourceSpans":[]}')).status).toBe(200), 20_000);
});
afterAll(async () => {
  if (child === undefined) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
});

async function post(body: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(url, {
    ...{ method: 'POST', body },
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { status: answer.status, headers: {}, body: new Uint8Array(await answer.arrayBuffer()) };
}

/** The function's own client refuses addresses that are not public; this one speaks to the collector beside it. */
const http = (({ body, headers }: { readonly body?: string; readonly headers?: Record<string, string> }) =>
  post(body ?? '', headers)) as unknown as Http;

function record(item: object): DynamoDBRecord {
  const NewImage = marshall(item, { removeUndefinedValues: true }) as never;
  return { eventName: 'INSERT', dynamodb: { NewImage, SequenceNumber: '1' } };
}

async function send(content: boolean, items: readonly object[]): Promise<readonly string[]> {
  const lines = createMemoryLines();
  await exportSpans(
    { Records: items.map(record) },
    {
      ...{ http, lines, url, content, stage: 'prod', clock: { sleep: async () => undefined } },
      headers: async () => ({ authorization: 'Bearer token' }),
    },
  );
  return lines.lines;
}

describe('a collector of OpenTelemetry', () => {
  it('takes every span, and has names, ids, times and types of attributes as they were meant', async (context) => {
    if (program === undefined) context.skip();
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const item = toLogItem(entryOf({ traceparent }), 1);
    expect(await send(false, [item])).toEqual([]);
    await expect.poll(() => printed).toContain('gen_ai.usage.output_tokens');
    const spans = printed.slice(printed.indexOf('ResourceSpans #0'));
    for (const line of [
      'service.name: Str(neuron-execution-service)',
      'deployment.environment.name: Str(prod)',
      'Trace ID       : 0af7651916cd43dd8448eb211c80319c',
      'Parent ID      : b7ad6b7169203331',
      'Name           : POST acme/hello',
      'Kind           : SPAN_KIND_SERVER',
      `Start time: ${NOON_MS}000000`,
      `End time: ${NOON_MS + 120}000000`,
      'http.response.status_code: Int(200)',
      'Name           : chat m-1',
      'Kind           : SPAN_KIND_CLIENT',
      'gen_ai.response.finish_reasons: Slice(Str(stop))',
      'gen_ai.usage.input_tokens: Int(3)',
    ])
      expect(spans).toContain(line);
    // The model call is below the request.
    const [, request] = /\n {4}ID {13}: ([0-9a-f]{16})\n {4}Name {11}: POST/.exec(spans) ?? [];
    expect(spans).toContain(`Parent ID      : ${request}`);
    expect(spans).not.toContain('secret');
  });

  it('gets what was said where the stage asks for it', async (context) => {
    if (program === undefined) context.skip();
    const from = printed.length;
    expect(await send(true, [toLogItem(entryOf({ executionId: 'exec-2' }), 1)])).toEqual([]);
    await expect.poll(() => printed.slice(from)).toContain('gen_ai.output.messages');
    expect(printed.slice(from)).toContain(
      '[{"role":"assistant","parts":[{"type":"text","content":"secret answer"}],"finish_reason":"stop"}]',
    );
  });

  it('takes a batch of many runs with attempts that failed, none of them lost', async (context) => {
    if (program === undefined) context.skip();
    const [call] = FACTS.run!.modelCalls;
    const modelCalls = [{ ...call!, finish: 'timeout' }, call!];
    const items = Array.from({ length: 100 }, (_, at) =>
      toLogItem(entryOf({ executionId: `many-${at}`, run: { ...FACTS.run!, modelCalls } }), 1),
    );
    const from = printed.length;
    expect(await send(false, items)).toEqual([]);
    await expect.poll(() => printed.slice(from).match(/^Span #/gm)).toHaveLength(300);
  });
});

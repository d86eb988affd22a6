// Streamed answers: prelude, order, back pressure, work after the end. Expected bytes: Lambda Developer Guide, "Response
// streaming", and the open-source runtime interface client.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { InvokeResult } from '../../functions/index.ts';
import { functionArn, lambdaFunction, type RunningFunctions } from '../fixtures/http-template.ts';
import { runInTest } from '../fixtures/run-in-test.ts';

let running: RunningFunctions;
const STREAM = functionArn('stream');

beforeEach(() => {
  running = runInTest(
    ['stream', 'flood', 'notAsync', 'answer'].map((name) => lambdaFunction(name, `index.${name}`)),
    { concurrency: 1 },
  );
});

async function collect(plan: unknown): Promise<{ result: InvokeResult; bytes: Buffer; pieces: number }> {
  const pieces: Buffer[] = [];
  const result = await running.functions.invoke(STREAM, plan, { onChunk: (bytes) => pieces.push(bytes) > 0 });
  return { result, bytes: Buffer.concat(pieces), pieces: pieces.length };
}

const log = (name: string) => readFileSync(join(running.logFolder, `${name}.log`), 'utf8');

describe('a streaming function', () => {
  it('sends metadata, eight null bytes and the body', async () => {
    const { result, bytes } = await collect({
      metadata: { statusCode: 201 },
      chunks: ['Hello', ' ', 'Wörld'],
    });
    expect(result.outcome).toBe('streamed');
    expect(bytes.toString()).toBe('{"statusCode":201}\0\0\0\0\0\0\0\0Hello Wörld');
  });

  it('sends what it has while it works on the rest', async () => {
    const times: string[] = [];
    const invoked = running.functions.invoke(
      STREAM,
      { raw: true, chunks: ['a', 'b', 'c'], pauseMs: 30 },
      { onChunk: (bytes) => times.push(bytes.toString()) > 0 },
    );
    while (times.length === 0) await sleep(5);
    expect(times).toEqual(['a']);
    await invoked;
    expect(times).toEqual(['a', 'b', 'c']);
  });

  it('writes values other than text and bytes as JSON', async () => {
    const { bytes } = await collect({ raw: true, chunks: ['x', { a: 1 }, [2]] });
    expect(bytes.toString()).toBe('x{"a":1}[2]');
  });

  it('sends no prelude when it ends with its only chunk, as the runtime does', async () => {
    const { bytes } = await collect({ metadata: { statusCode: 201 }, endOnly: 'alone' });
    expect(bytes.toString()).toBe('alone');
  });

  it('works on after the end of its answer, and its process is taken only then', async () => {
    const { result } = await collect({ chunks: ['a'], after: 'settled', afterMs: 400 });
    expect(result.outcome).toBe('streamed');
    expect(log('stream')).not.toContain('settled');
    await collect({ chunks: ['b'] });
    expect(log('stream')).toContain(`settled ${result.requestId}`);
  });

  it('fails before its first byte like any function, and after it with what came so far', async () => {
    expect(await collect({ throws: 'early' })).toMatchObject({
      result: { outcome: 'failed', error: { errorMessage: 'early' }, streamed: false },
      pieces: 0,
    });
    const late = await collect({ raw: true, chunks: ['part'], failAfter: 'late' });
    expect(late.result).toMatchObject({ outcome: 'failed', error: { errorMessage: 'late' }, streamed: true });
    expect(late.bytes.toString()).toBe('part');
    const dead = await collect({ raw: true, chunks: ['part'], exitAfter: 1 });
    expect(dead.result).toMatchObject({
      outcome: 'failed',
      error: { errorType: 'Runtime.ExitError' },
      streamed: true,
    });
    expect((await collect({ chunks: ['x'] })).result.outcome).toBe('streamed');
  });

  it('must be async', async () => {
    expect(await running.functions.invoke(functionArn('notAsync'), {})).toMatchObject({
      outcome: 'failed',
      error: { errorMessage: 'Streaming does not support non-async handlers.' },
    });
  });

  it('returns all of its bytes at once to a caller that accepts no chunks', async () => {
    const result = await running.functions.invoke(STREAM, { raw: true, chunks: ['{"a":', '1}'] });
    expect(result.outcome === 'succeeded' && result.payload.toString()).toBe('{"a":1}');
  });

  it('stops writing while the caller does not read', async () => {
    let resume: () => void = () => undefined;
    let bytes = 0;
    let held = true;
    const invoked = running.functions.invoke(
      functionArn('flood'),
      { body: '{"mebibytes":24}' },
      {
        onChunk: (piece, go) => {
          bytes += piece.length;
          resume = go;
          return !held;
        },
      },
    );
    await sleep(500);
    const written = log('flood').split('\n').length;
    expect(written).toBeLessThan(8);
    expect(bytes).toBeLessThan(8 * 1024 * 1024);
    held = false;
    resume();
    expect((await invoked).outcome).toBe('streamed');
    expect(bytes).toBeGreaterThan(24 * 1024 * 1024);
  });
});

describe('a function that does not stream', () => {
  it('returns its whole result to a caller that accepts chunks', async () => {
    const onChunk = () => {
      throw new Error('no chunk is expected');
    };
    const result = await running.functions.invoke(functionArn('answer'), { body: '[1]' }, { onChunk });
    expect(result.outcome === 'succeeded' && result.payload.toString()).toBe('[1]');
  });
});

// The body of a streamed answer, through Middy's streaming mode as it is deployed and a response stream as Lambda's runtime gives it.
import middy from '@middy/core';
import { executionModeStreamifyResponse } from '@middy/core/executionModeStreamifyResponse';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import fc from 'fast-check';
import { awslambda, createResponseStream } from 'run-template-locally';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { streamBytes } from '../../../../lambdas/execute/stream/bytes.ts';

/** What API Gateway gets: the metadata and the bytes of the body. */
async function stream(body: string, failing = false, highWaterMark?: number) {
  const chunks: Buffer[] = [];
  const handler = middy<APIGatewayProxyEvent, APIGatewayProxyResult>({
    executionMode: executionModeStreamifyResponse,
  })
    .use(streamBytes())
    .use({
      onError: (request) => {
        request.response = { statusCode: 503, headers: {}, body };
      },
    })
    .handler(async () => {
      if (failing) throw new Error('the run failed');
      return { statusCode: 200, headers: { 'X-Cache': 'off' }, body };
    });
  const ended = new Promise<void>((resolve) => {
    const sent = createResponseStream(
      (bytes, done) => {
        chunks.push(bytes);
        setImmediate(done);
      },
      resolve,
      highWaterMark,
    );
    const run = handler as unknown as (event: object, to: typeof sent, context: Partial<Context>) => unknown;
    run({}, sent, { getRemainingTimeInMillis: () => 60_000 });
  });
  await ended;
  const all = Buffer.concat(chunks);
  const end = all.indexOf(Buffer.alloc(8));
  return { head: JSON.parse(all.subarray(0, end).toString()), body: all.subarray(end + 8) };
}

describe('the body of a streamed answer', () => {
  const before = Reflect.get(globalThis, 'awslambda');
  beforeAll(() => void Reflect.set(globalThis, 'awslambda', awslambda));
  afterAll(() => void Reflect.set(globalThis, 'awslambda', before));

  it('is the text in UTF-8, however long it is and wherever a stream cuts it', async () => {
    const texts = fc.tuple(
      fc.constantFrom(16_384, 32_768, 65_536),
      fc.integer({ min: -3, max: 3 }),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
      fc.string({
        unit: fc.constantFrom('😀', '𝒳', '\u{10ffff}', 'é', '名', 'a'),
        minLength: 8,
        maxLength: 80,
      }),
    );
    await fc.assert(
      fc.asyncProperty(texts, fc.boolean(), async ([size, shift, any, wide], failing) => {
        const text = 'a'.repeat(size - 16 + shift) + wide + any;
        const sent = await stream(text, failing);
        expect(sent.body.equals(Buffer.from(text))).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it('keeps its status and headers, an empty one too', async () => {
    expect(await stream('')).toEqual({
      head: { statusCode: 200, headers: { 'X-Cache': 'off' } },
      body: Buffer.alloc(0),
    });
    const rejected = await stream('{}', true);
    expect([rejected.head.statusCode, rejected.body.toString()]).toEqual([503, '{}']);
  });

  it('is left to Middy as a text where that writes it in one piece', () => {
    const isWhole = (text: string) => {
      const response = { statusCode: 200, body: text };
      streamBytes().after?.({ response } as Parameters<
        NonNullable<ReturnType<typeof streamBytes>['after']>
      >[0]);
      return response.body === text;
    };
    expect([isWhole('a'.repeat(16_384)), isWhole('a'.repeat(16_385))]).toEqual([true, false]);
  });

  it('waits while the reader is slow', async () => {
    const text = '😀'.repeat(100_000);
    expect((await stream(text, false, 1)).body.toString()).toBe(text);
  });
});

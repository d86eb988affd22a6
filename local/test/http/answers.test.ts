// The answers to callers: of functions, failures, streams, timeouts, limits. Expected: API Gateway Developer Guide; Lambda
// Developer Guide, "Handling Lambda errors with an API Gateway API" (500 when Lambda refuses, 502 when the function fails).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  apiResource,
  buffered,
  functionArn,
  gatewayResponse,
  lambdaFunction,
  method,
  restApi,
  runApi,
  show,
  stage,
  streaming,
} from '../fixtures/http-template.ts';

const names = ['answer', 'die', 'stream', 'flood', 'slow'];
const RESOURCES = [
  ...names.map((name) => lambdaFunction(name, `index.${name}`)),
  lambdaFunction('none', 'index.answer', { ReservedConcurrentExecutions: 0 }),
  restApi({ BinaryMediaTypes: ['image/png'] }),
  stage({
    MethodSettings: [
      { HttpMethod: 'GET', ResourcePath: '/~1answer', ThrottlingBurstLimit: 2, ThrottlingRateLimit: 0.001 },
      { HttpMethod: '*', ResourcePath: '/*', ThrottlingBurstLimit: 1000, ThrottlingRateLimit: 1000 },
    ],
  }),
  ...['answer', 'die', 'slow', 'none', 'stream', 'quick', 'flood', 'mixed', 'nostream'].map((part) =>
    apiResource(part, 'root', part),
  ),
  method('answer', 'ANY', buffered('answer')),
  method('die', 'POST', buffered('die')),
  method('answer', 'GET', buffered('answer')),
  method('slow', 'POST', buffered('slow', { TimeoutInMillis: 1_000 })),
  method('none', 'POST', buffered('none')),
  method('none', 'PUT', streaming('none')),
  method('stream', 'POST', streaming('stream')),
  method('quick', 'POST', streaming('stream', { TimeoutInMillis: 1_000 })),
  method('flood', 'POST', streaming('flood')),
  method('mixed', 'POST', buffered('stream')),
  method('nostream', 'POST', streaming('answer')),
  gatewayResponse('INTEGRATION_TIMEOUT', { ResponseTemplates: { 'application/json': '{"slow":true}' } }),
];

const api = await runApi(RESOURCES);

const { post } = api;
const slowLog = () => readFileSync(join(api.logFolder, 'slow.log'), 'utf8');
const BAD_GATEWAY = '502 {"message":"Internal server error"}';

describe('a buffered answer', () => {
  it('has status, headers and body of the function, and the ids of the request', async () => {
    const response = await post('/answer', {
      statusCode: 418,
      headers: { 'X-A': 'b', 'WWW-Authenticate': 'Basic' },
      multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'] },
      body: 'Wörld',
    });
    expect(await show(response.clone())).toBe('418 Wörld');
    expect(response.headers.get('x-a')).toBe('b');
    expect(response.headers.get('www-authenticate')).toBeNull();
    expect(response.headers.get('x-amzn-remapped-www-authenticate')).toBe('Basic');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(response.headers.get('content-length')).toBe('6');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('x-amzn-requestid')).toMatch(/^[0-9a-f-]{36}$/);
    expect(response.headers.get('x-amz-apigw-id')).toMatch(/=$/);
    expect(response.headers.get('x-amzn-trace-id')).toMatch(/^Root=1-/);
  });

  it('may be empty, and has no body for HEAD', async () => {
    expect(await show(await post('/answer', { statusCode: 204 }))).toBe('204 ');
    const head = await fetch(`${api.url}/answer`, { method: 'HEAD' });
    expect(head.status).toBe(502);
  });

  it('is decoded for a caller that accepts its binary type', async () => {
    const plan = { body: 'AAH/', isBase64Encoded: true };
    const response = await post('/answer', plan, { accept: 'image/png' });
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from([0, 1, 255]));
    expect(await show(await post('/answer', plan, { accept: 'text/html' }))).toBe('200 AAH/');
  });

  it.each([
    ['is malformed', '/answer', { statusCode: 200, other: 1 }],
    ['comes from a streaming function', '/mixed', { chunks: ['{}'] }],
  ])('is refused when it %s', async (_name, path, plan) => {
    const response = await post(path, plan);
    expect(response.headers.get('x-amzn-errortype')).toBe('InternalServerErrorException');
    expect(await show(response)).toBe(BAD_GATEWAY);
  });

  it('is 502 when the function throws', async () => {
    expect(await show(await fetch(`${api.url}/answer`, { method: 'POST', body: 'no JSON' }))).toBe(
      BAD_GATEWAY,
    );
  });

  it('is 502 when the process dies, time after time', async () => {
    expect(await show(await post('/die', {}))).toBe(BAD_GATEWAY);
    expect(await show(await post('/die', {}))).toBe(BAD_GATEWAY);
  });

  it('is completed when the caller leaves', async () => {
    await post('/slow', { waitMs: 0, text: 'warm' });
    const body = JSON.stringify({ waitMs: 900, text: 'for nobody' });
    const left = fetch(`${api.url}/slow`, { method: 'POST', body, signal: AbortSignal.timeout(500) });
    await expect(left).rejects.toThrow();
    while (!slowLog().includes('done for nobody')) await sleep(20);
    expect(api.lines.filter((line) => line.startsWith('internal error'))).toEqual([]);
  });

  it('is 500 when Lambda has no environment for it', async () => {
    expect(await show(await post('/none', {}))).toBe('500 {"message":"Internal server error"}');
    expect(await show(await fetch(`${api.url}/none`, { method: 'PUT' }))).toBe(
      '500 {"message":"Internal server error"}',
    );
  });
});

describe('an integration timeout', () => {
  it('answers 504 through its gateway response, and the function goes on', async () => {
    expect(await show(await post('/slow', { waitMs: 1_500, text: 'late' }))).toBe('504 {"slow":true}');
    while (!slowLog().includes('done late')) await sleep(20);
    expect(await show(await post('/slow', { waitMs: 0, text: 'early' }))).toBe('200 early');
  });

  it('answers 504 for a stream that has not begun', async () => {
    expect(await show(await post('/quick', { waitMs: 1_500, chunks: ['x'] }))).toBe('504 {"slow":true}');
  });
});

describe('a streamed answer', () => {
  it('has status and headers of its metadata, and its body as it comes', async () => {
    const response = await post('/stream', {
      metadata: { statusCode: 201, headers: { 'Content-Type': 'text/plain' }, cookies: ['a=1'] },
      chunks: ['one', 'two'],
      pauseMs: 60,
    });
    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toBe('text/plain');
    expect(response.headers.getSetCookie()).toEqual(['a=1']);
    expect(response.headers.get('transfer-encoding')).toBe('chunked');
    const pieces: string[] = [];
    for await (const piece of response.body ?? []) pieces.push(Buffer.from(piece).toString());
    expect(pieces).toEqual(['one', 'two']);
  });

  it('is over for the caller before the function is', async () => {
    const log = () => readFileSync(join(api.logFolder, 'stream.log'), 'utf8');
    expect(await show(await post('/stream', { chunks: ['a'], after: 'settled', afterMs: 1_000 }))).toBe(
      '200 a',
    );
    expect(log()).not.toContain('settled');
    while (!log().includes('settled')) await sleep(20);
  });

  it.each([
    ['the function throws first', { throws: 'early' }],
    ['there is no delimiter', { raw: true, chunks: ['{"statusCode":200}'] }],
    ['the metadata is malformed', { raw: true, chunks: ['{"status":200}\0\0\0\0\0\0\0\0body'] }],
    ['the function writes nothing', { chunks: [] }],
    ['the function ends with its only chunk', { endOnly: 'x' }],
  ])('is 502 when %s', async (_name, plan) => {
    expect(await show(await post('/stream', plan))).toBe(BAD_GATEWAY);
  });

  it('is 502 when the function does not stream', async () => {
    expect(await show(await post('/nostream', { statusCode: 200 }))).toBe(BAD_GATEWAY);
  });

  it.each([
    ['throws', { chunks: ['part'], failAfter: 'late' }],
    ['dies', { chunks: ['part'], exitAfter: 1 }],
  ])('is cut off when the function %s after its head', async (_name, plan) => {
    const response = await post('/stream', plan);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    expect(await show(await post('/stream', { chunks: ['again'] }))).toBe('200 again');
  });

  it('is cut off at the integration timeout', async () => {
    const response = await post('/quick', { chunks: ['a', 'b', 'c', 'd', 'e'], pauseMs: 400 });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it('waits for a slow reader and arrives whole', async () => {
    const response = await post('/flood', { mebibytes: 16 });
    await sleep(300);
    let bytes = 0;
    for await (const piece of response.body ?? []) bytes += piece.length;
    expect(bytes).toBe(16 * 1024 * 1024);
  });

  it('continues in the function when the caller leaves', async () => {
    const controller = new AbortController();
    const body = JSON.stringify({ mebibytes: 8 });
    const response = await fetch(`${api.url}/flood`, { method: 'POST', body, signal: controller.signal });
    await response.body?.getReader().read();
    controller.abort();
    expect(await show(await post('/stream', { chunks: ['next'] }))).toBe('200 next');
    const again = await post('/flood', { mebibytes: 1 });
    expect((await again.arrayBuffer()).byteLength).toBe(1024 * 1024);
  });
});

describe('the stage limit', () => {
  it('answers 429 for the method that has used its burst, and only for it', async () => {
    const get = async () => (await fetch(`${api.url}/answer`)).status;
    expect([await get(), await get(), await get()]).toEqual([502, 502, 429]);
    const response = await fetch(`${api.url}/answer`);
    expect(response.headers.get('x-amzn-errortype')).toBe('TooManyRequestsException');
    expect(await show(response)).toBe('429 {"message":"Too Many Requests"}');
    expect(await show(await post('/answer', { body: 'fine' }))).toBe('200 fine');
  });
});

describe('an unknown method or path', () => {
  it.each([
    ['GET', '/nowhere'],
    ['DELETE', '/stream'],
    ['GET', '/'],
    ['TRACE', '/answer'],
  ])('%s %s', async (httpMethod, path) => {
    // fetch refuses TRACE, so this one goes as an override.
    const options =
      httpMethod === 'TRACE' ? { headers: { 'x-http-method-override': 'TRACE' } } : { method: httpMethod };
    const response = await fetch(`${api.url}${path}`, options);
    expect(response.headers.get('x-amzn-errortype')).toBe('MissingAuthenticationTokenException');
    expect(await show(response)).toBe('403 {"message":"Missing Authentication Token"}');
  });
});

describe('many callers', () => {
  it('are all answered by two processes per function', async () => {
    const answers = await Promise.all(
      Array.from({ length: 64 }, async (_, index) => show(await post('/answer', { body: `n${index}` }))),
    );
    expect(answers).toEqual(Array.from({ length: 64 }, (_, index) => `200 n${index}`));
  });

  it('beyond the queue get the answer of a throttled function', async () => {
    const small = await runApi(RESOURCES, { concurrency: 1, queueLength: 1 });
    const ask = async () =>
      show(
        await fetch(`${small.url}/stream`, { method: 'POST', body: '{"chunks":["a","b"],"pauseMs":400}' }),
      );
    await ask();
    const answers = await Promise.all([ask(), ask(), ask(), ask()]);
    expect(answers.sort()).toEqual([
      '200 ab',
      '200 ab',
      '500 {"message":"Internal server error"}',
      '500 {"message":"Internal server error"}',
    ]);
    expect(small.functions.has(functionArn('stream'))).toBe(true);
    await small.stop();
  });
});

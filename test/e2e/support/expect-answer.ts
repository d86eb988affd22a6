// What every answer of the service has, written out from the contract.
import { expect } from 'vitest';
import type { Answer } from './call.ts';
import { PROVIDER_KEY } from './settings.ts';

/** `Access-Control-Expose-Headers`, in any order. */
const EXPOSED = [
  'Idempotency-Replayed',
  'RateLimit',
  'RateLimit-Policy',
  'Request-Id',
  'Retry-After',
  'WWW-Authenticate',
  'X-Cache',
  'X-Cost-Microdollars',
  'X-Execution-Id',
  'X-Execution-Stopped',
  'X-Feedback-Token',
  'X-Neuron-Left-Out',
  'X-Request-Id',
  'X-Should-Retry',
  'X-Stream',
  'X-Tokens-Input',
  'X-Tokens-Output',
];

/** Marks of what must stay inside: stack traces, file names, AWS names, names of tables. */
const INTERNAL =
  /node:|\.(?:ts|js|mjs):\d|\bat [A-Za-z.<>]+ \(|arn:aws|dynamodb|amazonaws|Neuron(?:Data|Api)|ConfigTable|LogsTable|\bstack\b|Exception|errorType/i;

/** Headers of every answer but preflight; gives the execution id. */
export function expectCommonHeaders(answer: Answer): string {
  const { headers } = answer;
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(list(headers['access-control-expose-headers'])).toEqual(EXPOSED);
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['x-execution-id']).toMatch(/^\S+$/);
  expectNothingInternal(answer);
  return String(headers['x-execution-id']);
}

/** A 200 in JSON, to callers with an API key with a receipt; gives the execution id. */
export function expectSuccess(answer: Answer, body: Record<string, unknown>, receipt = false): string {
  expect({ status: answer.status, body: answer.text === '' ? '' : answer.json() }).toEqual({
    status: 200,
    body,
  });
  expect(answer.headers['content-type']).toBe('application/json');
  expectRunHeaders(answer, body['executionStopped'] === true, receipt);
  return expectCommonHeaders(answer);
}

/** A 200 in raw mode, to callers with an API key with a receipt; gives the execution id. */
export function expectRaw(answer: Answer, text: string, stopped = false, receipt = false): string {
  expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text });
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  expectRunHeaders(answer, stopped, receipt);
  return expectCommonHeaders(answer);
}

function expectRunHeaders({ headers }: Answer, stopped: boolean, receipt: boolean): void {
  expect(headers['x-cache']).toBe('off');
  expect(headers['x-execution-stopped']).toBe(String(stopped));
  if (!receipt) expect(Object.keys(headers).filter((name) => /cost|token/.test(name))).toEqual([]);
  else for (const name of ['x-tokens-input', 'x-tokens-output']) expect(headers[name]).toMatch(/^[0-9]+$/);
}

/** An error: its shape, its headers, and nothing else; gives the execution id. */
export function expectError(answer: Answer, status: number, code: string, retryAfter?: number): string {
  expect({ status: answer.status, code: safeJson(answer)['code'] }).toEqual({ status, code });
  expect(answer.headers['content-type']).toBe('application/json');
  const body = answer.json();
  const retries = [409, 429, 503].includes(status);
  expect(Object.keys(body).filter((name) => name !== 'executionId')).toEqual([
    'error',
    'statusCode',
    'code',
    ...(retries ? ['retryAfter'] : []),
  ]);
  expect(body['error']).toMatch(/\S/);
  expect(body['statusCode']).toBe(status);
  const header = answer.headers['retry-after'];
  if (retries) {
    expect(header).toMatch(/^[1-9][0-9]*$/);
    expect(body['retryAfter']).toBe(Number(header));
    if (retryAfter !== undefined) expect(body['retryAfter']).toBe(retryAfter);
  } else expect(header).toBeUndefined();
  const executionId = expectCommonHeaders(answer);
  expect(body['executionId']).toBe(executionId);
  return executionId;
}

/** An error in OpenAI's form; gives the execution id. */
export function expectOpenaiError(answer: Answer, status: number, code: string): string {
  expect({ status: answer.status, error: answer.json()['error'] }).toMatchObject({ status, error: { code } });
  const executionId = expectCommonHeaders(answer);
  expect(answer.headers['x-request-id']).toBe(executionId);
  return executionId;
}

/** Nothing of how the service is made may be in an answer. */
export function expectNothingInternal({ headers, text }: Answer): void {
  // API Gateway adds headers of its own, `x-amzn-errortype` among them, which nobody can keep it from.
  const ours = Object.entries(headers).filter(([name]) => !name.startsWith('x-amz'));
  expect(text).not.toMatch(INTERNAL);
  expect(text).not.toContain(PROVIDER_KEY);
  expect(JSON.stringify(ours)).not.toMatch(INTERNAL);
}

function safeJson(answer: Answer): Record<string, unknown> {
  try {
    return answer.json();
  } catch {
    return { code: `not JSON: ${answer.text.slice(0, 300)}` };
  }
}

function list(header: string | string[] | undefined): string[] {
  return String(header)
    .split(',')
    .map((name) => name.trim())
    .toSorted();
}

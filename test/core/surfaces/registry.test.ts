// What both forms say of a code: the log's status is that of the answer.
import { beforeAll, describe, expect, it } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '../../../core/contract/error-codes.ts';
import { ROUTES } from '../../../core/contract/routes.ts';
import { loadSurface, surfaceOf } from '../../../core/surfaces/registry.ts';

const CODES = Object.keys(ERROR_CODES) as ErrorCode[];
const NAMES = [...new Set(ROUTES.map(({ surface }) => surface))];

describe.each(NAMES)('the %s surface', (name) => {
  beforeAll(() => loadSurface(name));

  it('names the status that its answer has, for every code', () => {
    const surface = surfaceOf(name);
    const answered = CODES.map((code) => [code, surface.renderError(code, {}).status]);
    expect(CODES.map((code) => [code, surface.statusOf(code)])).toEqual(answered);
  });
});

describe.each(NAMES)('an error of the %s surface', (name) => {
  beforeAll(() => loadSurface(name));

  it.each(CODES)('%s has the headers that every error has', (code) => {
    const detail = { executionId: 'e1', retryAfterMs: 1_500 };
    const { status, headers } = surfaceOf(name).renderError(code, detail);
    expect(headers).toMatchObject({
      'Content-Type': 'application/json',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      'X-Execution-Id': 'e1',
    });
    expect(headers['WWW-Authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
    const passes = [409, 429, 503].includes(status) && code !== 'feedback_exists';
    expect(headers['Retry-After']).toBe(passes ? '2' : undefined);
  });
});

it("differs in the codes that are 422 on the neuron's own route", () => {
  const native = surfaceOf('native');
  const openai = surfaceOf('openai');
  const differing = CODES.filter((code) => native.statusOf(code) !== openai.statusOf(code));
  expect(differing).toEqual(CODES.filter((code) => native.statusOf(code) === 422));
  expect(differing.length).toBeGreaterThan(0);
  expect(new Set(differing.map(openai.statusOf))).toEqual(new Set([400]));
});

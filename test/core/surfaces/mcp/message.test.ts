// Messages of the Model Context Protocol: which bodies are one, and what is found of one that nobody parses.
import { describe, expect, it } from 'vitest';
import { MCP, toCallBody } from '../../../../core/surfaces/mcp/index.ts';
import { idInBody, readMessage } from '../../../../core/surfaces/mcp/message.ts';
import { cpuMsOf } from '../../../support/cpu-ms.ts';

const message = (members: object) => JSON.stringify({ jsonrpc: '2.0', method: 'ping', ...members });
const codeOf = (body: string | undefined) => (readMessage(body) as { code?: number }).code;
const errorFor = (body: string) =>
  JSON.parse(
    MCP.renderError('rate_limited', {
      unparsed: { body, bypassCache: [], rawOutput: [], accept: [] },
      retryAfterMs: 1_500,
    }).body,
  );

describe('a message', () => {
  it('is a request with an id, and a notification without', () => {
    expect(readMessage(message({ id: 1 }))).toEqual({ id: 1, method: 'ping', params: {} });
    expect(readMessage(message({ id: '', params: { a: 1 } }))).toMatchObject({ id: '', params: { a: 1 } });
    expect(readMessage(message({}))).toMatchObject({ id: undefined });
  });

  it.each([undefined, '', '{', 'null x'])('is JSON: %j is not', (body) => {
    expect(codeOf(body)).toBe(-32_700);
  });

  it.each([
    'null',
    '7',
    '[]',
    message({ id: null }),
    message({ id: 1.5 }),
    message({ id: [] }),
    message({ id: true }),
    message({ method: 7 }),
    message({ params: 'x' }),
    message({ params: [] }),
    message({ jsonrpc: 2 }),
    '{"id":1,"method":"ping"}',
    `{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":[${'[],'.repeat(200_000)}[]]}}`,
  ])('has the members of one', (body) => {
    expect(codeOf(body)).toBe(-32_600);
  });
});

describe('the id of a message', () => {
  it('is found in a body that is short', () => {
    expect(idInBody(message({ id: 'a' }))).toBe('a');
    for (const body of [undefined, '', '{', '[]', message({}), message({ id: null })])
      expect(idInBody(body)).toBeUndefined();
  });

  it('is not looked for in a long one, which anybody may send', () => {
    const long = message({ id: 'a', params: { x: 'y'.repeat(70_000) } });
    expect(idInBody(long)).toBeUndefined();
    const hostile = `{"id":1,"x":${'['.repeat(3_000_000)}`;
    expect(cpuMsOf(() => expect(idInBody(hostile)).toBeUndefined())).toBeLessThan(20);
  });

  it.each([
    [7, 'initialized'],
    ['a "b" \\ c', 'stateless'],
    [-1, 'stateless'],
  ] as const)('stands with its era at the head of a call, however long: %s', (id, era) => {
    const body = toCallBody({ id, era }, 'orders', { input: 'x'.repeat(100_000), era: 'other' });
    const { result, ...rest } = errorFor(body);
    expect(rest).toEqual({ jsonrpc: '2.0', id });
    expect(result.isError).toBe(true);
    expect(result.resultType).toBe(era === 'stateless' ? 'complete' : undefined);
  });

  it('is none where a body only looks like the head of one', () => {
    expect(errorFor('{"id":"a,"era":"stateless",').id).toBeUndefined();
    expect(errorFor(' {"id":5,"era":"stateless","model":"x"}').id).toBe(5);
  });
});

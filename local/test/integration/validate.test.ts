// Answers of functions, taken or refused. Expected: API Gateway Developer Guide, "Output format of a Lambda function for
// proxy integration", and answers recorded from REST APIs.
import { describe, expect, it } from 'vitest';
import { readMetadata, readProxyAnswer } from '../../integration/validate.ts';

const read = (value: unknown, acceptsBinary = false) =>
  readProxyAnswer(Buffer.from(JSON.stringify(value) ?? ''), acceptsBinary);
const JSON_TYPE = ['Content-Type', 'application/json'];

describe('an answer', () => {
  it.each([
    ['a status alone', { statusCode: 200 }, 200, [JSON_TYPE]],
    ['headers alone', { headers: { 'test-header': 'value' } }, 200, [['test-header', 'value'], JSON_TYPE]],
    ['a status as text', { statusCode: '201' }, 201, [JSON_TYPE]],
    ['null for headers', { statusCode: 200, headers: null }, 200, [JSON_TYPE]],
    ['a boolean header', { headers: { 'header-bool': true } }, 200, [['header-bool', 'true'], JSON_TYPE]],
    [
      'its own content type',
      { headers: { 'content-TYPE': 'text/plain' } },
      200,
      [['content-TYPE', 'text/plain']],
    ],
    [
      'several values',
      { multiValueHeaders: { 'test-multi': ['value1', 'value2'] } },
      200,
      [['test-multi', 'value1'], ['test-multi', 'value2'], JSON_TYPE],
    ],
    [
      'both kinds of headers',
      { multiValueHeaders: { 'tesT-Multi': ['value-multi'] }, headers: { 'test-multi': 'value-solo' } },
      200,
      [['tesT-Multi', 'value-multi'], ['tesT-Multi', 'value-solo'], JSON_TYPE],
    ],
    [
      'the same pair in both, once',
      { multiValueHeaders: { a: ['1', '2'] }, headers: { a: '1' } },
      200,
      [['a', '1'], ['a', '2'], JSON_TYPE],
    ],
  ])('may have %s', (_name, value, status, headers) => {
    expect(read(value)).toEqual({ status, headers, body: Buffer.alloc(0) });
  });

  it.each([
    ['WWW-Authenticate', 'x-amzn-Remapped-WWW-Authenticate'],
    ['content-length', 'x-amzn-Remapped-content-length'],
    ['Connection', 'x-amzn-Remapped-Connection'],
    ['Date', 'x-amzn-Remapped-Date'],
    ['Server', 'x-amzn-Remapped-Server'],
    ['Retry-After', 'Retry-After'],
  ])('sends %s as %s', (name, sent) => {
    expect(read({ headers: { [name]: 'x' } })?.headers).toContainEqual([sent, 'x']);
  });

  it('drops Transfer-Encoding', () => {
    expect(read({ headers: { 'Transfer-Encoding': 'chunked' } })?.headers).toEqual([JSON_TYPE]);
  });

  it('has its body decoded from base64 only for a caller that accepts a binary type', () => {
    const value = { body: 'dGVzdC1kYXRh', isBase64Encoded: true };
    expect(read(value)?.body.toString()).toBe('dGVzdC1kYXRh');
    expect(read(value, true)?.body.toString()).toBe('test-data');
    expect(read({ body: 'ü' }, true)?.body).toEqual(Buffer.from([0xc3, 0xbc]));
  });

  it.each([
    ['an unknown member', { statusCode: 200, wrongValue: 'value' }],
    ['text', 'justAString'],
    ['null', null],
    ['a list', []],
    ['a number', 200],
    ['nothing', undefined],
    ['a status that is no number', { statusCode: 'test' }],
    ['a status of four digits', { statusCode: 1000 }],
    ['a status with a fraction', { statusCode: 200.5 }],
    ['a status that ends nothing', { statusCode: 100 }],
    ['text for several values', { multiValueHeaders: { a: 'value1' } }],
    ['an object as header', { headers: { a: {} } }],
    ['a list as header', { headers: { a: ['b'] } }],
    ['an object as body', { body: { a: 1 } }],
    ['text for isBase64Encoded', { body: '', isBase64Encoded: 'yes' }],
    ['cookies', { cookies: ['a=b'] }],
    ['a header name with a space', { headers: { 'a b': 'c' } }],
    ['a header value with a line break', { headers: { a: 'b\r\nc: d' } }],
  ])('refuses %s', (_name, value) => {
    expect(read(value)).toBeUndefined();
  });
});

describe('metadata of a streamed answer', () => {
  it('may have cookies and no body', () => {
    expect(readMetadata('{"statusCode":302,"headers":{"a":"b"},"cookies":["x=1","y=2"]}')).toEqual({
      status: 302,
      headers: [['a', 'b'], JSON_TYPE, ['Set-Cookie', 'x=1'], ['Set-Cookie', 'y=2']],
    });
    expect(readMetadata('{}')).toEqual({ status: 200, headers: [JSON_TYPE] });
  });

  it.each([
    '',
    'x',
    '[]',
    'null',
    '{"body":"x"}',
    '{"cookies":"a=b"}',
    '{"cookies":["a\\nb"]}',
    '{"statusCode":0}',
  ])('refuses %s', (json) => {
    expect(readMetadata(json)).toBeUndefined();
  });
});

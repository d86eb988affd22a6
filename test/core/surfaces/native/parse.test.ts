// What a caller sends becomes an invocation or a code of the contract; nothing else can come of it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../../core/contract/service-error.ts';
import { conversationOf } from '../../../../core/conversation/conversation.ts';
import { parseInvocation } from '../../../../core/surfaces/native/parse.ts';
import type { Invocation } from '../../../../core/surfaces/surface.ts';
import { utf8Bytes } from '../../../../core/text/utf8.ts';
import { anyText } from '../../../support/any-text.ts';

const MAX = 262_144;

function parse(
  body: string | undefined,
  query: { bypassCache?: string[]; rawOutput?: string[]; accept?: string[] } = {},
) {
  const { bypassCache = [], rawOutput = [], accept = [] } = query;
  return parseInvocation({ body, bypassCache, rawOutput, accept }, MAX);
}

/** The invocation, or the code it was refused with; anything else that is thrown goes through. */
function outcome(parsed: () => Invocation): Invocation | string {
  try {
    return parsed();
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

describe('the body', () => {
  it('gives its input', () => {
    expect(parse('{"input":"Hello"}')).toEqual({
      input: 'Hello',
      conversation: conversationOf('Hello'),
      bypassCache: false,
      rawOutput: false,
      stream: false,
      leftOut: [],
    });
  });

  it.each([
    ['an empty input', '{"input":""}'],
    ['no input', '{}'],
    ['unknown members beside it', '{"input":"","temperature":2,"stream":true}'],
    ['a member named like an inherited one', '{"input":"","toString":1,"__proto__":{"input":"x"}}'],
  ])('may have %s, which is an empty text', (_name, body) => {
    expect(parse(body).input).toBe('');
  });

  it.each([
    '{"imput":"Hello"}',
    '{"Input":"Hello"}',
    '{"content":"Hello"}',
    '{"temperature":2,"stream":true}',
    '{"tools":[]}',
    '{"parameters":{"seed":1}}',
    '{"toString":1}',
    '{"__proto__":{"input":"x"}}',
    '{"":null}',
  ])('refuses %s, which has members and no input', (body) => {
    expect(() => parse(body)).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        param: 'input',
        detail: '"input" is missing, and so is "messages". Send one of them; the empty text is {"input":""}.',
      }),
    );
  });

  it.each(['prompt', 'text'])(
    'refuses "%s" in place of input, which would be answered by a model call on empty input',
    (member) => {
      for (const value of ['"Hello"', '[]', 'null']) {
        expect(outcome(() => parse(`{"${member}":${value}}`))).toBe('invalid_input');
        expect(parse(`{"${member}":${value},"input":"Hello"}`).input).toBe('Hello');
      }
      expect(() => parse(`{"${member}":""}`)).toThrow(
        expect.objectContaining({ detail: `Send "input" or "messages" in place of "${member}".` }),
      );
    },
  );

  it('refuses "messages" beside input, and takes null for absent there', () => {
    expect(outcome(() => parse('{"messages":[],"input":"Hello"}'))).toBe('invalid_input');
    expect(outcome(() => parse('{"messages":null}'))).toBe('invalid_input');
    expect(parse('{"messages":null,"input":"Hello"}').input).toBe('Hello');
  });

  it('takes the last of doubled members, as JSON.parse does', () => {
    expect(parse('{"input":1,"input":"last"}').input).toBe('last');
  });

  it.each([
    ['no body', undefined],
    ['an empty body', ''],
    ['white space', ' \n\t'],
    ['text that is not JSON', 'input=Hello'],
    ['an object that does not end', '{"input":"Hello"'],
    ['something after the object', '{"input":"Hello"} {}'],
    ['a byte order mark', '\u{feff}{"input":"Hello"}'],
    ['UTF-16 that was read as UTF-8', Buffer.from('{"input":"Hello"}', 'utf16le').toString()],
    ['100,000 levels that do not end', '['.repeat(100_000)],
  ])('refuses %s as malformed JSON', (_name, body) => {
    expect(outcome(() => parse(body))).toBe('malformed_json');
  });

  it.each([
    ['a list', '["Hello"]'],
    ['a text', '"Hello"'],
    ['a number', '7'],
    ['true', 'true'],
    ['null', 'null'],
    ['100,000 levels of lists', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ])('refuses %s as a malformed body', (_name, body) => {
    expect(outcome(() => parse(body))).toBe('malformed_body');
  });

  it.each([
    ['null', 'null'],
    ['a number', '1'],
    ['a list', '["Hello"]'],
    ['an object', '{}'],
    ['100,000 levels', `${'{"input":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ])('refuses %s as input', (_name, input) => {
    expect(outcome(() => parse(`{"input":${input}}`))).toBe('invalid_input');
  });

  it('refuses an input that is one byte too long, counted in UTF-8', () => {
    const limited = (input: string) =>
      outcome(() =>
        parseInvocation({ body: JSON.stringify({ input }), bypassCache: [], rawOutput: [], accept: [] }, 6),
      );
    expect(limited('abcdef')).toMatchObject({ input: 'abcdef' });
    expect(limited('äöü')).toMatchObject({ input: 'äöü' });
    expect(limited('😀ab')).toMatchObject({ input: '😀ab' });
    expect(limited('abcdefg')).toBe('input_too_large');
    expect(limited('äöüa')).toBe('input_too_large');
    expect(limited('😀😀')).toBe('input_too_large');
  });

  it('refuses without a word of the body, which must not reach a log', () => {
    const thrown = (body: string) => {
      try {
        return parse(body);
      } catch (error) {
        return error;
      }
    };
    for (const body of ['secret words', '{"input":["secret words"]}', '["secret words"]']) {
      const error = thrown(body) as ServiceError;
      expect(error).toBeInstanceOf(ServiceError);
      expect(error.cause).toBeUndefined();
      expect(`${error.message} ${error.reason} ${error.stack}`).not.toContain('secret words');
    }
  });
});

describe('the flags', () => {
  it.each([
    ['true', true],
    ['TRUE', true],
    ['tRuE', true],
    ['1', true],
    ['false', false],
    ['False', false],
    ['0', false],
  ])('read %s as %s', (value, expected) => {
    expect(parse('{}', { bypassCache: [value] })).toMatchObject({ bypassCache: expected, rawOutput: false });
    expect(parse('{}', { rawOutput: [value] })).toMatchObject({ bypassCache: false, rawOutput: expected });
  });

  it.each(['', ' ', 'yes', 'on', '2', '01', ' true', 'true ', 'null', 'falſe'])('refuse %j', (value) => {
    expect(outcome(() => parse('{}', { bypassCache: [value] }))).toBe('invalid_parameter');
    expect(outcome(() => parse('{}', { rawOutput: [value] }))).toBe('invalid_parameter');
  });

  it('refuse a parameter given twice, also with equal values', () => {
    expect(outcome(() => parse('{}', { rawOutput: ['true', 'true'] }))).toBe('invalid_parameter');
  });

  it('are validated after the body, so that a malformed body is what the caller hears of', () => {
    expect(outcome(() => parse('{', { rawOutput: ['maybe'] }))).toBe('malformed_json');
    expect(outcome(() => parse('{"input":1}', { rawOutput: ['maybe'] }))).toBe('invalid_input');
  });
});

const CODES = ['malformed_json', 'malformed_body', 'invalid_input', 'input_too_large', 'invalid_parameter'];

describe('a stream', () => {
  it.each([
    [['text/event-stream'], true],
    [['TEXT/Event-Stream'], true],
    [['application/json, text/event-stream;q=0.9'], true],
    [['application/json', 'text/event-stream; charset=utf-8'], true],
    [['text/event-stream;q=0.01'], true],
    [[], false],
    [['*/*'], false],
    [['text/*'], false],
    [['application/json'], false],
    [['text/event-streams'], false],
    [['text/event-stream;q=0'], false],
    [['text/event-stream; q=0.000; a=b'], false],
  ])('is asked for by its media type alone: %j', (accept, expected) => {
    expect(parse('{}', { accept }).stream).toBe(expected);
  });

  it('cannot be had beside the raw output', () => {
    expect(outcome(() => parse('{}', { rawOutput: ['true'], accept: ['text/event-stream'] }))).toBe(
      'invalid_parameter',
    );
    expect(parse('{}', { rawOutput: ['false'], accept: ['text/event-stream'] })).toMatchObject({
      stream: true,
    });
  });
});

describe('whatever is sent', () => {
  it('is an invocation or one of five codes, for any bytes', () => {
    const flag = fc.array(fc.oneof(fc.constantFrom('true', 'false', '1', '0'), fc.string()), {
      maxLength: 2,
    });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), flag, flag, (bytes, bypassCache, rawOutput) => {
        const body = Buffer.from(bytes).toString();
        const result = outcome(() => parseInvocation({ body, bypassCache, rawOutput, accept: [] }, 100));
        if (typeof result === 'string') expect(CODES).toContain(result);
        else expect(utf8Bytes(result.input)).toBeLessThanOrEqual(100);
      }),
    );
  });

  it('is an invocation or one of five codes, for any JSON', () => {
    fc.assert(
      fc.property(fc.json(), (body) => {
        const result = outcome(() => parse(body));
        if (typeof result === 'string') expect(CODES).toContain(result);
      }),
    );
  });

  it('comes back as it was rendered', () => {
    fc.assert(
      fc.property(anyText(20), fc.boolean(), fc.boolean(), (input, bypassCache, rawOutput) => {
        const body = JSON.stringify({ input });
        const sent = { bypassCache: [String(bypassCache)], rawOutput: [String(rawOutput)] };
        expect(parse(body, sent)).toEqual({
          input,
          conversation: conversationOf(input),
          bypassCache,
          rawOutput,
          stream: false,
          leftOut: [],
        });
      }),
    );
  });
});

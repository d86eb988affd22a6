// What the log says of a provider's failure: its code and message, redacted and bounded.
import { describe, expect, it } from 'vitest';
import { assistantMessage, userMessage } from '../../../core/conversation/conversation.ts';
import { describeFailure, toProviderError } from '../../../core/flow/failure.ts';
import type { SentTexts } from '../../../core/flow/redact.ts';
import { ProviderFailure, type RequestMember } from '../../../core/ports/providers.ts';

function sentTexts(prompt: string, system = ''): SentTexts {
  return { system: [{ text: system }], messages: [userMessage(prompt)] };
}

const SENT = sentTexts('My card is 4111111111111111, my name is Ada Byron.', 'You are a helpful clerk.');

function said(message: string | undefined, code?: string, sent = SENT): string {
  return describeFailure(new ProviderFailure('configuration', { explanation: { code, message } }), {
    sent,
    ofCaller: new Set(),
  });
}

describe('the description of a failure', () => {
  it.each([
    [new ProviderFailure('timeout'), 'timeout'],
    [new ProviderFailure('unavailable'), 'unavailable (not reached)'],
    [new ProviderFailure('unavailable', { status: 503 }), 'unavailable (HTTP 503)'],
    [
      new ProviderFailure('configuration', {
        status: 401,
        secret: 'openai-key',
        explanation: { code: 'bad_key' },
      }),
      'configuration (HTTP 401, bad_key, secret openai-key)',
    ],
    [
      new ProviderFailure('rejected_input', {
        status: 400,
        explanation: { code: 'c', message: 'Too "long".' },
      }),
      `rejected_input (HTTP 400, c: "Too 'long'.")`,
    ],
  ])('is kind, status, code, message and secret, as far as they are known: %#', (failure, expected) => {
    expect(describeFailure(failure, { sent: SENT, ofCaller: new Set() })).toBe(expected);
  });

  it('is the reason of the error, which callers never get', () => {
    const failure = new ProviderFailure('configuration', { status: 400, explanation: { message: 'No.' } });
    const error = toProviderError(failure, { target: 'openai/m', sent: SENT, ofCaller: new Set() });
    expect(error).toMatchObject({
      code: 'configuration',
      reason: 'openai/m: configuration (HTTP 400, "No.")',
    });
  });
});

describe('the message of a provider', () => {
  it.each([
    ['Unknown model gpt-9.', 'Unknown model gpt-9.'],
    ['Incorrect API key provided: sk-proj-abcdef123456.', 'Incorrect API key provided: [redacted].'],
    ['Incorrect key sk-pr********cdef', 'Incorrect key [redacted]'],
    ['Bearer abc.def refused', '[redacted] refused'],
    ['digest 0123456789abcdef0123456789abcdef!', 'digest [redacted]!'],
    ['one\u001b[31m\nline\u202e\u00e9', 'one [31m line'],
  ])('is on one line and without secrets: %j', (message, expected) => {
    expect(said(message)).toBe(`configuration ("${expected}")`);
  });

  it.each([undefined, '', ' \n'])('is left out where there is none: %j', (message) => {
    expect(said(message)).toBe('configuration');
  });

  it('is bounded', () => {
    expect(said('ab '.repeat(10_000)).length).toBeLessThan(230);
    expect(said('ab '.repeat(10_000))).toContain('…');
    expect(said(`${'x '.repeat(99)}xy`)).not.toContain('…');
  });

  it.each([
    ['a run of its words, however it is escaped', 'Cannot read "my  name\\n is ada byron"'],
    ['words of the system text', 'Bad: you are a HELPFUL clerk'],
    ['a number of it', 'Value 4111111111111111 is not allowed'],
  ])('is withheld when it quotes what was sent: %s', (_what, message) => {
    expect(said(message)).toBe('configuration ("[withheld: it quotes what was sent]")');
  });

  it.each([
    ['JSON', String.raw`Bad: "\u041c\u043e\u0439 \u043f\u0430\u0440\u043e\u043b\u044c M\u00fcller"`],
    ['JSON in JSON', String.raw`Bad: \"\\u041c\\u043e\\u0439 \\u043f\\u0430\\u0440\\u043e\\u043b\\u044c\"`],
    ['Python', String.raw`Bad: '\u041c\u043e\u0439 \u043f\u0430\u0440\u043e\u043b\u044c M\xfcller'`],
    [
      'a URL',
      'Bad: %D0%9C%D0%BE%D0%B9%20%D0%BF%D0%B0%D1%80%D0%BE%D0%BB%D1%8C%20M%C3%BCller%20k%C3%A4tzchen%20pin',
    ],
    ['HTML', 'Bad: &#1052;&#x43e;&#1081; M&#252;ller k&#xe4;tzchen pin'],
    ['an encoding taken for Latin-1', 'Bad: Ð\u009cÐ¾Ð¹ MÃ¼ller kÃ¤tzchen pin'],
  ])('shows nothing of what was sent that is escaped as in %s', (_what, message) => {
    const text = said(message, undefined, sentTexts('Мой пароль Müller kätzchen pin'));
    expect(text).not.toMatch(/04?1c|%D0|1052|[mM].{0,6}ller/i);
  });

  it('is withheld when what was sent is full of escapes itself', () => {
    const prompt = '%68%61%6c%6c%6f%20%77%65%6c%74';
    expect(said(`Bad: ${prompt}`, undefined, sentTexts(prompt))).toContain('withheld');
  });

  it('is withheld when it quotes a short text whole, or an address or number in one', () => {
    expect(said('Cannot answer "Hi Ada"', undefined, sentTexts('Hi Ada!', undefined))).toContain('withheld');
    const sent = sentTexts('Write to a@b.c about case 12345 and so on');
    expect(said('invalid a@b.c', undefined, sent)).toContain('withheld');
    expect(said('invalid 12345', undefined, sent)).toContain('withheld');
    expect(said('invalid 6789', undefined, sent)).not.toContain('withheld');
    expect(said('No.', undefined, sentTexts('No'))).not.toContain('withheld');
  });

  it.each<[string, SentTexts]>([
    ['an earlier turn', { system: [], messages: [userMessage('the blue parrot sings'), userMessage('Hi')] }],
    ['an answer of the model', { system: [], messages: [assistantMessage('the blue parrot sings')] }],
    [
      'arguments of a call',
      {
        system: [],
        messages: [
          assistantMessage('', [{ id: 'c1', name: 'f', arguments: { of: 'the blue parrot sings' } }]),
        ],
      },
    ],
    [
      'the result of a tool',
      {
        system: [],
        messages: [
          { role: 'tool', toolCallId: 'c1', content: [{ type: 'text', text: 'the blue parrot sings' }] },
        ],
      },
    ],
    [
      'the description of a tool',
      {
        system: [],
        messages: [],
        tools: [{ name: 'f', description: 'the blue parrot sings', parameters: {} }],
      },
    ],
    [
      'a schema',
      { system: [], messages: [], schema: { name: 's', schema: { description: 'the blue parrot sings' } } },
    ],
    ['a stop sequence', { system: [], messages: [], stopSequences: ['the blue parrot sings'] }],
  ])('is withheld when it quotes %s', (_what, sent) => {
    expect(said('Bad: the blue parrot sings', undefined, sent)).toContain('withheld');
    expect(said('Bad: a red robin', undefined, sent)).not.toContain('withheld');
  });

  it('comes after a code that is a name', () => {
    expect(said('No.', 'invalid_value')).toBe('configuration (invalid_value: "No.")');
    expect(said('No.', 'a sentence of the provider')).toBe('configuration ("No.")');
    expect(said(undefined, 'sk-proj-abcdef123456')).toBe('configuration ([redacted])');
  });
});

describe('a member that a model refuses', () => {
  const failure = (...members: RequestMember[]) =>
    new ProviderFailure('configuration', {
      status: 400,
      explanation: { message: '`temperature` is deprecated for this model.' },
      members,
    });
  const answered = (of: ProviderFailure, ofCaller: readonly RequestMember[]) => {
    const { code, detail, reason } = toProviderError(of, {
      target: 'claude/m',
      sent: SENT,
      ofCaller: new Set(ofCaller),
    });
    return { code, detail, reason };
  };

  it('is a mistake of the settings where the step sets it, with what to do in the log', () => {
    expect(answered(failure('temperature'), ['seed'])).toEqual({
      code: 'configuration',
      detail: undefined,
      reason:
        'claude/m: configuration (HTTP 400, "`temperature` is deprecated for this model."): the model does not take temperature as callModel has it: change it there, or call another model',
    });
  });

  it.each<[RequestMember, string]>([
    ['temperature', 'parameters.temperature'],
    ['topP', 'parameters.topP'],
    ['maxTokens', 'parameters.maxTokens'],
    ['stopSequences', 'parameters.stop'],
    ['seed', 'parameters.seed'],
    ['toolChoice', 'toolChoice'],
    ['schema', 'responseFormat'],
  ])("is the caller's where the caller sent it: %s is named as %s", (member, path) => {
    expect(answered(failure(member), [member])).toEqual({
      code: 'not_accepted',
      detail: `"${path}": the model of this neuron does not accept that.`,
      reason: 'claude/m: rejected_input (HTTP 400, "`temperature` is deprecated for this model.")',
    });
  });

  it('is the one that the caller added, where two exclude each other', () => {
    expect(answered(failure('temperature', 'topP'), ['topP'])).toMatchObject({
      code: 'not_accepted',
      detail: '"parameters.topP": the model of this neuron does not accept that.',
    });
  });

  it('may be one that is missing', () => {
    const missing = new ProviderFailure('rejected_input', { members: ['tools'], remedy: 'send them' });
    expect(answered(missing, ['tools'])).toEqual({
      code: 'not_accepted',
      detail: '"tools" is missing: the model of this neuron takes calls of tools only beside them.',
      reason: 'claude/m: rejected_input: send them',
    });
  });

  it('never makes an outage the fault of a caller', () => {
    const down = new ProviderFailure('unavailable', { status: 503, members: ['temperature'] });
    expect(answered(down, ['temperature'])).toMatchObject({
      code: 'upstream_unavailable',
      detail: undefined,
    });
  });
});

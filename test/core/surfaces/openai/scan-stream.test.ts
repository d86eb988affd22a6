// The scan itself: each fault that a stream could have is one that it finds.
import { describe, expect, it } from 'vitest';
import { scanStream } from './scan-stream.ts';

const HEAD = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' };
const frame = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (delta: object, finish: string | null = null) =>
  frame({ ...HEAD, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] });
const call = (index: number, id: string) => ({
  tool_calls: [{ index, id, type: 'function', function: { name: 'f', arguments: '{}' } }],
});

const ROLE = chunk({ role: 'assistant', content: '' });
const TEXT = chunk({ content: 'Hi' });
const FINISH = chunk({}, 'stop');
const USAGE = frame({
  ...{ ...HEAD, choices: [] },
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});
const DONE = 'data: [DONE]\n\n';
const ERROR = frame({ error: { message: 'no', type: 'server_error', param: null, code: 'x' } });

describe('a stream', () => {
  it.each([
    [[ROLE, TEXT, FINISH, USAGE, DONE]],
    [[': ping\n\n', ROLE, ': ping\n\n', TEXT, FINISH, DONE]],
    [[ROLE, chunk(call(0, 'a')), chunk(call(1, 'b')), chunk({}, 'tool_calls'), DONE]],
    [[ROLE, TEXT, ERROR, DONE]],
  ])('without a fault has none: %#', (pieces) => {
    expect(scanStream(pieces.join('')).violations).toEqual([]);
  });

  it.each<[string, readonly string[]]>([
    ['is one line of data: id: 1', ['id: 1\n\n', ROLE, TEXT, FINISH, DONE]],
    ['is one line of data: event: x', [ROLE, 'event: x\n\n', TEXT, FINISH, DONE]],
    ['is one line of data: retry: 1', [ROLE, TEXT, 'retry: 1\n\n', FINISH, DONE]],
    ['ends with [DONE]', [ROLE, TEXT, FINISH]],
    ['ends with an empty line', [ROLE, TEXT, FINISH, DONE.trimEnd()]],
    [
      "CreateChatCompletionStreamResponse must have required property 'choices'",
      [ROLE, frame(HEAD), FINISH, DONE],
    ],
    ['has the same id, created and model throughout', [ROLE, TEXT.replace('chatcmpl-1', 'x'), FINISH, DONE]],
    ['has the role once', [ROLE, ROLE, TEXT, FINISH, DONE]],
    ['begins with the role', [TEXT, FINISH, DONE]],
    ['has the id of a call once', [ROLE, chunk(call(0, 'a')), chunk(call(1, 'a')), FINISH, DONE]],
    ['numbers calls from 0 without a hole', [ROLE, chunk(call(1, 'a')), FINISH, DONE]],
    [
      'has the name of a call once',
      [
        ...[ROLE, chunk(call(0, 'a'))],
        ...[chunk({ tool_calls: [{ index: 0, function: { name: 'f' } }] }), FINISH, DONE],
      ],
    ],
    ['has one finish', [ROLE, TEXT, FINISH, FINISH, DONE]],
    ['has nothing said after the finish', [ROLE, FINISH, TEXT, DONE]],
    ['has usage once', [ROLE, TEXT, FINISH, USAGE, USAGE, DONE]],
    ['has usage after the finish', [ROLE, TEXT, USAGE, FINISH, DONE]],
    ['has nothing after its error', [ROLE, ERROR, TEXT, DONE]],
  ])('is found where it does not keep this: %s', (fault, pieces) => {
    expect(scanStream(pieces.join('')).violations).toContain(fault);
  });
});

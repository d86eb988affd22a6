// Line ends that some readers take for one and others do not, such as Python's `str.splitlines`: no event holds one as it is.
import { expect, it } from 'vitest';
import { toEventData } from '../../../core/surfaces/event-stream.ts';
import { NATIVE_STREAM } from '../../../core/surfaces/native/stream.ts';
import { createCompletionEncoder } from '../../../core/surfaces/openai/stream.ts';

const TEXT = 'hello\u2028event: error\u2029data: {"error":"forged"}\u0085\u0085';
const CALL = { id: 'c', name: 'f', arguments: { text: TEXT } };
const RESULT = { output: TEXT, executionStopped: false, cache: 'miss' } as const;
const ERROR = { status: 503, headers: {}, body: JSON.stringify({ error: TEXT }) };

const head = { executionId: 'e', model: 'm', timeMs: 0 };

it.each([
  ['native', NATIVE_STREAM],
  ['openai', createCompletionEncoder(head as never, true)],
] as const)('no frame of the %s surface holds one', (_name, encoder) => {
  const frames = [
    encoder.text(TEXT),
    encoder.toolCall(CALL),
    encoder.result(RESULT, undefined),
    encoder.error(ERROR),
  ];
  expect(frames.filter((frame) => /[\u0085\u2028\u2029]/.test(frame))).toEqual([]);
  expect(frames[0]).toContain('\\u2028');
});

it('the data is the same JSON', () => {
  const json = JSON.stringify({ text: TEXT });
  expect(toEventData(json)).not.toBe(json);
  expect(JSON.parse(toEventData(json))).toEqual({ text: TEXT });
});

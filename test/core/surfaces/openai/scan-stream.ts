// Reads the bytes of a stream of chat completions and holds what every one of them must keep.
import { violationsOf } from './published-schema.ts';

interface Chunk {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
  /** Required by the schema. */
  readonly choices?: readonly {
    readonly finish_reason: string | null;
    readonly delta: {
      readonly role?: string;
      readonly content?: string | null;
      readonly tool_calls?: readonly {
        readonly index: number;
        readonly id?: string;
        readonly function?: { readonly name?: string; readonly arguments?: string };
      }[];
    };
  }[];
}

/** What a stream said, and what is wrong with its bytes. */
export interface ScannedStream {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  readonly finish: string | undefined;
  readonly usage: Chunk['usage'] | undefined;
  readonly error: { readonly code: string } | undefined;
  readonly violations: readonly string[];
}

/** `wholeBytes` are those of the whole body. */
export function scanStream(wholeBytes: string): ScannedStream {
  const violations: string[] = [];
  const expect = (holds: boolean, what: string): void => void (holds || violations.push(what));
  const blocks = wholeBytes.split('\n\n');
  expect(blocks.pop() === '', 'ends with an empty line');
  const events = blocks.filter((block) => block !== ': ping');
  const isData = (event: string) => /^data: [^\n\r]+$/.test(event);
  for (const event of events) expect(isData(event), `is one line of data: ${event}`);
  expect(events.pop() === 'data: [DONE]', 'ends with [DONE]');
  const values = events.filter(isData).map((event) => JSON.parse(event.slice('data: '.length)) as object);
  const errors = values.filter((value) => 'error' in value) as { error: { code: string } }[];
  expect(errors.length === 0 || values.at(-1) === errors[0], 'has nothing after its error');
  for (const error of errors) violations.push(...violationsOf('ErrorResponse', error));
  const chunks = values.filter((value) => !('error' in value)) as Chunk[];
  for (const chunk of chunks) {
    violations.push(...violationsOf('CreateChatCompletionStreamResponse', chunk));
    const isSame = (['id', 'created', 'model'] as const).every((name) => chunk[name] === chunks[0]?.[name]);
    expect(isSame, 'has the same id, created and model throughout');
  }
  return { ...join(chunks, expect), error: errors[0]?.error, violations };
}

function join(chunks: readonly Chunk[], expect: (holds: boolean, what: string) => void) {
  // One without choices has been told of by now.
  const choices = chunks.flatMap((chunk) => chunk.choices ?? []);
  const deltas = choices.map(({ delta }) => delta);
  expect(deltas.filter(({ role }) => role !== undefined).length <= 1, 'has the role once');
  expect(deltas.length === 0 || deltas[0]?.role === 'assistant', 'begins with the role');
  const parts = deltas.flatMap((delta) => delta.tool_calls ?? []);
  const opened = parts.filter(({ id }) => id !== undefined);
  expect(new Set(opened.map(({ id }) => id)).size === opened.length, 'has the id of a call once');
  const namings = parts.filter(({ function: called }) => called?.name !== undefined);
  expect(namings.length === opened.length, 'has the name of a call once');
  expect(
    opened.every(({ index }, position) => index === position),
    'numbers calls from 0 without a hole',
  );
  const finishes = choices.flatMap(({ finish_reason: finish }) => finish ?? []);
  expect(finishes.length <= 1, 'has one finish');
  expect(finishes.length === 0 || choices.at(-1)?.finish_reason != null, 'has nothing said after the finish');
  const finishAt = chunks.findIndex((chunk) => chunk.choices?.[0]?.finish_reason != null);
  const usages = chunks.flatMap((chunk, index) =>
    chunk.usage == null ? [] : [{ index, usage: chunk.usage }],
  );
  expect(usages.length <= 1, 'has usage once');
  expect(
    usages.every(({ index }) => index === finishAt + 1 && chunks[index]?.choices?.length === 0),
    'has usage after the finish',
  );
  return {
    text: deltas.map(({ content }) => content ?? '').join(''),
    calls: opened.map(({ index, function: called }) => ({
      name: called?.name ?? '',
      arguments: parts
        .filter((part) => part.index === index)
        .map((part) => part.function?.arguments ?? '')
        .join(''),
    })),
    finish: finishes[0],
    usage: usages[0]?.usage,
  };
}

// Answers that vendors with OpenAI's API gave, as other projects recorded them (recordings/SOURCES.md): read whole, streamed, and cut anywhere.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toOpenaiFailure } from '../../../../adapters/providers/openai/errors.ts';
import { toModelResult } from '../../../../adapters/providers/openai/response.ts';
import type { FinishReason, ModelResult, TokenUsage } from '../../../../core/ports/providers.ts';
import { readBody } from '../streams/protocols.ts';

interface Recording {
  readonly source: string;
  readonly status: number;
  readonly streamed: boolean;
  /** Counted by hand-written rules on the recorded bytes, not by the adapter. */
  readonly expected?: {
    readonly text: string;
    readonly calls: readonly (readonly [string, unknown])[];
    readonly finish: string;
    readonly usage: { readonly prompt: number; readonly completion: number; readonly total: number };
  };
  readonly body: unknown;
}

const FOLDER = join(import.meta.dirname, 'recordings');
const all = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => {
    const kinds = JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Record<string, Recording>;
    return Object.entries(kinds).map(
      ([kind, one]) => [`${name.replace('.json', '')}: ${kind}`, one] as const,
    );
  });
const FINISHES: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'toolCalls',
};

/** Gemini and xAI count thoughts in the total alone; output is what a vendor bills. */
function outputOf({ usage }: NonNullable<Recording['expected']>): number {
  return Math.max(usage.completion, usage.total - usage.prompt);
}

/** As it is expected of an answer, whole or streamed. */
function summaryOf(answer: {
  readonly text: string;
  readonly toolCalls?: ModelResult['toolCalls'] | undefined;
  readonly finish: FinishReason;
  readonly usage?: TokenUsage | undefined;
}) {
  const calls = (answer.toolCalls ?? []).map((call) => [call.name, call.arguments]);
  return {
    text: answer.text,
    calls,
    finish: answer.finish,
    usage: { input: answer.usage?.input, output: answer.usage?.output },
  };
}

function expectedOf(expected: NonNullable<Recording['expected']>) {
  return {
    text: expected.text,
    calls: expected.calls,
    finish: FINISHES[expected.finish],
    usage: { input: expected.usage.prompt, output: outputOf(expected) },
  };
}

const answers = all.filter(([, one]) => one.status === 200 && one.expected?.finish !== 'error');
const whole = answers.filter(([, one]) => !one.streamed);
const streams = answers.filter(([, one]) => one.streamed);

async function readStream(pieces: readonly (string | Uint8Array)[]) {
  const { events, thrown } = await readBody({ name: 'openai' }, { pieces: [...pieces] });
  const text = events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');
  const toolCalls = events.flatMap((event) => (event.type === 'toolCall' ? [event.call] : []));
  const end = events.find((event) => event.type === 'end');
  return { thrown, text, toolCalls, end };
}

describe('a recorded answer', () => {
  it('is there of each vendor', () => {
    expect(whole.length).toBeGreaterThan(25);
    expect(streams.length).toBeGreaterThan(10);
  });

  it.each(whole)('of %s is read whole', (_name, { body, expected }) => {
    if (expected === undefined) throw new Error('there is nothing to expect');
    expect(summaryOf(toModelResult(body, 200))).toEqual(expectedOf(expected));
  });

  it.each(streams)(
    'of %s is read as it comes, whole and by 1, 7 and 100 bytes',
    async (_name, { body, expected }) => {
      if (expected === undefined) throw new Error('there is nothing to expect');
      const bytes = new TextEncoder().encode(String(body));
      for (const size of [bytes.length, 1, 7, 100]) {
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.slice(index * size, (index + 1) * size),
        );
        const { thrown, text, toolCalls, end } = await readStream(pieces);
        expect(thrown).toBeUndefined();
        if (end === undefined) throw new Error('there was no end');
        expect(summaryOf({ ...end, text, toolCalls })).toEqual(expectedOf(expected));
      }
    },
  );

  it.each(streams)(
    'of %s is never whole where it is cut before its finish reason',
    async (_name, { body }) => {
      const text = String(body);
      const lines = text.split('\n');
      const finished = lines.findIndex((line) => /"finish_reason": ?"(?!null)\w/.test(line));
      const before = lines.slice(0, finished).join('\n').length;
      for (let at = 0; at < before; at += 97) {
        const { thrown, end } = await readStream([text.slice(0, at)]);
        expect({ at, ends: end !== undefined, thrown: thrown !== undefined }).toEqual({
          at,
          ends: false,
          thrown: true,
        });
      }
    },
  );

  it('of OpenRouter that ends by an error in mid-stream is none', async () => {
    const [, failed] = all.find(([, one]) => one.expected?.finish === 'error') ?? [];
    const { thrown, end } = await readStream([String(failed?.body)]);
    expect([thrown === undefined, end]).toEqual([false, undefined]);
  });
});

describe('a recorded error', () => {
  const kindOf = (name: string) => {
    const [, one] = all.find(([own]) => own === name) ?? [];
    if (one === undefined) throw new Error(`there is no ${name}`);
    return toOpenaiFailure({ status: one.status, headers: {}, json: one.body }, 0).kind;
  };
  it.each([
    ['azure: error401', 'configuration'],
    ['deepseek: error401', 'configuration'],
    ['mistral: error401', 'configuration'],
    ['ollama: error401', 'configuration'],
    ['openrouter: error401', 'configuration'],
    ['perplexity: error401', 'configuration'],
    ['groq: error404', 'configuration'],
    // The model called no tool where it had to: another try may do better, and the caller's `tool_choice` asked for it.
    ['groq: error400', 'rejected_input'],
    ['openrouter: error429', 'rate_limited'],
    ['deepseek: error400', 'context_too_long'],
    ['ollama: error400', 'context_too_long'],
    ['openrouter: error400', 'context_too_long'],
    ['perplexity: error400', 'context_too_long'],
  ])('of %s is %s', (name, kind) => {
    expect(kindOf(name)).toBe(kind);
  });

  it('has a meaning for each recording', () => {
    expect(all.filter(([, one]) => one.status !== 200).map(([name]) => name)).toHaveLength(13);
  });
});

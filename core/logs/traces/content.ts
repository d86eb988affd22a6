// Texts of callers and models as attributes of spans: where a stage asks for them, and the log keeps them in full.
import type { LoggedStep, LoggedText } from '../../contract/log-entry.ts';
import { cutToBytes } from '../bodies.ts';
import type { OtlpAttribute } from './otlp.ts';

/** Maximum UTF-8 bytes of a text. */
const MAX_PER_TEXT = 8_192;
/** Maximum UTF-8 bytes of all texts of an entry. */
const MAX_PER_ENTRY = 65_536;

interface CallTexts {
  readonly system: string | undefined;
  readonly input: string | undefined;
  readonly output: string | undefined;
}

/** The texts of a call as attributes, until the maximum of the entry is reached. */
export type DescribeContent = (
  step: number | undefined,
  call: { readonly finish: string; readonly answered: boolean },
) => readonly OtlpAttribute[];

export const NO_CONTENT: DescribeContent = () => [];

/**
 * By the semantic conventions for generative AI: messages as JSON text, since attributes of spans need not support objects. `step`
 * counts the steps that called models.
 */
export function createContent(trace: readonly LoggedStep[]): DescribeContent {
  const calls = textsOfCalls(trace);
  let left = MAX_PER_ENTRY;
  return (step, { finish, answered }) => {
    const texts = step === undefined ? undefined : calls[step];
    if (texts === undefined) return [];
    const { system, input, output } = texts;
    const attributes = [
      ...message('gen_ai.system_instructions', system, (part) => [part]),
      ...message('gen_ai.input.messages', input, (part) => [{ role: 'user', parts: [part] }]),
      ...message('gen_ai.output.messages', answered ? output : undefined, (part) => [
        { role: 'assistant', parts: [part], finish_reason: finish },
      ]),
    ];
    left -= attributes.reduce((sum, { value }) => sum + Buffer.byteLength(value.stringValue ?? ''), 0);
    return left < 0 ? [] : attributes;
  };
}

function textsOfCalls(trace: readonly LoggedStep[]): readonly CallTexts[] {
  const calls: CallTexts[] = [];
  let system: string | undefined;
  for (const { type, input, output } of trace) {
    if (type === 'systemInstructions') system = fullOf(output);
    if (type === 'callModel') calls.push({ system, input: fullOf(input), output: fullOf(output) });
  }
  return calls;
}

function fullOf(text: LoggedText | undefined): string | undefined {
  return text?.kind === 'full' ? text.text : undefined;
}

function message(
  key: string,
  content: string | undefined,
  wrap: (part: { readonly type: 'text'; readonly content: string }) => object,
): readonly OtlpAttribute[] {
  if (content === undefined) return [];
  const cut = cutToBytes(content, MAX_PER_TEXT);
  const part = { type: 'text', content: cut === content ? content : `${cut}…` } as const;
  return [{ key, value: { stringValue: JSON.stringify(wrap(part)) } }];
}

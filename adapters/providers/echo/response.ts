// What the echo provider answers: the same text for the same request, always.
import type { ModelRequest, ModelResult } from '../../../core/ports/providers.ts';

/** A token is four bytes of UTF-8, rounded up: about what English text costs elsewhere. */
const BYTES_PER_TOKEN = 4;

type EchoRequest = Pick<ModelRequest, 'system' | 'prompt' | 'maxTokens' | 'stopSequences'>;

/** `You said: PROMPT`, after `(SYSTEM) ` where there is a system text; cut at a stop sequence, then at `maxTokens`. */
export function toEchoResult(request: EchoRequest): ModelResult {
  const said = `You said: ${request.prompt}`;
  const whole = request.system === undefined ? said : `(${request.system}) ${said}`;
  const stopped = cutAtStop(whole, request.stopSequences ?? []);
  const text = cutToTokens(stopped, request.maxTokens);
  return {
    text,
    finish: text === stopped ? 'stop' : 'length',
    usage: {
      input: countEchoTokens(request.system ?? '') + countEchoTokens(request.prompt),
      output: countEchoTokens(text),
    },
    modelVersion: 'echo-1',
  };
}

/** Tokens of a text as the echo provider counts them: UTF-8 bytes divided by 4, rounded up. */
function countEchoTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

function cutAtStop(text: string, stopSequences: readonly string[]): string {
  const ends = stopSequences.map((stop) => text.indexOf(stop)).filter((index) => index !== -1);
  return text.slice(0, Math.min(text.length, ...ends));
}

/** Never splits a character: a cut one is left out. */
function cutToTokens(text: string, maxTokens: number): string {
  const bytes = Buffer.from(text);
  let end = Math.min(bytes.byteLength, maxTokens * BYTES_PER_TOKEN);
  if (end === bytes.byteLength) return text;
  // A byte 10xxxxxx continues a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString();
}

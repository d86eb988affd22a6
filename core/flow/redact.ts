// Redacts a provider's words about its error for the log: bounded, on one line, without secrets and without text of the caller.
import {
  type ContentPart,
  callsOfBlocks,
  type Message,
  textOfBlocks,
  textOfParts,
} from '../conversation/conversation.ts';
import { argumentsText } from '../conversation/tool-arguments.ts';
import type { ModelRequest } from '../ports/providers.ts';
import { decodeEscapes } from '../text/escapes.ts';

/** The texts that a message of the provider may quote. */
export type SentTexts = Pick<ModelRequest, 'system' | 'messages' | 'tools' | 'schema' | 'stopSequences'>;

const MAX_MESSAGE = 200;
const CODE = /^[A-Za-z0-9_.:-]{1,64}$/;

/** Keys, also with stars in them as OpenAI shows them, and any text as long and as uniform as one. */
const SECRETS =
  /\b(?:sk|pk|rk|key|nrn)[-_][\w*-]{6,}|\bbearer \S+|[\w-]*\*{3,}[\w-]*|[A-Za-z0-9+/=_-]{32,}/gi;

/** Shared letters and digits in a row that prove a quote. */
const QUOTED_RUN = 12;
/** Minimum length of a text that is searched for whole. */
const MIN_TEXT_LENGTH = 3;

/** Characters of a message in which guards look: a value that the part for the log cuts is whole there. */
const MAX_INSPECTED = 20_000;

/** True for words that guards keep from a log. */
export type Withholds = (words: string) => boolean;

/** The code of an error; undefined for anything but a name. */
export function redactCode(code: string | undefined, withholds?: Withholds): string | undefined {
  if (code === undefined || !CODE.test(code) || withholds?.(code) === true) return undefined;
  return code.replace(SECRETS, '[redacted]');
}

/** The message of an error, withheld when it quotes the request: `logging.bodies` decides on texts of callers, not the provider. */
export function redactMessage(
  message: string | undefined,
  sent: SentTexts,
  withholds?: Withholds,
): string | undefined {
  if (message === undefined || message.trim() === '') return undefined;
  const start = decodeEscapes(message.slice(0, MAX_MESSAGE * 2));
  if (quotes(start, sent)) return '[withheld: it quotes what was sent]';
  const inspected = message.slice(0, MAX_INSPECTED);
  // A model's answer is quoted, too.
  if (withholds !== undefined && [inspected, decodeEscapes(inspected)].some(withholds))
    return '[withheld: a guard looks for what it says]';
  const line = start.replace(/[^\x20-\x7e]+/g, ' ').replaceAll('"', "'");
  const redacted = line.replace(SECRETS, '[redacted]').trim();
  return redacted.length > MAX_MESSAGE ? `${redacted.slice(0, MAX_MESSAGE)}…` : redacted;
}

function quotes(message: string, sent: SentTexts): boolean {
  const texts = textsOf(sent);
  // Also compared in ASCII only: a provider may have read other letters in a wrong encoding.
  return [normalize, (text: string) => normalize(text).replace(/[^a-z0-9]/g, '')].some((toLetters) => {
    const said = toLetters(message);
    return texts.some((text) => quotesText(said, message, toLetters(decodeEscapes(text))));
  });
}

/** All texts of a caller or an operator in a request; other values are sent, and quoted, as JSON. */
function textsOf({ system, messages, tools, schema, stopSequences = [] }: SentTexts): readonly string[] {
  const json = [tools, schema].flatMap((value) => (value === undefined ? [] : [JSON.stringify(value)]));
  return [...system.map(({ text }) => text), ...messages.flatMap(textsOfMessage), ...json, ...stopSequences];
}

function textsOfMessage(message: Message): readonly string[] {
  if (message.role === 'system') return [message.text];
  if (message.role === 'assistant') {
    const calls = callsOfBlocks(message.blocks);
    const called = calls.flatMap(({ id, name, arguments: input }) => [id, name, argumentsText(input)]);
    const thoughts = message.blocks.flatMap((block) =>
      block.type === 'reasoning' ? [block.reasoning.text ?? '', block.reasoning.payload] : [],
    );
    return [textOfBlocks(message.blocks), ...called, ...thoughts];
  }
  const named = message.content.flatMap(nameOfPart);
  return [textOfParts(message.content), ...named, ...(message.role === 'tool' ? [message.toolCallId] : [])];
}

function nameOfPart(part: ContentPart): readonly string[] {
  if (part.type === 'imageAddress') return [part.url];
  return part.type === 'document' && part.name !== undefined ? [part.name] : [];
}

function quotesText(said: string, message: string, text: string): boolean {
  if (text.length < QUOTED_RUN) return text.length >= MIN_TEXT_LENGTH && said.includes(text);
  for (let from = 0; from + QUOTED_RUN <= said.length; from += 1)
    if (text.includes(said.slice(from, from + QUOTED_RUN))) return true;
  // Numbers and addresses are short and reveal most.
  return message.split(/\s+/).some((word) => isRevealing(word) && text.includes(normalize(word)));
}

function isRevealing(word: string): boolean {
  return /\d{4,}|@/.test(word) && normalize(word).length >= MIN_TEXT_LENGTH;
}

/** Escapes, spaces and punctuation change on the way into a message. */
function normalize(text: string): string {
  return text.toLowerCase().replace(/\\(?:u[0-9a-f]{4}|.)|[^\p{L}\p{N}]+/gu, '');
}

// Counts the tokens of what a model is sent, without a model: never too few, since agents make a conversation shorter by what they are told.
import { sum } from '../text/numbers.ts';
import type { AnswerSchema, ContentPart, Message, SystemBlock, ToolDefinition } from './conversation.ts';
import { countTextTokens } from './text-tokens.ts';
import { argumentsText } from './tool-arguments.ts';

/** For the marks around a turn, a system text, a tool, a call or a result. */
const PER_PART = 8;

/** The instructions beside tools (platform.claude.com/docs/en/agents-and-tools/tool-use/overview, "Pricing": 346 for Claude 4). */
const WITH_TOOLS = 350;

/** For a tool that the vendor describes to its model (the same page: 735 for the largest, which uses a computer). */
const PER_VENDOR_TOOL = 750;

/** Pages are read as texts and as images: as many as limits reserve, beside the data. */
const PER_DOCUMENT = 24_000;

/**
 * Characters of bodies that one caller of a neuron may have counted in a minute, in one execution environment: a million of them takes up to
 * 0.6 s of CPU.
 */
export const MAX_COUNTED_CHARACTERS = 20_000_000;

interface CountedParts {
  readonly system: readonly SystemBlock[];
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolDefinition[];
  readonly schema?: AnswerSchema;
  readonly passed?: { readonly vendorTools: number };
}

/** An upper estimate. */
export function countTokens({ system, messages, tools = [], schema, passed }: CountedParts): number {
  return (
    PER_PART +
    sum(system.map(({ text }) => PER_PART + countTextTokens(text))) +
    sum(messages.map((message) => PER_PART + countMessage(message))) +
    (tools.length === 0 ? 0 : WITH_TOOLS) +
    sum(tools.map((tool) => PER_PART + countJson(tool))) +
    (passed?.vendorTools ?? 0) * PER_VENDOR_TOOL +
    (schema === undefined ? 0 : PER_PART + countJson(schema))
  );
}

function countJson(value: object): number {
  return countTextTokens(JSON.stringify(value));
}

function countMessage(message: Message): number {
  switch (message.role) {
    case 'system':
      return countTextTokens(message.text);
    case 'user':
      return sum(message.content.map(countPart));
    case 'tool':
      return PER_PART + countTextTokens(message.toolCallId) + sum(message.content.map(countPart));
    case 'assistant':
      return sum(
        message.blocks.map((block) => {
          if (block.type === 'text') return countTextTokens(block.text);
          if (block.type === 'toolCall') {
            const { id, name, arguments: input } = block.call;
            return PER_PART + countTextTokens(id + name) + countTextTokens(argumentsText(input));
          }
          // A payload is the thought itself, encrypted: a signature has no tokens, and hidden thoughts have fewer than bytes.
          const { text, payload } = block.reasoning;
          return text === undefined ? payload.length : countTextTokens(text);
        }),
      );
  }
}

function countPart(part: ContentPart): number {
  switch (part.type) {
    case 'text':
      return countTextTokens(part.text);
    case 'image':
      return countImageTokens(part);
    case 'imageAddress':
      return countImageTokens(undefined);
    case 'document':
      return PER_DOCUMENT + part.data.length;
  }
}

/** Tokens of the largest image that a model sees; larger ones are made smaller first. */
const MAX_TOKENS = 4_784;
const PIXELS_PER_TOKEN = 750;
/** The least, for models that cut images into tiles. */
const MIN_TOKENS = 85;

/** An upper estimate; that of the largest image where the size cannot be read. */
export function countImageTokens(
  image: { readonly mediaType: string; readonly data: string } | undefined,
): number {
  const size = image === undefined ? undefined : readSize(image);
  if (size === undefined || size.width === 0 || size.height === 0) return MAX_TOKENS;
  const tokens = Math.ceil((size.width * size.height) / PIXELS_PER_TOKEN);
  return Math.min(MAX_TOKENS, Math.max(MIN_TOKENS, tokens));
}

interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** The head of an image, in characters of base64: sizes of PNG and GIF are in it, and of most JPEG. */
const HEAD = 65_536;

function readSize({
  mediaType,
  data,
}: {
  readonly mediaType: string;
  readonly data: string;
}): ImageSize | undefined {
  const head = Buffer.from(data.slice(0, HEAD), 'base64');
  if (mediaType === 'image/png' && head.length >= 24) {
    return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
  }
  if (mediaType === 'image/gif' && head.length >= 10) {
    return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
  }
  return mediaType === 'image/jpeg' ? readJpeg(head) : undefined;
}

/** From the frame header (ITU-T T.81, B.2.2), after segments of two bytes of marker and two of length. */
function readJpeg(head: Buffer): ImageSize | undefined {
  for (let at = 2; at + 9 <= head.length; at += 2 + head.readUInt16BE(at + 2)) {
    if (head[at] !== 0xff) return undefined;
    const marker = head[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: head.readUInt16BE(at + 5), width: head.readUInt16BE(at + 7) };
  }
  return undefined;
}

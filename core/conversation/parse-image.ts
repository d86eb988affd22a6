// Reads an image of a message: a data URL (RFC 2397) of a known type. Nothing is ever fetched.
import {
  type ContentPart,
  IMAGE_DETAILS,
  IMAGE_MEDIA_TYPES,
  type ImageMediaType,
  type ImagePart,
} from './conversation.ts';
import { choice, invalidAt, mapped, object, optional, type Reader, TEXT } from './reader.ts';

/** The size that every provider takes (Amazon Bedrock, Converse: 3.75 MB). */
const MAX_IMAGE_BYTES = 3_750_000;

/** In any case (RFC 2045, section 5.1; the literals of RFC 2397 are those of ABNF). */
const DATA_URL = /^data:([a-z]+\/[a-z0-9.+-]+);base64,/i;

/** The first bytes of each type, in base64 (RFC 2083, ITU-T T.81, GIF89a, RFC 9649). Other RIFF files than WebP are excluded below. */
const SIGNATURES: Readonly<Record<ImageMediaType, readonly string[]>> = {
  'image/png': ['iVBORw0KGg'],
  'image/jpeg': ['/9j/'],
  'image/gif': ['R0lGODdh', 'R0lGODlh'],
  'image/webp': ['UklGR'],
};

const DATA: Reader<Pick<ImagePart, 'mediaType' | 'data'>> = {
  schema: {
    type: 'string',
    pattern: `^data:(?:${IMAGE_MEDIA_TYPES.join('|')});base64,`,
    description: `At most ${MAX_IMAGE_BYTES} bytes. Addresses are never fetched.`,
  },
  read(located) {
    const { path } = located;
    const text = TEXT.read(located);
    const named = DATA_URL.exec(text)?.[1]?.toLowerCase();
    if (named === undefined)
      throw invalidAt(path, 'must be a data URL such as data:image/png;base64,…: images are never fetched');
    const mediaType = IMAGE_MEDIA_TYPES.find((one) => one === named);
    if (mediaType === undefined)
      throw invalidAt(path, `must be an image of type ${IMAGE_MEDIA_TYPES.join(', ')}`);
    const data = text.slice(text.indexOf(',') + 1);
    checkBytes(path, mediaType, data);
    return { mediaType, data };
  },
};

/** `{ url, detail? }`. */
export const IMAGE: Reader<ContentPart> = mapped(
  object({ url: DATA, detail: optional(choice(IMAGE_DETAILS)) }),
  ({ url, ...detail }) => ({ type: 'image', ...url, ...detail }),
);

function checkBytes(path: string, mediaType: ImageMediaType, data: string): void {
  if (data.length % 4 !== 0 || !isBase64(data)) throw invalidAt(path, 'must hold base64 with its padding');
  if (bytesOf(data) > MAX_IMAGE_BYTES) {
    throw invalidAt(path, `must be an image of at most ${MAX_IMAGE_BYTES} bytes`);
  }
  const matches = SIGNATURES[mediaType].some((start) => data.startsWith(start));
  if (!matches || (mediaType === 'image/webp' && !isWebp(data))) {
    throw invalidAt(path, `must hold an image of the type that it names, ${mediaType}`);
  }
}

/** In steps: one expression over millions of characters may exhaust the stack of the engine. */
function isBase64(data: string): boolean {
  if (data === '') return false;
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  const body = data.length - padding;
  for (let start = 0; start < body; start += 65_536) {
    if (!/^[A-Za-z0-9+/]*$/.test(data.slice(start, Math.min(body, start + 65_536)))) return false;
  }
  return true;
}

/** `RIFF`, four bytes of size, `WEBP`. */
function isWebp(data: string): boolean {
  return Buffer.from(data.slice(0, 16), 'base64').subarray(8, 12).toString('latin1') === 'WEBP';
}

/** Decoded size of base64 with padding. */
export function bytesOf(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return (data.length / 4) * 3 - padding;
}

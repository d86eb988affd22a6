// Reads an image of a message: a data URL (RFC 2397) of a known type, or an address for a provider. Nothing is ever fetched here.
import { bytesOf, isBase64 } from './base64.ts';
import {
  type ContentPart,
  IMAGE_DETAILS,
  IMAGE_MEDIA_TYPES,
  type ImageAddress,
  type ImageMediaType,
  type ImagePart,
} from './conversation.ts';
import { choice, invalidAt, mapped, openObject, optional, type Reader, TEXT } from './reader.ts';

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

type Source =
  | (Pick<ImagePart, 'mediaType' | 'data'> & { readonly type: 'image' })
  | Pick<ImageAddress, 'type' | 'url'>;

const SOURCE: Reader<Source> = {
  schema: {
    type: 'string',
    pattern: `^(?:data:(?:${IMAGE_MEDIA_TYPES.join('|')});base64,|https://)`,
    description: `At most ${MAX_IMAGE_BYTES} bytes; or an https address, where the flow passes it on: it is never fetched here.`,
  },
  read(located) {
    const { path } = located;
    const text = TEXT.read(located);
    if (/^https?:/i.test(text)) return { type: 'imageAddress', url: checkAddress(path, text) };
    const named = DATA_URL.exec(text)?.[1]?.toLowerCase();
    if (named === undefined)
      throw invalidAt(path, 'must be a data URL such as data:image/png;base64,…, or an https address');
    const mediaType = IMAGE_MEDIA_TYPES.find((one) => one === named);
    if (mediaType === undefined)
      throw invalidAt(path, `must be an image of type ${IMAGE_MEDIA_TYPES.join(', ')}`);
    const data = text.slice(text.indexOf(',') + 1);
    checkBytes(path, mediaType, data);
    return { type: 'image', mediaType, data };
  },
};

/** `{ url, detail? }`. */
export const IMAGE: Reader<ContentPart> = mapped(
  openObject({ url: SOURCE, detail: optional(choice(IMAGE_DETAILS)) }),
  ({ url, ...detail }) => ({ ...url, ...detail }),
);

const MAX_ADDRESS_LENGTH = 2_048;

/** The last label of a name, which an address in numbers has not (RFC 1123, section 2.1). */
const PUBLIC_NAME = /\.[a-z][a-z0-9-]*$/i;

/** A name of the public kind: a provider on the operator's own network must not be led to its neighbours by number or by a short name. */
function checkAddress(path: string, text: string): string {
  const url = text.length <= MAX_ADDRESS_LENGTH ? URL.parse(text) : null;
  const isPublic = url !== null && url.protocol === 'https:' && PUBLIC_NAME.test(url.hostname);
  if (!isPublic || url.username !== '' || url.password !== '' || LOCAL_NAME.test(url.hostname)) {
    throw invalidAt(
      path,
      `must be a data URL, or an https address of a public name with at most ${MAX_ADDRESS_LENGTH} characters`,
    );
  }
  return url.href;
}

/** RFC 6761, RFC 6762, RFC 8375, and the names of instances in AWS's networks. */
const LOCAL_NAME = /\.(?:localhost|local|internal|home\.arpa|lan|test|invalid|onion)$/i;

function checkBytes(path: string, mediaType: ImageMediaType, data: string): void {
  if (!isBase64(data)) throw invalidAt(path, 'must hold base64 with its padding');
  if (bytesOf(data) > MAX_IMAGE_BYTES) {
    throw invalidAt(path, `must be an image of at most ${MAX_IMAGE_BYTES} bytes`);
  }
  const matches = SIGNATURES[mediaType].some((start) => data.startsWith(start));
  if (!matches || (mediaType === 'image/webp' && !isWebp(data))) {
    throw invalidAt(path, `must hold an image of the type that it names, ${mediaType}`);
  }
}

/** `RIFF`, four bytes of size, `WEBP`. */
function isWebp(data: string): boolean {
  return Buffer.from(data.slice(0, 16), 'base64').subarray(8, 12).toString('latin1') === 'WEBP';
}

// Counts the tokens of an image by its size (platform.claude.com/docs/en/build-with-claude/vision: pixels / 750).

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

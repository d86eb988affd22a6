// The size of a text where bytes count: on the wire, in items, and as an upper bound of its tokens.

/** Length in UTF-8 bytes; half a surrogate pair counts as U+FFFD, which takes its place. */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text);
}

// A list of tags of entries, 12 bytes each: an archive of a million entries takes 12 MB.

export interface TagList {
  add(tag: string): void;
  /** In the order in which they were added. */
  tags(): Generator<string>;
}

const TAG_BYTES = 12;
const CHUNK_BYTES = 1_024 * TAG_BYTES;

/** Tags as `tagEntry` makes them: base64url of 12 bytes. */
export function createTagList(): TagList {
  const chunks: Buffer[] = [];
  let used = CHUNK_BYTES;
  return {
    add(tag) {
      if (used === CHUNK_BYTES) {
        chunks.push(Buffer.alloc(CHUNK_BYTES));
        used = 0;
      }
      used += chunks.at(-1)?.write(tag, used, 'base64url') ?? 0;
    },
    *tags() {
      for (const [index, chunk] of chunks.entries()) {
        const end = index === chunks.length - 1 ? used : CHUNK_BYTES;
        for (let at = 0; at < end; at += TAG_BYTES) yield chunk.toString('base64url', at, at + TAG_BYTES);
      }
    },
  };
}

// A digest of a list of texts, different for every list.
import { createHash } from 'node:crypto';

/** SHA-256 in hex over the parts, each preceded by its length, so that no part can reach into the next. */
export function digestOfParts(parts: readonly string[]): string {
  const hash = createHash('sha256').update(`${parts.length}:`);
  for (const part of parts) {
    // As JSON, which escapes lone surrogates: in UTF-8 they would all become the same replacement character.
    const written = JSON.stringify(part);
    hash.update(`${written.length}:${written}`);
  }
  return hash.digest('hex');
}

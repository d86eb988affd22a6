// Texts that gzip makes no smaller than their 64 characters allow, the same in every run.
import { createHash } from 'node:crypto';

/** `characters` of base64; as many bytes, of which three quarters are left when they are packed. */
export function textOf(seed: number, characters: number): string {
  let text = '';
  for (let piece = 0; text.length < characters; piece += 1)
    text += createHash('sha512').update(`${seed} ${piece}`).digest('base64').slice(0, 84);
  return text.slice(0, characters);
}

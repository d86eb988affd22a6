// Random texts of base64, the same in every run.
import { createHash } from 'node:crypto';

/** gzip packs them to three quarters. */
export function makeText(seed: number, characters: number): string {
  let text = '';
  for (let piece = 0; text.length < characters; piece += 1)
    text += createHash('sha512').update(`${seed} ${piece}`).digest('base64').slice(0, 84);
  return text.slice(0, characters);
}

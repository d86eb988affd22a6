// Every way in which one text of a corpus is tried.
import { DOORS } from './places.ts';
import { isChatOf, isSameInPieces, SIZES, tryText, verdictOf } from './try-text.ts';

export interface Tried {
  readonly finds: number;
  readonly requests: number;
  readonly streams: number;
  /** What differed, without the text. */
  readonly wrong: readonly string[];
}

/**
 * At each place of each surface, whole and in a stream with pieces of another size for each of them; by one of them sent twice and taken
 * from the cache. `isEach`: in streams with pieces of every size by every surface.
 */
export async function tryCase(text: string, index: number, isEach = false): Promise<Tried> {
  const verdict = verdictOf(text);
  const wrong: string[] = [];
  let [requests, streams] = [0, 0];
  const run = async (trial: Parameters<typeof tryText>[2]) => {
    requests += trial.isRepeated ? 3 : 1;
    streams += trial.size > 0 ? 1 : 0;
    wrong.push(...(await tryText(text, verdict, trial)));
  };
  for (const size of SIZES) if (!isSameInPieces(text, verdict, size)) wrong.push(`in pieces of ${size}`);
  for (const [at, door] of DOORS.entries()) {
    const isRepeated = index % DOORS.length === at;
    await run({ door, size: 0, isEverywhere: true, isRepeated });
    if (!isChatOf(door)) continue;
    for (const size of SIZES) {
      const isNext = size === 1 + ((7 * index + 3 * at) % SIZES.length);
      if (isNext || isEach) await run({ door, size, isEverywhere: isNext, isRepeated: isNext && isRepeated });
    }
  }
  return { finds: verdict.finds, requests, streams, wrong };
}

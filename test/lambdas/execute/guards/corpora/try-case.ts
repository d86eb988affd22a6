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
 * The sizes of the pieces of a text's streams by a door: of eight texts in a row every size by every surface, by turns with calls of tools.
 * `isEach`: every size by every surface, by turns at the URL of a neuron and of its organization.
 */
export function sizesOf(index: number, at: number, isEach = false): readonly number[] {
  const door = DOORS[at];
  const isAtBoth = DOORS.some((one) => one !== door && one.surface === door?.surface);
  const own = isAtBoth ? [door?.isOfOrganization === true ? 1 : 0] : [0, 1];
  if (isEach) return SIZES.filter((size) => own.includes((size + (size >> 2) + index) % 2));
  return own.map((slot) => 1 + ((2 * index + ((slot + (index >> 3)) % 2)) % SIZES.length));
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
    const sizes = sizesOf(index, at, isEach);
    for (const size of sizes) {
      const isNext = size === sizes[index % sizes.length];
      await run({ door, size, isEverywhere: isNext, isRepeated: isNext && isRepeated });
    }
  }
  return { finds: verdict.finds, requests, streams, wrong };
}

// Random numbers from the operating system.
import { randomBytes, randomInt } from 'node:crypto';
import type { Random } from '../../core/ports/platform.ts';

/** `randomInt` takes ranges below 2^48. */
const STEPS = 2 ** 47;

export const systemRandom: Random = {
  fraction: () => randomInt(STEPS) / STEPS,
  bytes: (count) => new Uint8Array(randomBytes(count)),
};

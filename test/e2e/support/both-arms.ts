// Callers of both arms of a rollout, whose id, and with it who stands where, is another in each run.
import { bucketOf } from '../../../core/text/subject-bucket.ts';

/** `198.51.100.7` to true where the rollout by address, of half of the callers, leaves it with the version that is deployed. */
export const isControl = (rolloutId: string, address: string): boolean =>
  bucketOf(rolloutId, 'address', address) >= 5_000;

/** Addresses in X-Forwarded-For: `each` of either arm, those of the control first. Throws where 250 have too few, by chance never. */
export function addressesOfBothArms(rolloutId: string, each: number): string[] {
  const candidates = Array.from({ length: 250 }, (_, at) => `198.51.100.${at + 1}`);
  const arms = [true, false].map((isWanted) =>
    candidates.filter((one) => isControl(rolloutId, one) === isWanted).slice(0, each),
  );
  if (arms.some(({ length }) => length < each)) throw new Error(`250 addresses lack ${each} of each arm`);
  return arms.flat();
}

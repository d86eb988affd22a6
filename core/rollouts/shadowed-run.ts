// Chooses the runs that a shadow repeats, by a hash of the execution: no store is asked.
import type { Shadow } from '../settings/stored-settings.ts';
import { bucketOf } from '../text/subject-bucket.ts';

/** True for an execution of its share, until it ends. `timeMs`: of the request, since the Unix epoch. */
export function isShadowed(
  { id, basisPoints, until }: Shadow,
  { executionId, timeMs }: { readonly executionId: string; readonly timeMs: number },
): boolean {
  const endsMs = Date.parse(until);
  // An end that cannot be read has passed.
  return timeMs < endsMs && bucketOf(id, 'request', executionId) < basisPoints;
}

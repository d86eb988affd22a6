// Checks the vectors of a provider's answer.
import { ProviderFailure } from '../../core/ports/providers.ts';

export type Vectors = readonly (readonly number[])[];

/** Undefined for as many as the model makes. */
interface ExpectedVectors {
  readonly count: number;
  readonly dimensions: number | undefined;
  /** The HTTP status of the answer, for the failure. */
  readonly status: number | undefined;
}

/**
 * The vectors of an answer. Throws `malformed_answer` for another number of vectors, other lengths than expected or than each other's, and
 * for a vector without direction: not all finite numbers, or all zero.
 */
export function requireVectors(
  vectors: readonly unknown[] | undefined,
  { count, dimensions, status }: ExpectedVectors,
): Vectors {
  const length = dimensions ?? lengthOf(vectors?.[0]);
  if (vectors?.length !== count || !vectors.every((vector) => isVector(vector, length))) {
    throw new ProviderFailure('malformed_answer', { status });
  }
  return vectors as Vectors;
}

/** Also as 32 bits, which is how callers get it: larger numbers would be infinite, smaller ones zero. */
function isVector(value: unknown, length: number): boolean {
  return (
    Array.isArray(value) &&
    value.length === length &&
    value.every((part) => typeof part === 'number' && Number.isFinite(Math.fround(part))) &&
    value.some((part) => Math.fround(part) !== 0)
  );
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

// Splits diagnostics for tests, and finds what is no diagnostic: filtered by severity, it would pass unseen.
import { expect } from 'vitest';
import { type PartDiagnostic, splitBySeverity } from '../../core/admin/diagnostic.ts';

/** Errors and warnings; fails for anything that is neither. */
export function splitDiagnostics<T extends PartDiagnostic>(diagnostics: readonly T[]) {
  const parts = splitBySeverity(diagnostics);
  expect(parts.errors.length + parts.warnings.length).toBe(diagnostics.length);
  return parts;
}

// Errors that lists of access settings have in common.
import type { Path } from '../../../settings/path.ts';
import { errorAt, type PartDiagnostic, warningAt } from '../../diagnostic.ts';

/** The error of a list that holds nothing. */
export function emptyList(name: 'referers' | 'ips'): PartDiagnostic {
  return errorAt([name], `is empty, which would let nobody in. List at least one entry, or remove ${name}.`);
}

/** The error of an entry that changes nothing, because another covers all that it lists; listed twice it is a warning. */
export function redundantEntry(path: Path, entry: string, other: string): PartDiagnostic {
  if (entry === other) return warningAt(path, `is ${entry}, which is listed twice. Remove one of them.`);
  const message = `is ${entry}, which changes nothing, because ${other} covers it. Remove it, or narrow ${other}.`;
  return errorAt(path, message);
}

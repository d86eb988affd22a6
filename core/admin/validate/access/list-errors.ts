// Errors that lists of access settings have in common.
import type { Path } from '../../../settings/path.ts';
import { errorAt, type PartDiagnostic } from '../../diagnostic.ts';

/** The error of a list that holds nothing. */
export function emptyList(name: 'referers' | 'ips'): PartDiagnostic {
  return errorAt([name], `is empty, which would let nobody in. List at least one entry, or remove ${name}.`);
}

/** The error of an entry that changes nothing, because another covers all that it lists. */
export function redundantEntry(path: Path, entry: string, other: string): PartDiagnostic {
  const message =
    entry === other
      ? `is ${entry}, which is listed twice. Remove one of them.`
      : `is ${entry}, which changes nothing, because ${other} covers it. Remove it, or narrow ${other}.`;
  return errorAt(path, message);
}

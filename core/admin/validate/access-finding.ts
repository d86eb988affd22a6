// One finding about access settings, and the wording that findings on lists have in common.

/** Where in `access`, and what, why and how to solve it: `message` completes a sentence that begins with the path. */
export interface AccessDiagnostic {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What judging one list gives. */
export interface ListValidation {
  readonly refusals: readonly AccessDiagnostic[];
  readonly warnings: readonly AccessDiagnostic[];
}

/** The refusal of a list that is there and holds nothing. */
export function emptyList(name: 'referers' | 'ips'): AccessDiagnostic {
  return {
    path: [name],
    message: `is empty, which would let nobody in. List at least one entry, or remove ${name}.`,
  };
}

/** The refusal of an entry that changes nothing, because another covers all that it lists. */
export function redundantEntry(
  path: readonly (string | number)[],
  entry: string,
  other: string,
): AccessDiagnostic {
  const message =
    entry === other
      ? `is ${entry}, which is listed twice. Remove one of them.`
      : `is ${entry}, which changes nothing, because ${other} covers it. Remove it, or narrow ${other}.`;
  return { path, message };
}

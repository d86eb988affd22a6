// One finding about access settings, and the wording that findings on lists have in common.

/** Where in `access` and what, why and how to solve it. */
export interface AccessFinding {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What judging one list gives. */
export interface ListJudgement {
  readonly refusals: readonly AccessFinding[];
  readonly warnings: readonly AccessFinding[];
}

/** The refusal of a list that is there and holds nothing. */
export function emptyList(name: 'referers' | 'ips'): AccessFinding {
  return {
    path: [name],
    message: `${name} is an empty list, which would let nobody in. List at least one entry, or remove ${name}.`,
  };
}

/** The refusal of an entry that changes nothing, because another covers all that it lists. */
export function redundantEntry(
  path: readonly (string | number)[],
  entry: string,
  other: string,
): AccessFinding {
  const message =
    entry === other
      ? `${entry} is listed twice. Remove one of them.`
      : `${entry} changes nothing, because ${other} covers it already. Remove ${entry}, or narrow ${other}.`;
  return { path, message };
}

// The words of a command that shows the log of an owner, for hints.

/** An organization may be named like one of them. */
export const LOGS_VERBS = ['list', 'export', 'verify', 'head', 'restore', 'rotate-key'] as const;

/** `logs acme/hello`, but `logs list verify` for an organization of that name. `subject`: owners, separated by spaces. */
export function logsWords(subject: string): string {
  const [first = ''] = subject.split(' ');
  return LOGS_VERBS.some((verb) => verb === first) ? `logs list ${subject}` : `logs ${subject}`;
}

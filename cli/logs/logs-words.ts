// The words of `neuron logs` that ask for one owner's log, for hints.

/** The verbs of `neuron logs`. Nothing keeps an organization from being named like one. */
export const LOGS_VERBS = ['list', 'export', 'verify', 'head', 'restore'] as const;

/** `logs acme/hello`; `logs list verify` for an organization of that name. `subject` may name several, parted by spaces. */
export function logsWords(subject: string): string {
  const [first = ''] = subject.split(' ');
  return LOGS_VERBS.some((verb) => verb === first) ? `logs list ${subject}` : `logs ${subject}`;
}

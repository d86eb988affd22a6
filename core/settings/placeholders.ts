// The placeholders in texts of a flow.

export const PLACEHOLDERS = ['input', 'output', 'username', 'execution.id', 'now'] as const;

export type Placeholder = (typeof PLACEHOLDERS)[number];

/** Braces around a name, spaces allowed inside. Anything else in braces is plain text. */
export const PLACEHOLDER = /\{\{ *([A-Za-z_][A-Za-z0-9_.-]*) *\}\}/g;

/** The names in double braces in a text, each once, known or not, in order of appearance. */
export function placeholdersOf(text: string): readonly string[] {
  return [...new Set(Array.from(text.matchAll(PLACEHOLDER), (match) => match[1] ?? ''))];
}

export function isPlaceholder(name: string): name is Placeholder {
  return (PLACEHOLDERS as readonly string[]).includes(name);
}

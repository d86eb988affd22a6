/** Patterns of the service's own paths of members, the first that fits counts, with what a caller of the surface wrote there. */
export type CallerNames = readonly (readonly [RegExp, string])[];

/** The path `messages[0].tool_calls` in the names that the caller of a surface sent. */
export function renamePath(path: string, names: CallerNames): string {
  const [from, to] = names.find(([one]) => one.test(path)) ?? [/^/, ''];
  return path.replace(from, to);
}

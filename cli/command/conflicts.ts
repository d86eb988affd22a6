// Options that exclude each other. The parser finds them; the error says how to solve it.
import type { Command, Option } from 'commander';

/** An option, and those that cannot be passed with it. */
export interface Conflict<Name extends string> {
  readonly option: Name;
  readonly with: readonly Name[];
  /** @default 'Pass one of them.' */
  readonly remedy?: string;
}

/** `options`: those of the command, by the names in its declaration. */
export function declareConflicts(
  parser: Command,
  conflicts: readonly Conflict<string>[],
  options: ReadonlyMap<string, Option>,
): void {
  if (conflicts.length === 0) return;
  const attributesOf = (names: readonly string[]) =>
    names.flatMap((name) => options.get(name)?.attributeName() ?? []);
  for (const conflict of conflicts) options.get(conflict.option)?.conflicts(attributesOf(conflict.with));
  parser.configureOutput({
    outputError: (text, write) => {
      const [one, other] = CONFLICT.exec(text)?.slice(1) ?? [];
      if (one === undefined) return write(text);
      const { remedy = 'Pass one of them.' } =
        conflicts.find(({ option }) => options.get(option)?.long === one) ?? {};
      write(`error: ${one} and ${other} were both given.\n  ${remedy}\n`);
    },
  });
}

/** The error of commander, which names no remedy. */
const CONFLICT = /^error: option '(--[\w-]+).*?' cannot be used with option '(--[\w-]+)/;

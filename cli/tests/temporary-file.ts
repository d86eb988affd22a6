// Files that a process writes before they take the place of another, and those that a killed process left.
import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export function temporaryFileOf(path: string): string {
  return `${path}.${process.pid}.tmp`;
}

/** Removes those of `path` whose process has ended. Never throws: a leftover is in nobody's way. */
export function removeLeftovers(path: string): void {
  const [folder, name] = [dirname(path), `${basename(path)}.`];
  try {
    for (const file of readdirSync(folder)) {
      const id = file.startsWith(name)
        ? /^([1-9][0-9]{0,9})\.tmp$/.exec(file.slice(name.length))?.[1]
        : undefined;
      if (id !== undefined && !isRunning(Number(id))) rmSync(join(folder, file), { force: true });
    }
  } catch {
    // There is no such folder, or it cannot be written.
  }
}

/** False for this process, which has nothing under way when it looks. */
function isRunning(id: number): boolean {
  if (id === process.pid) return false;
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

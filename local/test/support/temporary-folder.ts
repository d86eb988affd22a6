// Ends and removes what a test file starts and creates: Vitest drops an `afterAll` that a hook or a test registers.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ends: (() => unknown)[] = [];

/** Calls `end` after all tests and hooks of the file; the last one registered is called first. */
export function afterFile(end: () => unknown): void {
  ends.push(end);
}

/** Calls everything that was registered, and throws afterwards if any of it failed. */
export async function endFile(): Promise<void> {
  const failures: unknown[] = [];
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) {
    try {
      await end();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'a test file could not be cleaned up');
}

/** A new, empty folder, removed after the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'local-test-'));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

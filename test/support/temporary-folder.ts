// Folders below the system's folder for temporary files that no test leaves behind.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterFile } from './after-file.ts';

/** A new, empty folder, at the top of a test file, in a hook or in a test. Removed when the file is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'neuron-test-'));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

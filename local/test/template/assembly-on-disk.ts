// Writes small assemblies to a temporary folder, for tests of what reads them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ResolveSettings } from '../../template/resolve-stacks.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A folder with these files (objects become JSON), deleted after the tests of the file. */
export function folderWith(files: Readonly<Record<string, unknown>>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

/** Settings for `resolveStacks`. */
export function resolveSettings(settings: Partial<ResolveSettings> = {}): ResolveSettings {
  return {
    region: 'eu-west-1',
    accountId: '111122223333',
    parameters: {},
    inlineCodeFolder: '/nonexistent',
    ...settings,
  };
}

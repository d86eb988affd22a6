// `--watch` sees files that are saved by renaming, again and again.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Local } from 'run-template-locally';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watch } from '../../bin/start/watch.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
const stop = new AbortController();

beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, 'settings'));
  writeFileSync(join(folder, 'settings', 'a.yaml'), 'one');
});
afterEach(() => {
  stop.abort();
});

/** As editors and `sed -i` save. */
function saveByRename(content: string): void {
  writeFileSync(join(folder, 'new'), content);
  renameSync(join(folder, 'new'), join(folder, 'settings', 'a.yaml'));
}

it('applies after every save by renaming', { timeout: 20_000 }, async () => {
  const apply = vi.fn(async () => 'unchanged' as const);
  const stack = { reload: async () => undefined } as unknown as Local;
  const synthesis = { root: folder, folder, stage: 'local', transferMode: undefined, signal: stop.signal };
  watch({ synthesis, settings: [join(folder, 'settings')], apply, stack });
  for (const [index, content] of ['two', 'three!', 'four'].entries()) {
    saveByRename(content);
    await vi.waitFor(() => expect(apply).toHaveBeenCalledTimes(index + 1), { timeout: 6_000 });
  }
});

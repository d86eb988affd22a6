// What a bundle loads later: a file that cannot be loaded is an error of the service, and no end of the environment.
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeBundle } from '../../../lib/constructs/compute/bundle.ts';
import { readBundle } from '../../support/bundle-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it('is answered with 500 while its file cannot be loaded, and works as soon as it can', async () => {
  const folder = temporaryFolder();
  writeBundle('test/lib/constructs/fixtures/load-later.ts', folder);
  const later = readBundle(folder).filter(({ code }) => code.includes('loaded later'));
  expect(later).toMatchObject([{ atStart: false }]);
  const file = join(folder, later[0]?.name ?? '');
  const { callLater } = (await import(join(folder, 'index.mjs'))) as { callLater: () => Promise<string> };
  renameSync(file, `${file}.gone`);
  await expect(callLater()).rejects.toMatchObject({
    code: 'internal',
    reason: expect.stringMatching(/^a module could not be loaded/),
  });
  renameSync(`${file}.gone`, file);
  expect(await callLater()).toBe('loaded later');
});

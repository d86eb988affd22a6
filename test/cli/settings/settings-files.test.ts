// Which settings files are read: all of a folder, and none that is not there without a word.
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSettingsFiles } from '../../../cli/settings/read-with-overlays.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('readSettingsFiles', () => {
  it('refuses a link to nothing by its name', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'acme.yaml'), 'organization: acme\n');
    expect(readSettingsFiles(['.'], folder).files).toEqual(['acme.yaml']);
    symlinkSync(join(folder, 'gone.yaml'), join(folder, 'link.yaml'));
    expect(() => readSettingsFiles(['.'], folder)).toThrow('link.yaml cannot be read.');
  });

  it('refuses a link to itself by its name', () => {
    const folder = temporaryFolder();
    symlinkSync('circle.yaml', join(folder, 'circle.yaml'));
    expect(() => readSettingsFiles(['.'], folder)).toThrow('circle.yaml cannot be read.');
    expect(() => readSettingsFiles(['circle.yaml'], folder)).toThrow('circle.yaml cannot be read.');
  });
});

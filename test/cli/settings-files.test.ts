// Which settings files are read: all of a folder, and none that is not there without a word.
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readSettingsFiles } from '../../cli/settings-files.ts';

describe('readSettingsFiles', () => {
  it('refuses a link to nothing by its name', () => {
    const folder = mkdtempSync(join(tmpdir(), 'neuron-files-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'acme.yaml'), 'organization: acme\n');
    expect(readSettingsFiles(['.'], folder).files).toEqual(['acme.yaml']);
    symlinkSync(join(folder, 'gone.yaml'), join(folder, 'link.yaml'));
    expect(() => readSettingsFiles(['.'], folder)).toThrow('link.yaml cannot be read.');
  });
});

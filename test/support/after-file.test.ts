// What tests start ends with their file, wherever they started it.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { afterFile, endFile } from './after-file.ts';
import { temporaryFolder } from './temporary-folder.ts';

describe('the end of a test file', () => {
  it('ends what was started last first, once, and waits for it', async () => {
    const ended: string[] = [];
    afterFile(() => ended.push('first'));
    afterFile(async () => {
      await Promise.resolve();
      ended.push('second');
    });
    await endFile();
    await endFile();
    expect(ended).toEqual(['second', 'first']);
  });

  it('ends the rest when something fails, and says so', async () => {
    const ended: string[] = [];
    afterFile(() => ended.push('first'));
    afterFile(() => Promise.reject(new Error('stuck')));
    await expect(endFile()).rejects.toMatchObject({ errors: [{ message: 'stuck' }] });
    expect(ended).toEqual(['first']);
  });

  it('removes a temporary folder with what is in it', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'a.txt'), 'a');
    await endFile();
    expect(existsSync(folder)).toBe(false);
  });
});

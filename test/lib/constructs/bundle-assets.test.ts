// What of a bundle lies in the cloud assembly: nobody else may write it, and what was altered is not deployed.
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { AssetStaging, Stack } from 'aws-cdk-lib';
import { Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, it } from 'vitest';
import { BUNDLE_HANDLER, bundle } from '../../../lib/constructs/compute/bundle.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { plainApp } from '../synthesized.ts';

/** Synthesizes one function into the folder, and returns the folder of its code. */
function synthesize(outdir: string): string {
  const stack = new Stack(plainApp(outdir), 'Stack');
  // Small, with a file that is loaded later.
  const code = bundle('test/lib/constructs/fixtures/load-later.ts');
  new LambdaFunction(stack, 'Function', { code, handler: BUNDLE_HANDLER, runtime: Runtime.NODEJS_24_X });
  const assets = readdirSync(outdir).filter((name) => name.startsWith('asset.'));
  expect(assets).toHaveLength(1);
  return join(outdir, assets[0] ?? '');
}

function digestOf(folder: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort()) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest('hex');
}

const modeOf = (path: string) => statSync(path).mode & 0o777;

function appendToAll(folder: string): void {
  for (const name of readdirSync(folder)) appendFileSync(join(folder, name), '\nevil();');
}

describe('the bundle in a cloud assembly', () => {
  it('can be written by its owner alone', () => {
    const folder = synthesize(temporaryFolder());
    expect(modeOf(folder)).toBe(0o755);
    for (const name of readdirSync(folder)) expect(modeOf(join(folder, name)) & 0o022).toBe(0);
  });

  it.each([
    ['code was added to it', (folder: string) => appendFileSync(join(folder, 'index.mjs'), '\nevil();')],
    ['code was added to what is loaded later', appendToAll],
    ['a file was taken away', (folder: string) => rmSync(join(folder, readdirSync(folder)[0] ?? ''))],
    ['a file was added to it', (folder: string) => writeFileSync(join(folder, 'evil.mjs'), 'evil();')],
    ['it was made writable for everybody', (folder: string) => chmodSync(folder, 0o777)],
  ])('is the one that was built, even where %s before the next synth', (_what, alter) => {
    const outdir = temporaryFolder();
    const folder = synthesize(outdir);
    const built = digestOf(folder);
    alter(folder);
    // Within a process CDK remembers what it staged.
    AssetStaging.clearAssetHashCache();
    expect(synthesize(outdir)).toBe(folder);
    expect(digestOf(folder)).toBe(built);
    expect(modeOf(folder)).toBe(0o755);
  });
});

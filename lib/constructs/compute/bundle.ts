// Bundles a handler with everything that it imports, the AWS SDK included: what it loads at start, and what it may load later.
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage, FileSystem } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { BuildOptions, Metafile } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Replaced in every bundle; docs/decisions has the reason and the sizes. */
const ALIASES = {
  '@aws-sdk/credential-provider-node': join(ROOT, 'adapters', 'platform', 'lambda-credentials.ts'),
  // 15 KiB that only operations with an event stream need.
  '@smithy/core/event-streams': join(ROOT, 'adapters', 'platform', 'no-event-streams.ts'),
  // 8 KiB, most of it a cache of endpoints that is never filled.
  '@aws-sdk/middleware-endpoint-discovery': join(ROOT, 'adapters', 'platform', 'no-endpoint-discovery.ts'),
  // 4 KiB of SHA-256 in JavaScript, for machines without OpenSSL.
  '@smithy/core/checksum': join(ROOT, 'adapters', 'platform', 'sha256.ts'),
};

/** The handler that a function names: the export `handler` of the bundle. */
export const BUNDLE_HANDLER = 'index.handler';

/**
 * A handler as the code of a function; `entry` is its file from the root of the repository. The asset's hash is that of the
 * bundle, so equal sources give an equal template on every machine. esbuild runs in process: CDK's own construct starts npm
 * twice per function, which takes longer than everything else.
 */
export function bundle(entry: string): Code {
  const built = join(ROOT, builtFolder(entry));
  // The built package contains the bundles, and neither sources nor esbuild.
  const isBuilt = existsSync(built);
  // CDK uses the folder itself only where it skips bundling.
  return Code.fromAsset(isBuilt ? built : join(ROOT, dirname(entry)), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Required but never used, because the local bundling always succeeds or throws.
      image: DockerImage.fromRegistry('none'),
      // Tells assets apart: CDK compares options as JSON, which leaves `tryBundle` out.
      command: [entry],
      local: {
        tryBundle(folder: string): boolean {
          // CDK makes it writable for everybody, for the user of a container.
          chmodSync(folder, 0o755);
          if (isBuilt) cpSync(built, folder, { recursive: true });
          else writeBundle(entry, folder);
          removeAltered(folder);
          return true;
        },
      },
    },
  });
}

/** CDK takes an asset that is there for the one it needs, going by the name alone: an altered one must be gone by then. */
function removeAltered(folder: string): void {
  const hash = FileSystem.fingerprint(folder);
  const staged = join(dirname(folder), `asset.${hash}`);
  if (!existsSync(staged)) return;
  if (FileSystem.fingerprint(staged) === hash) chmodSync(staged, 0o755);
  else rmSync(staged, { recursive: true });
}

/** Where `npm run build` puts the bundle of a handler, below the folder that it builds into. */
export function builtFolder(entry: string): string {
  return join('bundles', basename(dirname(entry)));
}

/**
 * How a handler becomes `index.mjs` and the files beside it. A module that is imported by `import()` alone becomes a file that is
 * loaded when it is needed; the rest becomes one file.
 */
export function bundleOptions(entry: string, folder: string): BuildOptions & { readonly metafile: true } {
  return {
    absWorkingDir: ROOT,
    entryPoints: [{ in: entry, out: 'index' }],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    // The name says nothing of the machine: equal sources give equal files.
    chunkNames: '[name]-[hash]',
    // Every module that is loaded later imports the handler first. esbuild makes one file of what the same modules reach: without
    // this, what is loaded at start would be as many files as there are sets of later modules that share something.
    inject: [join(ROOT, entry)],
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    // Modules first: only they can be tree-shaken.
    mainFields: ['module', 'main'],
    alias: ALIASES,
    logLevel: 'warning',
    metafile: true,
  };
}

/** Writes the bundle of a handler into a folder; throws on what esbuild cannot resolve. */
export function writeBundle(entry: string, folder: string): void {
  const { buildSync } = createRequire(import.meta.url)('esbuild') as typeof import('esbuild');
  const { outputFiles, metafile } = buildSync({ ...bundleOptions(entry, folder), write: false });
  const used = filesInUse(metafile);
  mkdirSync(folder, { recursive: true });
  for (const { path, contents } of outputFiles) {
    if (used.has(basename(path))) writeFileSync(path, contents);
  }
}

/** The names of files that `index.mjs` can come to load. esbuild also makes one for each `import()` in code that nobody calls. */
function filesInUse({ outputs }: Metafile): ReadonlySet<string> {
  const files = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output]));
  const used = new Set(['index.mjs']);
  // A set goes through what is added to it meanwhile.
  for (const name of used) {
    for (const { path, external } of files.get(name)?.imports ?? []) {
      if (external !== true) used.add(basename(path));
    }
  }
  return used;
}

// Bundles a handler: one file with everything that it imports, the AWS SDK included.
import { chmodSync, cpSync, existsSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage, FileSystem } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** CommonJS packages call `require`, which an ECMAScript module does not have. */
const REQUIRE_BANNER = "import{createRequire}from'node:module';const require=createRequire(import.meta.url);";

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
          else writeBundle(entry, join(folder, 'index.mjs'));
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

/** Writes the bundle of a handler to a file; throws on what esbuild cannot resolve. */
export function writeBundle(entry: string, file: string): void {
  const { buildSync } = createRequire(import.meta.url)('esbuild') as typeof import('esbuild');
  buildSync({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outfile: file,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    // Modules first: only they can be tree-shaken.
    mainFields: ['module', 'main'],
    alias: ALIASES,
    banner: { js: REQUIRE_BANNER },
    logLevel: 'warning',
  });
}

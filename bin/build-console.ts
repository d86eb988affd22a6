// Builds the page of `neuron console` into console/dist, or into the folder in the first argument.
import { resolve } from 'node:path';
import { build } from 'vite';

const ROOT = resolve(import.meta.dirname, '..', 'console');

/** Writes index.html, scripts and styles. Takes about a second. */
export async function buildConsole(folder: string = resolve(ROOT, 'dist')): Promise<void> {
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2024',
      // The page is served on this machine, so preloading saves nothing; its policy rejects `data:` addresses.
      modulePreload: false,
      assetsInlineLimit: 0,
      reportCompressedSize: false,
    },
  });
}

if (import.meta.main) {
  await buildConsole(process.argv[2]);
}

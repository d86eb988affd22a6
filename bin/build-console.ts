// Builds the page of `neuron console` into console/dist, or into the folder in the first argument.
import { resolve } from 'node:path';
import { build } from 'vite';

const ROOT = resolve(import.meta.dirname, '..', 'console');

/** Writes index.html, scripts and styles, `hidden` maps beside them, and returns the files that they were made from. Takes about a second. */
export async function buildConsole(
  folder: string = resolve(ROOT, 'dist'),
  sourcemap: false | 'hidden' = false,
): Promise<string[]> {
  const sources: string[] = [];
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    // Whatever NODE_ENV says: elements would carry the place of each in its source.
    oxc: { jsx: { development: false } },
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'sources',
        // No chunk names the styles that are in it.
        transform: (_code, id) => {
          if (id.endsWith('.css')) sources.push(id);
        },
        generateBundle: (_options, output) => {
          for (const file of Object.values(output))
            if (file.type === 'chunk') sources.push(...file.moduleIds);
        },
      },
    ],
    build: {
      outDir: folder,
      sourcemap,
      emptyOutDir: true,
      target: 'es2024',
      // The page is served on this machine, so preloading saves nothing; its policy rejects `data:` addresses.
      modulePreload: false,
      assetsInlineLimit: 0,
      reportCompressedSize: false,
    },
  });
  return sources;
}

if (import.meta.main) {
  await buildConsole(process.argv[2]);
}

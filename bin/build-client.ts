// `npm run build:client [-- --base-url URL]`: builds the package neuron-client into client/dist.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { renderOpenapi } from './openapi/write.ts';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = join(ROOT, 'client', 'src');
/** The modules with public declarations, in the order of the declaration file. */
const DECLARATIONS = ['conversation', 'types', 'error', 'stream', 'client', 'run-tools', 'bucket'];

/** Builds into `folder`. `baseUrl` is the default of the built client; its option and NEURON_BASE_URL take precedence. */
export async function buildClient(options: { folder: string; baseUrl?: string | undefined }): Promise<void> {
  const { folder, baseUrl } = options;
  if (baseUrl !== undefined && !/^https?:\/\//.test(baseUrl))
    throw new Error('--base-url must be an http or https URL');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await Promise.all([
    bundle('esm', join(folder, 'index.js'), baseUrl),
    bundle('cjs', join(folder, 'index.cjs'), baseUrl),
  ]);
  const declarations = declareTypes();
  writeFileSync(join(folder, 'index.d.ts'), declarations);
  writeFileSync(join(folder, 'index.d.cts'), declarations);
  writeFileSync(join(folder, 'openapi.json'), renderOpenapi());
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
}

async function bundle(format: 'esm' | 'cjs', outfile: string, baseUrl: string | undefined): Promise<void> {
  await build({
    entryPoints: [join(SOURCES, 'index.ts')],
    outfile,
    format,
    bundle: true,
    // Short lines and real names, because Node prints the line that threw and a stack of names.
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 120,
    sourcemap: 'linked',
    target: 'es2022',
    platform: 'neutral',
    logLevel: 'warning',
    ...(baseUrl === undefined ? {} : { define: { BUILD_BASE_URL: JSON.stringify(baseUrl) } }),
  });
}

/** Makes a single declaration file, so that only the exports of index.ts can be imported. */
function declareTypes(): string {
  const folder = mkdtempSync(join(tmpdir(), 'neuron-client-types-'));
  try {
    return compileDeclarations(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function compileDeclarations(folder: string): string {
  const flags = [
    '--declaration',
    '--emitDeclarationOnly',
    '--noEmit',
    'false',
    '--outDir',
    folder,
    '--rootDir',
    SOURCES,
  ];
  execFileSync(join(ROOT, 'node_modules', '.bin', 'tsc'), ['--project', join(ROOT, 'client'), ...flags], {
    stdio: 'inherit',
  });
  const parts = DECLARATIONS.map((name) =>
    withoutModules(readFileSync(join(folder, `${name}.d.ts`), 'utf8')),
  );
  const { names, comment } = readIndex(readFileSync(join(folder, 'index.d.ts'), 'utf8'));
  return `${comment}\n${parts.join('')}export { ${names.join(', ')} };\n`;
}

function withoutModules(text: string): string {
  return text
    .replaceAll(/^import [^;]*;\n|^export \{\};\n/gm, '')
    .replaceAll(/^export (?:declare )?(?=class|const|function)/gm, 'declare ')
    .replaceAll(/^export (?=type|interface)/gm, '');
}

function readIndex(text: string): { readonly names: readonly string[]; readonly comment: string } {
  const names = [...text.matchAll(/^export (type )?\{([^}]*)\} from/gm)].flatMap(([, type = '', list = '']) =>
    list
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((name) => `${type}${name}`),
  );
  return { names, comment: '// Types of neuron-client.' };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { 'base-url': { type: 'string' }, 'if-missing': { type: 'boolean', default: false } },
  });
  const folder = join(ROOT, 'client', 'dist');
  // `npm pack` must not replace a client that was built with its own address.
  if (!values['if-missing'] || !existsSync(folder))
    await buildClient({ folder, baseUrl: values['base-url'] });
}
